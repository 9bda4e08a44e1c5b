/** Reasons for reports and takedowns, each with a name and a sentence of explanation. */

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

export const categoryWords: Readonly<Record<Category, readonly [name: string, meaning: string]>> = {
  spam: ['Spam', 'It sells something, farms links or says the same again and again.'],
  harassment: ['Harassment or hate', 'It attacks a person, or people for what they are.'],
  illegal: ['Illegal content', 'It breaks a law.'],
  copyright: ['Copyright', 'It is somebody else’s work, used without their permission.'],
  private_information: [
    'Private information',
    'It shows an address, a document or a picture that a person keeps private.',
  ],
  impersonation: ['Impersonation', 'Its writer pretends to be somebody else.'],
  danger: ['Dangerous', 'It could hurt somebody.'],
  other: ['Something else', 'None of these.'],
  editorial: ['Not suited to this site', 'It does not fit what this site publishes.'],
}
