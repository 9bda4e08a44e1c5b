import { readDevto } from './devto.ts'
import { type ExportFiles, jsonIn } from './export-files.ts'
import { readGhost } from './ghost.ts'
import { readMarkdown } from './markdown.ts'
import { readMedium } from './medium.ts'
import { problem } from './message-error.ts'
import type { Imported, ImportOptions, Reader } from './post.ts'
import { readSubstack } from './substack.ts'
import { readWordpress } from './wordpress.ts'

/** Reads exports of other services, in Node and in browsers: nothing here uses a file, the network or the environment. */

const readers = {
  ghost: readGhost,
  medium: readMedium,
  substack: readSubstack,
  devto: readDevto,
  wordpress: readWordpress,
  markdown: readMarkdown,
} as const satisfies Record<string, Reader>

export type Service = keyof typeof readers
export const services = Object.keys(readers) as Service[]

export const readExport = (service: Service, files: ExportFiles, options: ImportOptions): Promise<Imported> =>
  readers[service](files, options)

/** The service an export comes from, by the names of its files. */
export async function serviceOf(files: ExportFiles): Promise<Service> {
  const has = (pattern: RegExp): boolean => files.names.some((name) => pattern.test(name))
  if (has(/(?:^|\/)posts\.csv$/)) return 'substack'
  if (has(/(?:^|\/)articles\.json$/)) return 'devto'
  if (has(/(?:^|\/)posts\/[^/]+\.html$/)) return 'medium'
  if (has(/\.(?:md|markdown)$/i)) return 'markdown'
  if (has(/\.xml$/i)) return 'wordpress'
  const json = files.names.find((name) => name.endsWith('.json'))
  if (json !== undefined) return Array.isArray(await jsonIn(files, json)) ? 'devto' : 'ghost'
  if (has(/\.html$/)) return 'medium'
  throw problem('import.unknown_export')
}
