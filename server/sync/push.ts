import { createHash } from 'node:crypto'
import { relative } from 'node:path'
import type { Revised, Draft as Stored } from '@standfirst/sdk'
import { manuscriptOf } from '#features/pieces/normalize-input.ts'
import type { ApiClient } from './api-client.ts'
import { type Draft, demandValid, draftIn, draftOf, hashOf, type Member, type ReadDraft, unsaid } from './draft.ts'
import { findFiles, readText } from './folder.ts'
import { readPage } from './front-matter.ts'
import { type Entry, type FolderRecord, Records } from './sync-state.ts'
import { lineOf, nameOf, type Screen } from './terminal.ts'
import { Lost, Problem, Refused, Stopped } from './user-error.ts'

/** `standfirst push`: a folder of Markdown becomes drafts, one for each file, however often it is run. */

export interface Pushing {
  /** Say what would be done, and ask the site for nothing. */
  readonly dryRun?: boolean
  /** The file wins over what was changed elsewhere; a draft that was deleted there is made anew. */
  readonly force?: boolean
}

type Done = 'made' | 'changed' | 'unchanged'

export interface Pushed {
  readonly files: number
  readonly done: Readonly<Record<Done, number>>
  readonly failed: readonly { readonly path: string; readonly words: string }[]
  /** Names in front matter that are no part of a draft, and in how many files. */
  readonly ignored: ReadonlyMap<string, number>
  readonly leftOut: readonly { readonly path: string; readonly why: string }[]
  /** Why it ended before its end. */
  readonly stopped?: string
}

/** One file, what it says and what is known of it. */
interface Work {
  readonly path: string
  readonly read: ReadDraft
  readonly record: FolderRecord
  readonly entry: Entry | undefined
  /** Its name when it was pushed last, if that was another. */
  readonly former?: string | undefined
}

export async function push(client: ApiClient, given: string, options: Pushing, screen: Screen): Promise<Pushed> {
  const { root, files, leftOut } = findFiles(given)
  const records = new Records(client.base, root)
  const done: Record<Done, number> = { made: 0, changed: 0, unchanged: 0 }
  const failed: { path: string; words: string }[] = []
  const ignored = new Map<string, number>()
  const summary = { files: files.length, done, failed, ignored, leftOut }
  for (const [at, path] of files.entries()) {
    const name = relative(root, path)
    screen.step(at + 1, files.length, name)
    try {
      if (at === 0) sayElsewhere(screen, records.of(path).elsewhere(), client)
      const work = workOf(path, records)
      for (const word of work.read.ignored) ignored.set(word, (ignored.get(word) ?? 0) + 1)
      const outcome = options.dryRun ? planned(work) : await carryOut(client, work, options)
      done[outcome] += 1
      if (outcome !== 'unchanged') {
        if (options.dryRun) screen.say(`${would[outcome]}  ${nameOf(name)}`)
        else screen.event(`${outcome}  ${nameOf(name)}`)
      }
    } catch (error) {
      if (error instanceof Stopped) return { ...summary, stopped: error.message }
      if (!(error instanceof Problem)) throw error
      failed.push({ path: name, words: error.message })
    }
  }
  return summary
}

const would = { made: 'would make', changed: 'would change' } as const

/** A site that moved, from http to https perhaps, is another site to the record. */
function sayElsewhere(screen: Screen, others: readonly string[], { base }: ApiClient): void {
  if (others.length === 0) return
  screen.say(`These files are drafts at ${others.map(lineOf).join(', ')}. At ${base} each becomes a new one.`)
}

function workOf(path: string, records: Records): Work {
  const read = draftOf(readPage(readText(path)))
  const [record, hash] = [records.of(path), hashOf(read.draft)]
  const known = record.get(path)
  // What is gone and said the same has a new name now.
  const former = known ? undefined : record.formerly(hash)
  const entry = former === undefined ? known : record.get(former)
  if (entry?.hash !== hash) demandValid(read)
  return { path, read, record, entry, former }
}

const planned = ({ entry, read }: Work): Done =>
  entry?.id === undefined ? 'made' : entry.hash === hashOf(read.draft) ? 'unchanged' : 'changed'

async function carryOut(client: ApiClient, work: Work, options: Pushing): Promise<Done> {
  const { entry, read, record, path, former } = work
  if (former !== undefined) record.rename(former, path)
  if (entry?.id !== undefined) return bring(client, work, entry, options)
  if (entry?.sending) {
    const begun = await create(client, work, entry.sending, entry.instead)
    return begun.hash === hashOf(read.draft) ? 'made' : bring(client, { ...work, entry: begun }, begun, options)
  }
  if (read.id !== undefined) {
    const adopted = await adopt(client, work, read.id, options)
    if (adopted) return adopted
  }
  await create(client, work, read.draft, undefined)
  return 'made'
}

