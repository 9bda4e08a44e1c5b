import Type, { type Static } from 'typebox'
import { dateTime, nullable, ok, uri } from '#platform/common-schemas.ts'

/** Wire shapes of a writer's own profile in the desk API. */

const text = Type.String()

/** Characters; the same limits as in the database. */
export const longest = { name: 80, bio: 2000, line: 120 } as const

export const networks = ['x', 'linkedin', 'facebook', 'youtube', 'instagram', 'newsletter'] as const
export type Network = (typeof networks)[number]

const forEach = <Schema extends Type.TSchema>(schema: Schema) =>
  Object.fromEntries(networks.map((network) => [network, schema])) as Record<Network, Schema>

const said = (maxLength: number) => nullable(Type.String({ maxLength, 'x-printable': true }))
const address = nullable(Type.String({ 'x-web-address': true }))

/** Omitted fields stay as they are; null clears one. */
export const ProfileChanges = Type.Object({
  name: Type.Optional(Type.String({ maxLength: 400, 'x-visible': true, 'x-printable': true })),
  bio: Type.Optional(said(longest.bio)),
  role: Type.Optional(said(longest.line)),
  niche: Type.Optional(said(longest.line)),
  location: Type.Optional(said(longest.line)),
  website: Type.Optional(address),
  socials: Type.Optional(Type.Object(forEach(Type.Optional(address)))),
})
export type ProfileChanges = Static<typeof ProfileChanges>

export const NewSlug = Type.Object({ slug: Type.String({ maxLength: 200 }) })

const WebsiteCheck = Type.Object({
  state: Type.Unsafe<'none' | 'waiting' | 'proven' | 'not_found' | 'unreachable'>({
    type: 'string',
    enum: ['none', 'waiting', 'proven', 'not_found', 'unreachable'],
  }),
  method: nullable(Type.Unsafe<'rel_me' | 'meta'>({ type: 'string' })),
  /** The URL of the proof, or a sentence why it was not found. */
  evidence: nullable(text),
  checked_at: nullable(dateTime),
  /** When it was first found; while this is set, the profile shows the verified mark. */
  proven_at: nullable(dateTime),
})

export const Profile = Type.Object({
  slug: text,
  name: text,
  bio: nullable(text),
  role: nullable(text),
  niche: nullable(text),
  location: nullable(text),
  avatar_url: nullable(uri),
  website: nullable(uri),
  socials: Type.Object(forEach(nullable(uri))),
  identity_verified: Type.Boolean(),
  /** True from the first published piece on. */
  is_public: Type.Boolean(),
  website_check: WebsiteCheck,
  /** The content of `<meta name="standfirst-verification">`. */
  website_token: text,
  urls: Type.Object({ profile: uri, badge_svg: uri, feed_json: uri, feed_xml: uri }),
})
export type Profile = Static<typeof Profile>

export const ProfileFound = Type.Object({ ok, profile: Profile })
export type ProfileFound = Static<typeof ProfileFound>

export const CheckPromised = Type.Object({ ok })
