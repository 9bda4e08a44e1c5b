import { existsSync, mkdirSync, realpathSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { Draft as Stored } from '@standfirst/sdk'
import { cliTranslator } from '#messages/cli.ts'
import { slugFrom } from '#platform/text/slug.ts'
import type { ApiClient } from './api-client.ts'
import { draftIn, hashOf, otherFrontMatter, writtenPage } from './draft.ts'
import { draftOf } from './file-draft.ts'
import { findFiles, readFile, writeText } from './folder.ts'
import { readPage } from './front-matter.ts'
import { found, isAlready, sentState } from './push.ts'
import { type Entry, type FolderRecord, Records } from './sync-state.ts'
import { nameOf, Problem, Stopped, type Terminal } from './terminal.ts'

const t = cliTranslator()

/** `standfirst pull`: a writer's drafts as files, which `push` sends back unchanged. */

export interface Pulling {
  /** Overwrite local changes. */
  readonly force?: boolean
}

type Done = 'fetched' | 'unchanged' | 'kept'

export interface Pulled {
  readonly done: Readonly<Record<Done, number>>
  /** Of those fetched into a folder with drafts, how many had no file there. */
  readonly added: number
  readonly failed: readonly { readonly path: string; readonly words: string }[]
  /** Pieces that a key cannot read, since they are not drafts. */
  readonly others: number
  readonly stopped?: string
}

interface LocalFile {
  readonly path: string
  readonly record: FolderRecord
  readonly entry: Entry
}

export async function pull(client: ApiClient, folder: string, options: Pulling, terminal: Terminal): Promise<Pulled> {
  mkdirSync(folder, { recursive: true })
  const root = realpathSync(folder)
  const records = new Records(client.base, root)
  const localFiles = localFilesIn(root, records)
  const done: Record<Done, number> = { fetched: 0, unchanged: 0, kept: 0 }
  const failed: { path: string; words: string }[] = []
  let [others, added] = [0, 0]
  try {
    const mine = await client.ask((drafts) => Array.fromAsync(drafts.list({ limit: 50 })))
    const drafts = mine.filter(({ status }) => status === 'draft')
    others = mine.length - drafts.length
    for (const [at, { id, headline }] of drafts.entries()) {
      terminal.step(at + 1, drafts.length, headline)
      const there = await found(client, id)
      // Deleted or published a moment ago.
      if (there === undefined || there.body_md === null) continue
      const file = localFiles.get(id) ?? newLocalFile(root, there, records)
      try {
        const outcome = writeDraft(file, there, options)
        done[outcome] += 1
        if (localFiles.size > 0 && !localFiles.has(id)) added += 1
        if (outcome === 'fetched') terminal.event(t('cli.pull.fetched', { file: nameOf(relative(root, file.path)) }))
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        failed.push({ path: relative(root, file.path), words: error.message })
      }
    }
  } catch (error) {
    if (error instanceof Stopped) return { done, added, failed, others, stopped: error.message }
    throw error
  }
  return { done, added, failed, others }
}

/** The existing file of each draft, by id. */
function localFilesIn(root: string, records: Records): Map<string, LocalFile> {
  const { files } = findFiles(root)
  const seen = new Set(files.map((path) => records.of(path)))
  seen.add(records.of(join(root, 'any.md')))
  const incomplete = new Set([...seen].filter((record) => !record.isComplete()))
  for (const path of files) if (incomplete.has(records.of(path))) trackRename(path, records.of(path))
  const localFiles = [...seen].flatMap((record) => record.entries().map(([path, entry]) => ({ path, entry, record })))
  return new Map(
    localFiles.filter(({ path }) => path.startsWith(root + sep)).map((file) => [file.entry.id ?? '', file]),
  )
}

/** Finds renamed files, so that a draft is not fetched again under its old name. */
function trackRename(path: string, record: FolderRecord): void {
  if (record.get(path)) return
  try {
    const former = record.formerly(hashOf(draftOf(readFile(path)).draft))
    if (former !== undefined) record.rename(former, path)
  } catch (error) {
    // A file that cannot be parsed was never pushed.
    if (!(error instanceof Problem)) throw error
  }
}

/** Creation date and slug, as in the desk's export. Sanitised, so that no site can write elsewhere. */
function newLocalFile(root: string, { id, created_at, headline }: Stored, records: Records): LocalFile {
  const [day, mark] = [created_at.slice(0, 10).replace(/[^\d-]/g, ''), id.replace(/[^\da-f-]/g, '')]
  const name = `${day}-${slugFrom(headline, 60, 'draft')}`
  const free = [`${name}.md`, `${name}-${mark.slice(0, 8)}.md`, `${mark}.md`].map((one) => join(root, one))
  const path = free.find((one) => !existsSync(one))
  if (path === undefined) throw new Stopped(t('cli.pull.file_exists', { file: free[0]! }))
  return { path, record: records.of(path), entry: {} }
}

function writeDraft({ path, record, entry }: LocalFile, there: Stored, { force }: Pulling): Done {
  const draft = draftIn(there)
  const etag = there.revision
  if (!existsSync(path)) return write(writtenPage(draft))
  const page = readFile(path)
  const local = draftOf(page).draft
  const isEdited = hashOf(local) !== entry.hash
  const keep = (outcome: Done): Done => {
    record.set(path, { ...entry, etag, ...sentState(local) })
    return outcome
  }
  if (etag === entry.etag && !(isEdited && force)) return isEdited ? 'kept' : 'unchanged'
  if (isAlready(there, local)) return keep('unchanged')
  if (isEdited && !force) {
    throw new Problem(t('cli.pull.both_changed', { option: '--force' }))
  }
  return write(writtenPage(draft, otherFrontMatter(page)))

  function write(text: string): Done {
    writeText(path, text)
    record.set(path, { id: there.id, etag, ...sentState(draftOf(readPage(text)).draft) })
    return 'fetched'
  }
}
