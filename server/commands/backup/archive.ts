import { createHash, hkdfSync } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import Type, { type Static } from 'typebox'
import { Check } from 'typebox/value'
import type { Config } from '#config/config.ts'
import { cliTranslator } from '#messages/cli.ts'
import { readTar, TarDamaged, type TarEntry } from '#platform/tar.ts'
import site from '../../package.json' with { type: 'json' }
import { CommandError } from '../command-support.ts'

const t = cliTranslator()

/**
 * A backup is one tar file: `database.dump`, `media/ab/cd/abcd…` in order, `manifest.json`, `manifest.sha256`. An image
 * is checked by its name, the dump by the manifest, the manifest by its own entry, and the rest by `readTar`: no byte
 * can change unnoticed.
 */

export const dumpName = 'database.dump'
export const manifestName = 'manifest.json'
export const sumName = 'manifest.sha256'

/** The layout of a media folder, so that they can be unpacked in place. */
export const mediumName = (hash: string): string => `media/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}`

/** Images have at most 20 MiB, and a manifest far less: anything larger is invalid. */
const largestHeld = 64 << 20

/** Reads the whole archive and verifies it. */
export async function checkArchive(file: FileHandle): Promise<Manifest> {
  try {
    return await check(readTar(file))
  } catch (error) {
    if (!(error instanceof TarDamaged)) throw error
    throw damaged(error.message)
  }
}

const damaged = (what: string): CommandError => new CommandError(t('cli.restore.damaged', { reason: what }))

async function check(entries: AsyncGenerator<TarEntry>): Promise<Manifest> {
  const dump = await next(entries, dumpName)
  const database = { bytes: dump.size, sha256: await sha256Of(dump.content) }
  const media = { count: 0, bytes: 0 }
  let last = ''
  let entry = await next(entries)
  for (; entry.name.startsWith('media/'); entry = await next(entries)) {
    const hash = await sha256Of(entry.content)
    if (entry.name !== mediumName(hash)) throw damaged(t('cli.restore.damaged_entry', { name: entry.name }))
    if (hash <= last) throw damaged(t('cli.restore.damaged_order'))
    last = hash
    media.count += 1
    media.bytes += entry.size
  }
  if (entry.name !== manifestName) throw damaged(t('cli.restore.damaged_extra', { name: entry.name }))
  const written = await held(entry)
  const sum = await held(await next(entries, sumName))
  if (sum.toString() !== createHash('sha256').update(written).digest('hex'))
    throw damaged(t('cli.restore.damaged_entry', { name: manifestName }))
  if (!(await entries.next()).done) throw damaged(t('cli.restore.damaged_tail'))
  const manifest = readManifest(written)
  if (!manifest) throw damaged(t('cli.restore.damaged_format', { name: manifestName }))
  const agrees =
    manifest.database.bytes === database.bytes &&
    manifest.database.sha256 === database.sha256 &&
    manifest.media.count === media.count &&
    manifest.media.bytes === media.bytes
  if (!agrees) throw damaged(t('cli.restore.damaged_content', { name: manifestName }))
  return manifest
}

async function next(entries: AsyncGenerator<TarEntry>, name?: string): Promise<TarEntry> {
  const { value } = await entries.next()
  if (!value) throw damaged(t('cli.restore.damaged_end'))
  if (name && value.name !== name) throw damaged(t('cli.restore.damaged_missing', { name }))
  return value
}

/** The database dump of a verified archive. */
export async function dumpIn(file: FileHandle): Promise<AsyncIterable<Buffer>> {
  return (await next(readTar(file), dumpName)).content
}

/** Its images, one at a time. */
export async function* mediaIn(file: FileHandle): AsyncGenerator<{ hash: string; bytes: Buffer }> {
  for await (const entry of readTar(file)) {
    if (entry.name.startsWith('media/'))
      yield { hash: entry.name.slice('media/ab/cd/'.length), bytes: await held(entry) }
  }
}

async function held({ name, size, content }: TarEntry): Promise<Buffer> {
  if (size > largestHeld) throw damaged(t('cli.restore.damaged_size', { name }))
  return Buffer.concat(await Array.fromAsync(content))
}

async function sha256Of(content: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash('sha256')
  for await (const bytes of content) hash.update(bytes)
  return hash.digest('hex')
}

/** The manifest of a backup. It comes last, so it exists only if everything before it does. */

const sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })
const whole = Type.Integer({ minimum: 0 })

export const Manifest = Type.Object({
  format: Type.Literal(1),
  /** The release that made it. */
  standfirst: Type.String(),
  created_at: Type.String(),
  site: Type.Object({ name: Type.String(), base_url: Type.String() }),
  /** Major version. */
  postgresql: whole,
  database: Type.Object({ bytes: whole, sha256 }),
  database_rights: Type.Array(Type.Object({ grantee: Type.String(), right: Type.String() })),
  migrations: Type.Array(Type.Object({ name: Type.String(), applied_at: Type.String() })),
  tables: Type.Array(Type.Object({ name: Type.String(), rows: Type.String(), sum: Type.String() })),
  media: Type.Object({
    count: whole,
    bytes: whole,
    /** Referenced by the database, but missing or damaged in the store. */
    missing: Type.Array(sha256),
  }),
  /** Fingerprints of the site's keys; nothing can be decrypted with them. */
  keys: Type.Object({ AUTH_SECRET: Type.String(), SECRETS_KEY: Type.Array(Type.String()) }),
})
export type Manifest = Static<typeof Manifest>

/** Undefined if invalid, or of a later format. */
function readManifest(bytes: Buffer): Manifest | undefined {
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

/** Names of configured keys that differ from those of the backup. */
export function otherKeys({ keys }: Manifest, config: Config): string[] {
  const here = keysOf(config)
  return [
    ...(here.AUTH_SECRET === keys.AUTH_SECRET ? [] : ['AUTH_SECRET']),
    ...(keys.SECRETS_KEY.every((key) => here.SECRETS_KEY.includes(key)) ? [] : ['SECRETS_KEY']),
  ]
}
