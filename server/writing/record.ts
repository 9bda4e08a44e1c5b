import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import type { Draft, Member } from './draft.ts'
import { Stopped } from './problem.ts'

/** Which file became which draft, kept beside the files in `.standfirst.json`, for each house. */

const recordName = '.standfirst.json'

export interface Entry {
  /** The draft, once the house has answered. */
  readonly id?: string
  /** The revision that was sent or fetched last; a create is answered without one. */
  readonly etag?: string
  /** Until then, a hash of the draft as it was made, by which one knows that nobody touched it. */
  readonly first?: string
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
  readonly houses: Record<string, Files>
}

/** One `.standfirst.json`. Every change is on disk before the next request: whatever is interrupted can go on. */
export class FolderRecord {
  readonly folder: string
  readonly #kept: Kept
  readonly #files: Files

  constructor(folder: string, house: string) {
    this.folder = folder
    this.#kept = keptIn(join(folder, recordName))
    this.#kept.houses[house] ??= {}
    this.#files = this.#kept.houses[house]
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

  set(path: string, entry: Entry | undefined): void {
    const name = this.#nameOf(path)
    if (entry)
      Object.defineProperty(this.#files, name, { value: entry, enumerable: true, writable: true, configurable: true })
    else delete this.#files[name]
    const file = join(this.folder, recordName)
    try {
      // Whole or not at all: a rename is one act to the file system.
      writeFileSync(`${file}.new`, `${JSON.stringify(this.#kept, null, 1)}\n`)
      renameSync(`${file}.new`, file)
    } catch (error) {
      throw new Stopped(
        `${file} cannot be written (${(error as { code?: string }).code}), and nothing is sent without it.`,
      )
    }
  }
}

function keptIn(file: string): Kept {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return { version: 1, houses: {} }
    throw new Stopped(`${file} cannot be read (${(error as Error).message}).`)
  }
  const kept = parsed(text)
  if (kept?.version === 1 && typeof kept.houses === 'object' && kept.houses) return kept
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
  readonly #house: string
  readonly #root: string
  readonly #opened = new Map<string, FolderRecord>()

  constructor(house: string, root: string) {
    this.#house = house
    this.#root = root
  }

  of(path: string): FolderRecord {
    const folder = nearest(dirname(path)) ?? this.#root
    const record = this.#opened.get(folder) ?? new FolderRecord(folder, this.#house)
    this.#opened.set(folder, record)
    return record
  }
}

function nearest(folder: string): string | undefined {
  if (existsSync(join(folder, recordName))) return folder
  const above = dirname(folder)
  return above === folder ? undefined : nearest(above)
}