/** The same file, with the same first text, at the same site: the same key, even where the record is lost. */
const idempotencyKey = (client: ApiClient, path: string, draft: Draft, instead: string | undefined): string =>
  createHash('sha256')
    .update(JSON.stringify([client.base, path, draft, instead ?? null]))
    .digest('base64url')

async function create(client: ApiClient, work: Work, draft: Draft, instead: string | undefined): Promise<Entry> {
  const { path, record } = work
  record.set(path, { sending: draft, ...(instead === undefined ? {} : { instead }) })
  const key = idempotencyKey(client, path, draft, instead)
  const made = await client
    .ask((drafts) => drafts.create(draft, { idempotencyKey: key }))
    .catch((error) => {
      // Refused, and so never to be repeated as it was.
      if (error instanceof Refused) record.set(path, undefined)
      throw error
    })
  const { id, revision: etag } = made
  // The answer to a repetition may name a draft that was deleted since.
  if (made.replayed && instead !== id && !(await found(client, id))) return create(client, work, draft, id)
  const entry = { id, etag, ...sentAs(draft) }
  record.set(path, entry)
  return entry
}

/** Undefined where there is none. */
export const found = (client: ApiClient, id: string): Promise<Stored | undefined> =>
  client
    .ask((drafts) => drafts.get(id))
    .catch((error) => {
      if (error instanceof Refused && error.status === 404) return undefined
      throw error
    })

export const sentAs = (draft: Draft) => ({ hash: hashOf(draft), said: Object.keys(draft) as Member[] })

/** Brings a draft up to its file, unless somebody else changed it. */
async function bring(client: ApiClient, work: Work, entry: Entry, { force = false }: Pushing): Promise<Done> {
  const { path, read, record } = work
  if (entry.hash === hashOf(read.draft)) return 'unchanged'
  const draft = { id: entry.id!, revision: entry.etag ?? noTag }
  const changed = await change(client, draft, changesTo(read.draft, entry.said ?? []), force)
  if (changed === undefined) {
    if (!force)
      throw new Problem(
        'its draft is gone: somebody deleted it, or it is of another writer than this key. Push with --force to make it anew.',
      )
    await create(client, work, read.draft, entry.id)
    return 'made'
  }
  record.set(path, { id: draft.id, etag: changed.revision, ...sentAs(read.draft) })
  return 'changed'
}

/** A tag that no revision has: whatever is there, it is not what was sent. */
const noTag = '"0"'

/** The draft as it is then; undefined where it is gone. */
async function change(
  client: ApiClient,
  draft: Revised,
  changes: Partial<Draft>,
  force: boolean,
): Promise<Stored | undefined> {
  const send = (to: Revised) => client.ask((drafts) => drafts.update(to, changes))
  try {
    return await send(draft)
  } catch (error) {
    const status = error instanceof Refused && error.status
    if (status === 404) return undefined
    if (status !== 412 && !(error instanceof Lost)) throw error
  }
  const there = await found(client, draft.id)
  // An answer that was lost, perhaps: what is there is what would be sent.
  if (there === undefined || isAlready(there, changes)) return there
  if (there.revision !== draft.revision && !force) throw new Problem(changedThere)
  return send(there)
}

const compare = 'Pull into another folder to compare them; push with --force to overwrite the draft.'
const changedThere = `file and draft were both changed, the draft elsewhere since it was pushed. ${compare}`

/** What the file says, and what it no longer says as if it never had. */
const changesTo = (draft: Draft, said: readonly Member[]): Partial<Draft> => ({
  ...Object.fromEntries(said.filter((name) => draft[name] === undefined).map((name) => [name, unsaid[name]])),
  ...draft,
})

/** Compared as they are stored, where lines are made clean. */
export function isAlready(there: Stored, changes: Partial<Draft>): boolean {
  if (there.body_md === null) return false
  const piece = draftIn(there)
  return JSON.stringify(manuscriptOf({ ...piece, ...changes })) === JSON.stringify(manuscriptOf(piece))
}

/** A file that says which piece it is, as the desk's export does. Nothing where this site does not know it. */
async function adopt(
  client: ApiClient,
  { path, read, record }: Work,
  id: string,
  options: Pushing,
): Promise<Done | undefined> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) return undefined
  const there = await found(client, id)
  if (there === undefined) return undefined
  if (there.status !== 'draft')
    throw new Problem(`it is a piece of yours that is no draft (${there.status}). Change it at the desk.`)
  const other = record.fileOf(there.id)
  if (other !== undefined)
    throw new Problem(
      `it has the id of ${nameOf(other)}. Take the line "id:" out of it, and it becomes a draft of its own.`,
    )
  const entry: Entry = { id: there.id, etag: there.revision }
  const isSame = isAlready(there, read.draft)
  if (!isSame && !options.force) throw new Problem(`the draft it names says something else. ${compare}`)
  record.set(path, isSame ? { ...entry, ...sentAs(read.draft) } : entry)
  return isSame ? 'unchanged' : bring(client, { path, read, record, entry }, entry, options)
}
