import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { cliTranslator } from '#messages/cli.ts'
import type { Draft, Member } from './file-draft.ts'
import { writeText } from './folder.ts'
import { type Problem, Stopped } from './terminal.ts'

const t = cliTranslator()

/** Maps files to drafts for each site, stored next to them in `.standfirst.json`. */

const recordName = '.standfirst.json'

export interface Entry {
  /** The draft's id, once the site has answered. */
  readonly id?: string
  /** The revision last sent or fetched. */
  readonly etag?: string
  /** Hash of what was last sent. */
  readonly hash?: string
  /** The members last sent: those removed from the file are reset to their default. */
  readonly said?: readonly Member[]
  /** A new draft being sent: an interrupted create is repeated unchanged, whatever became of the file. */
  readonly sending?: Draft
  /** A deleted draft that is being recreated. */
  readonly instead?: string
}

type Files = Record<string, Entry>
interface StateFile {
  readonly version: 1
  readonly sites: Record<string, Files>
}

/**
 * One `.standfirst.json`. Every change is written to disk before the next request, so that an interrupted run can
 * continue.
 */
export class FolderRecord {
  readonly folder: string
  readonly #state: StateFile
  readonly #files: Files

  constructor(folder: string, site: string) {
    this.folder = folder
    this.#state = readStateFile(join(folder, recordName))
    this.#state.sites[site] ??= {}
    this.#files = this.#state.sites[site]
  }

  /** Sites that know files of this folder, if this one knows none yet. */
  elsewhere(): string[] {
    if (Object.keys(this.#files).length > 0) return []
    return Object.keys(this.#state.sites).filter((site) => Object.keys(this.#state.sites[site]!).length > 0)
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

  /** A missing file that had this content. */
  formerly(hash: string): string | undefined {
    const name = Object.keys(this.#files).find(
      (one) => this.#files[one]!.hash === hash && !existsSync(this.#pathOf(one)),
    )
    return name === undefined ? undefined : this.#pathOf(name)
  }

  /** The existing file of a draft. */
  fileOf(id: string): string | undefined {
    return Object.keys(this.#files).find((one) => this.#files[one]!.id === id && existsSync(this.#pathOf(one)))
  }

  /** Whether every pushed or pulled file still exists. */
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
      writeText(file, `${JSON.stringify(this.#state, null, 1)}\n`)
    } catch (error) {
      throw new Stopped(t('cli.sync.state_unwritable', { file, reason: (error as Problem).message }))
    }
  }
}

function readStateFile(file: string): StateFile {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return { version: 1, sites: {} }
    throw new Stopped(t('cli.file_unreadable', { file, reason: (error as Error).message }))
  }
  const state = parsed(text)
  if (state?.version === 1 && typeof state.sites === 'object' && state.sites) return state
  throw new Stopped(t('cli.sync.state_damaged', { file }))
}

function parsed(text: string): StateFile | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Finds the state file of a file: the nearest in its parent folders, or else that of the root. */
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
