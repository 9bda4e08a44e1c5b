/** Into how many processes a site can be split; `opening.ts` opens each. */
export const surfaceNames = ['public', 'write', 'desk'] as const
export type SurfaceName = (typeof surfaceNames)[number]
