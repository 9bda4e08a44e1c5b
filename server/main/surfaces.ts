/** Into how many processes a site can be split; `opening.ts` opens each. */
export const doorNames = ['public', 'write', 'desk'] as const
export type DoorName = (typeof doorNames)[number]
