/** Reasons for reports and takedowns. */

/** In the order of the report form. */
export const reportReasons = [
  'spam',
  'harassment',
  'illegal',
  'copyright',
  'private_information',
  'impersonation',
  'danger',
  'other',
] as const
export type ReportReason = (typeof reportReasons)[number]

/** A moderator may also decide that something does not belong on the site. */
export const categories = [...reportReasons, 'editorial'] as const
export type Category = (typeof categories)[number]
