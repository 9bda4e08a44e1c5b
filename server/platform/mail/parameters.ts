import Type, { type Static, type TObject, type TProperties } from 'typebox'
import type { Site, Words } from './layout.ts'

/** What emails are written from: the shapes of their parameters, where their links lead, and how they say a time. */

export const Token = Type.String({ pattern: '^[A-Za-z0-9_-]{16,128}$' })
export const Hours = Type.Integer({ minimum: 1, maximum: 168 })
export const Days = Type.Integer({ minimum: 1, maximum: 30 })
export const Time = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,6})?Z$' })
export const PieceId = Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' })
/** What a moderator wrote. Only an email whose words come from the database may have this: no job can order one. */
export const Quoted = Type.String({ minLength: 1, maxLength: 2000 })
export const ListingSlug = Type.String({ pattern: '^[a-z0-9][a-z0-9-]*$', maxLength: 90 })
export const KeyHead = Type.String({ pattern: '^pk_live_[0-9a-f]{4}$' })

export interface Template<Properties extends TProperties> {
  readonly params: TObject<Properties>
  write(params: Static<TObject<Properties>>, site: Site): Words
}
export const template = <Properties extends TProperties>(
  properties: Properties,
  write: Template<Properties>['write'],
): Template<Properties> => ({ params: Type.Object(properties, { additionalProperties: false }), write })

export const presence = ({ base }: Site): string => `${base}/desk/edit/online-presence`
export const webhook = ({ base }: Site): string => `${base}/desk/edit/online-presence#webhook`
export const account = ({ base }: Site): string => `${base}/desk/account`
export const takeBack = ({ base }: Site, token: string): string => `${base}/desk/reset-password#${token}`
export const profile = ({ base }: Site): string => `${base}/desk/edit/profile`
export const publicPiece = ({ base }: Site, id: string): string => `${base}/p/${id}`
export const listing = ({ base }: Site, slug: string): string => `${base}/shop/${slug}`
export const piece = ({ base }: Site, id: string): string => `${base}/desk/edit/pieces/${id}`

export const lasting = (hours: number): string => (hours === 1 ? 'one hour' : `${hours} hours`)

const clock = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
export const spoken = (time: string): string => `${clock.format(new Date(time))} UTC`
