import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import type { Draft, Member } from './draft.ts'
import { writeText } from './folder.ts'
import { type Problem, Stopped } from './user-error.ts'

/** Which file became which draft, kept beside the files in `.standfirst.json`, for each site. */

const recordName = '.standfirst.json'

export interface Entry {
  /** The draft, once the site has answered. */
  readonly id?: string
  /** The revision that was sent or fetched last. */
  readonly etag?: string
  /** Of what was sent last. */
  readonly hash?: string
  /** The members that were sent last: what the file stops saying goes back to what it was without it. */
  readonly said?: readonly Member[]
  /** What is being sent as a new draft: an interrupted create is repeated as it was, whatever became of the file. */
  readonly sending?: Draft
  /** A draft that was deleted, in whose place another is made. */
  readonly instead?: string
}

type Files = Record<string, Entry>
interface Kept {
  readonly version: 1
  readonly sites: Record<string, Files>
}

/** One `.standfirst.json`. Every change is on disk before the next request: whatever is interrupted can go on. */
export class FolderRecord {
  readonly folder: string
  readonly #kept: Kept
  readonly #files: Files

  constructor(folder: string, site: string) {
    this.folder = folder
    this.#kept = keptIn(join(folder, recordName))
    this.#kept.sites[site] ??= {}
    this.#files = this.#kept.sites[site]
  }

  /** Sites that know files of this folder, where this one knows none yet. */
  elsewhere(): string[] {
    if (Object.keys(this.#files).length > 0) return []
    return Object.keys(this.#kept.sites).filter((site) => Object.keys(this.#kept.sites[site]!).length > 0)
  }

  #nameOf(path: string): string {
    return relative(this.folder, path).split(sep).join('/')
  }

  #pathOf(name: string): string {
    return join(this.folder, ...name.split('/'))
  }

  get(path: string): Entry | undefined {
    const name = this.#nameOf(path)
    return Object.hasOwn(this.#files, name) ? this.#files[name] : undefined
  }

  entries(): [path: string, Entry][] {
    return Object.entries(this.#files).map(([name, entry]) => [this.#pathOf(name), entry])
  }

  /** A file that is gone now and had said this. */
  formerly(hash: string): string | undefined {
    const name = Object.keys(this.#files).find(
      (one) => this.#files[one]!.hash === hash && !existsSync(this.#pathOf(one)),
    )
    return name === undefined ? undefined : this.#pathOf(name)
  }

  /** The file that is there and is this draft. */
  fileOf(id: string): string | undefined {
    return Object.keys(this.#files).find((one) => this.#files[one]!.id === id && existsSync(this.#pathOf(one)))
  }

  /** Whether every file that was pushed or pulled is where it was. */
  isComplete(): boolean {
    return this.entries().every(([path]) => existsSync(path))
  }

  rename(former: string, path: string): void {
    this.set(path, this.get(former))
    this.set(former, undefined)
  }

  set(path: string, entry: Entry | undefined): void {
    const name = this.#nameOf(path)
    if (entry)
      Object.defineProperty(this.#files, name, { value: entry, enumerable: true, writable: true, configurable: true })
    else delete this.#files[name]
    const file = join(this.folder, recordName)
    try {
      writeText(file, `${JSON.stringify(this.#kept, null, 1)}\n`)
    } catch (error) {
      throw new Stopped(`${file} ${(error as Problem).message} Nothing is sent without it.`)
    }
  }
}

function keptIn(file: string): Kept {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return { version: 1, sites: {} }
    throw new Stopped(`${file} cannot be read (${(error as Error).message}).`)
  }
  const kept = parsed(text)
  if (kept?.version === 1 && typeof kept.sites === 'object' && kept.sites) return kept
  throw new Stopped(
    `${file} is not what standfirst wrote there. Put back an older one; without it, every file would become a new draft.`,
  )
}

function parsed(text: string): Kept | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The record of a file is the nearest above it; where there is none yet, that of the folder that was given. */
export class Records {
  readonly #site: string
  readonly #root: string
  readonly #opened = new Map<string, FolderRecord>()

  constructor(site: string, root: string) {
    this.#site = site
    this.#root = root
  }

  of(path: string): FolderRecord {
    const folder = nearest(dirname(path)) ?? this.#root
    const record = this.#opened.get(folder) ?? new FolderRecord(folder, this.#site)
    this.#opened.set(folder, record)
    return record
  }
}

function nearest(folder: string): string | undefined {
  if (existsSync(join(folder, recordName))) return folder
  const above = dirname(folder)
  return above === folder ? undefined : nearest(above)
}
