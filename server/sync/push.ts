import { createHash } from 'node:crypto'
import { relative } from 'node:path'
import type { Revised, Draft as Stored } from '@standfirst/sdk'
import { normalizeManuscript } from '#features/pieces/normalize-input.ts'
import { cliTranslator } from '#messages/cli.ts'
import type { ApiClient } from './api-client.ts'
import { assertValid, draftIn, hashOf, memberDefaults } from './draft.ts'
import { type Draft, draftOf, type Member, type ReadDraft } from './file-draft.ts'
import { findFiles, readFile } from './folder.ts'
import { type Entry, type FolderRecord, Records } from './sync-state.ts'
import { Lost, lineOf, nameOf, Problem, Refused, Stopped, type Terminal } from './terminal.ts'

const t = cliTranslator()

/** `standfirst push`: creates or updates one draft for each Markdown file; idempotent. */

export interface Pushing {
  /** Only print what would be done, without requests. */
  readonly dryRun?: boolean
  /** Overwrite changes made elsewhere; recreate deleted drafts. */
  readonly force?: boolean
}

type Done = 'made' | 'changed' | 'unchanged'

export interface Pushed {
  readonly files: number
  readonly done: Readonly<Record<Done, number>>
  readonly failed: readonly { readonly path: string; readonly words: string }[]
  /** Front matter names that are not part of a draft, and in how many files. */
  readonly ignored: ReadonlyMap<string, number>
  readonly leftOut: readonly { readonly path: string; readonly why: string }[]
  /** Why the run ended early. */
  readonly stopped?: string
}

/** One file, its content and its sync state. */
interface Work {
  readonly path: string
  readonly read: ReadDraft
  readonly record: FolderRecord
  readonly entry: Entry | undefined
  /** Its path when it was last pushed, if different. */
  readonly former?: string | undefined
}

export async function push(client: ApiClient, given: string, options: Pushing, terminal: Terminal): Promise<Pushed> {
  const { root, files, leftOut } = findFiles(given)
  const records = new Records(client.base, root)
  const done: Record<Done, number> = { made: 0, changed: 0, unchanged: 0 }
  const failed: { path: string; words: string }[] = []
  const ignored = new Map<string, number>()
  const summary = { files: files.length, done, failed, ignored, leftOut }
  for (const [at, path] of files.entries()) {
    const name = relative(root, path)
    terminal.step(at + 1, files.length, name)
    try {
      if (at === 0) sayElsewhere(terminal, records.of(path).elsewhere(), client)
      const work = workOf(path, records)
      for (const word of work.read.ignored) ignored.set(word, (ignored.get(word) ?? 0) + 1)
      const outcome = options.dryRun ? planned(work) : await carryOut(client, work, options)
      done[outcome] += 1
      if (outcome !== 'unchanged') {
        if (options.dryRun) terminal.say(t(`cli.push.would_be_${outcome}`, { file: nameOf(name) }))
        else terminal.event(t(`cli.push.was_${outcome}`, { file: nameOf(name) }))
      }
    } catch (error) {
      if (error instanceof Stopped) return { ...summary, stopped: error.message }
      if (!(error instanceof Problem)) throw error
      failed.push({ path: name, words: error.message })
    }
  }
  return summary
}

/** A site that moved, perhaps from http to https, is another site in the sync state. */
function sayElsewhere(terminal: Terminal, others: readonly string[], { base }: ApiClient): void {
  if (others.length === 0) return
  terminal.say(t('cli.push.elsewhere', { sites: t.list(others.map(lineOf)), site: base }))
}

function workOf(path: string, records: Records): Work {
  const read = draftOf(readFile(path))
  const [record, hash] = [records.of(path), hashOf(read.draft)]
  const known = record.get(path)
  // A missing file with the same content was renamed.
  const former = known ? undefined : record.formerly(hash)
  const entry = former === undefined ? known : record.get(former)
  if (entry?.hash !== hash) assertValid(read)
  return { path, read, record, entry, former }
}

const planned = ({ entry, read }: Work): Done =>
  entry?.id === undefined ? 'made' : entry.hash === hashOf(read.draft) ? 'unchanged' : 'changed'

