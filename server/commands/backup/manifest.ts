import { createHash, hkdfSync } from 'node:crypto'
import Type, { type Static } from 'typebox'
import { Check } from 'typebox/value'
import type { Config } from '#platform/config.ts'
import site from '../../package.json' with { type: 'json' }

/** What a backup says of itself. It stands last in the file, so it is there only if everything before it is. */

const sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })
const whole = Type.Integer({ minimum: 0 })

export const Manifest = Type.Object({
  format: Type.Literal(1),
  /** The release that made it. */
  standfirst: Type.String(),
  created_at: Type.String(),
  site: Type.Object({ name: Type.String(), base_url: Type.String() }),
  /** Its major version. */
  postgresql: whole,
  database: Type.Object({ bytes: whole, sha256 }),
  database_rights: Type.Array(Type.Object({ grantee: Type.String(), right: Type.String() })),
  migrations: Type.Array(Type.Object({ name: Type.String(), applied_at: Type.String() })),
  tables: Type.Array(Type.Object({ name: Type.String(), rows: Type.String(), sum: Type.String() })),
  media: Type.Object({
    count: whole,
    bytes: whole,
    /** Named by the database, and not to be had from the store, or damaged there. */
    missing: Type.Array(sha256),
  }),
  /** By which the keys of a site are known again; nothing can be opened with it. */
  keys: Type.Object({ AUTH_SECRET: Type.String(), SECRETS_KEY: Type.Array(Type.String()) }),
})
export type Manifest = Static<typeof Manifest>

/** Undefined for what is none, or of a form that a later release has. */
export function readManifest(bytes: Buffer): Manifest | undefined {
  try {
    const given: unknown = JSON.parse(bytes.toString())
    return Check(Manifest, given) ? given : undefined
  } catch {
    return undefined
  }
}

export const { version } = site

export const keysOf = ({ AUTH_SECRET, SECRETS_KEY }: Config): Manifest['keys'] => ({
  AUTH_SECRET: fingerprint(AUTH_SECRET),
  SECRETS_KEY: SECRETS_KEY.map(fingerprint),
})

function fingerprint(secret: string): string {
  const key = Buffer.from(hkdfSync('sha256', secret, 'standfirst backup', 'fingerprint', 32))
  return createHash('sha256').update(key).digest('hex').slice(0, 8)
}

/** Which of the keys in use here are not those of the site that was backed up. */
export function otherKeys({ keys }: Manifest, config: Config): string[] {
  const here = keysOf(config)
  return [
    ...(here.AUTH_SECRET === keys.AUTH_SECRET ? [] : ['AUTH_SECRET']),
    ...(keys.SECRETS_KEY.every((key) => here.SECRETS_KEY.includes(key)) ? [] : ['SECRETS_KEY']),
  ]
}
