import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { readTar, TarDamaged, type TarEntry } from '#platform/tar.ts'
import { CommandError } from '../command-error.ts'
import { type Manifest, readManifest } from './manifest.ts'

/**
 * A backup is one tar file: `database.dump`, `media/ab/cd/abcd…` in order, `manifest.json`, `manifest.sha256`. A picture
 * is checked by its name, the dump by the manifest, the manifest by its own entry, and all between them by `readTar`: no
 * byte can change unnoticed.
 */

export const dumpName = 'database.dump'
export const manifestName = 'manifest.json'
export const sumName = 'manifest.sha256'

/** As in the folder of a site, so that they can be unpacked to where they belong. */
export const mediumName = (hash: string): string => `media/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}`

/** Pictures are of 20 MiB at most, and a manifest of far less: what is larger is none. */
const largestHeld = 64 << 20

/** Reads all of it and demands that it is as it was written. */
export async function checkArchive(file: FileHandle): Promise<Manifest> {
  try {
    return await check(readTar(file))
  } catch (error) {
    if (!(error instanceof TarDamaged)) throw error
    throw damaged(error.message)
  }
}

const damaged = (what: string): CommandError =>
  new CommandError(`This is no whole backup of a site: ${what}. Nothing has been changed. Take another file.`)

async function check(entries: AsyncGenerator<TarEntry>): Promise<Manifest> {
  const dump = await next(entries, dumpName)
  const database = { bytes: dump.size, sha256: await sha256Of(dump.content) }
  const media = { count: 0, bytes: 0 }
  let last = ''
  let entry = await next(entries)
  for (; entry.name.startsWith('media/'); entry = await next(entries)) {
    const hash = await sha256Of(entry.content)
    if (entry.name !== mediumName(hash)) throw damaged(`${entry.name} is damaged`)
    if (hash <= last) throw damaged('its pictures are not in order')
    last = hash
    media.count += 1
    media.bytes += entry.size
  }
  if (entry.name !== manifestName) throw damaged(`${entry.name} does not belong there`)
  const written = await held(entry)
  const sum = await held(await next(entries, sumName))
  if (sum.toString() !== createHash('sha256').update(written).digest('hex')) throw damaged('its list is damaged')
  if (!(await entries.next()).done) throw damaged('there is something after its list')
  const manifest = readManifest(written)
  if (!manifest) throw damaged('its list is of another form; it may be of a later release')
  const agrees =
    manifest.database.bytes === database.bytes &&
    manifest.database.sha256 === database.sha256 &&
    manifest.media.count === media.count &&
    manifest.media.bytes === media.bytes
  if (!agrees) throw damaged('the database or a picture is not as its list says')
  return manifest
}

async function next(entries: AsyncGenerator<TarEntry>, name?: string): Promise<TarEntry> {
  const { value } = await entries.next()
  if (!value) throw damaged('something is missing at its end')
  if (name && value.name !== name) throw damaged(`${name} is not where it should be`)
  return value
}

/** The database of an archive that has been checked. */
export async function dumpIn(file: FileHandle): Promise<AsyncIterable<Buffer>> {
  return (await next(readTar(file), dumpName)).content
}

/** Its pictures, one after the other. */
export async function* mediaIn(file: FileHandle): AsyncGenerator<{ hash: string; bytes: Buffer }> {
  for await (const entry of readTar(file)) {
    if (entry.name.startsWith('media/'))
      yield { hash: entry.name.slice('media/ab/cd/'.length), bytes: await held(entry) }
  }
}

async function held({ name, size, content }: TarEntry): Promise<Buffer> {
  if (size > largestHeld) throw damaged(`${name} is too large to be one`)
  return Buffer.concat(await Array.fromAsync(content))
}

async function sha256Of(content: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash('sha256')
  for await (const bytes of content) hash.update(bytes)
  return hash.digest('hex')
}