async function carryOut(client: ApiClient, work: Work, options: Pushing): Promise<Done> {
  const { entry, read, record, path, former } = work
  if (former !== undefined) record.rename(former, path)
  if (entry?.id !== undefined) return updateDraft(client, work, entry, options)
  if (entry?.sending) {
    const begun = await create(client, work, entry.sending, entry.instead)
    return begun.hash === hashOf(read.draft) ? 'made' : updateDraft(client, { ...work, entry: begun }, begun, options)
  }
  if (read.id !== undefined) {
    const adopted = await adopt(client, work, read.id, options)
    if (adopted) return adopted
  }
  await create(client, work, read.draft, undefined)
  return 'made'
}

/** The same for the same file, first text and site, even if the sync state is lost. */
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
      // Rejected, so it must not be repeated unchanged.
      if (error instanceof Refused) record.set(path, undefined)
      throw error
    })
  const { id, revision: etag } = made
  // A replayed response may name a draft that was deleted since.
  if (made.replayed && instead !== id && !(await found(client, id))) return create(client, work, draft, id)
  const entry = { id, etag, ...sentState(draft) }
  record.set(path, entry)
  return entry
}

/** Undefined if it does not exist. */
export const found = (client: ApiClient, id: string): Promise<Stored | undefined> =>
  client
    .ask((drafts) => drafts.get(id))
    .catch((error) => {
      if (error instanceof Refused && error.status === 404) return undefined
      throw error
    })

export const sentState = (draft: Draft) => ({ hash: hashOf(draft), said: Object.keys(draft) as Member[] })

/** Updates a draft from its file, unless it was changed elsewhere. */
async function updateDraft(client: ApiClient, work: Work, entry: Entry, { force = false }: Pushing): Promise<Done> {
  const { path, read, record } = work
  if (entry.hash === hashOf(read.draft)) return 'unchanged'
  const draft = { id: entry.id!, revision: entry.etag ?? noTag }
  const changed = await change(client, draft, changesTo(read.draft, entry.said ?? []), force)
  if (changed === undefined) {
    if (!force) throw new Problem(t('cli.push.draft_gone', { option: '--force' }))
    await create(client, work, read.draft, entry.id)
    return 'made'
  }
  record.set(path, { id: draft.id, etag: changed.revision, ...sentState(read.draft) })
  return 'changed'
}

/** An ETag that no revision has: never matches. */
const noTag = '"0"'

/** The updated draft; undefined if it is gone. */
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
  // Perhaps the first response was lost: the draft already has this content.
  if (there === undefined || isAlready(there, changes)) return there
  if (there.revision !== draft.revision && !force) throw new Problem(t('cli.push.both_changed', { option: '--force' }))
  return send(there)
}

/** The file's members, and defaults for those it no longer has. */
const changesTo = (draft: Draft, said: readonly Member[]): Partial<Draft> => ({
  ...Object.fromEntries(said.filter((name) => draft[name] === undefined).map((name) => [name, memberDefaults[name]])),
  ...draft,
})

/** Compared in stored form, with normalised lines. */
export function isAlready(there: Stored, changes: Partial<Draft>): boolean {
  if (there.body_md === null) return false
  const piece = draftIn(there)
  return JSON.stringify(normalizeManuscript({ ...piece, ...changes })) === JSON.stringify(normalizeManuscript(piece))
}

/** For a file with a piece id, as in the desk's export. Undefined if this site does not know it. */
async function adopt(
  client: ApiClient,
  { path, read, record }: Work,
  id: string,
  options: Pushing,
): Promise<Done | undefined> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) return undefined
  const there = await found(client, id)
  if (there === undefined) return undefined
  if (there.status !== 'draft') throw new Problem(t('cli.push.not_a_draft', { status: there.status }))
  const other = record.fileOf(there.id)
  if (other !== undefined) throw new Problem(t('cli.push.duplicate_id', { file: nameOf(other), member: 'id:' }))
  const entry: Entry = { id: there.id, etag: there.revision }
  const isSame = isAlready(there, read.draft)
  if (!isSame && !options.force) throw new Problem(t('cli.push.draft_differs', { option: '--force' }))
  record.set(path, isSame ? { ...entry, ...sentState(read.draft) } : entry)
  return isSame ? 'unchanged' : updateDraft(client, { path, read, record, entry }, entry, options)
}
