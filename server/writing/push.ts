import { createHash } from 'node:crypto'
import { relative } from 'node:path'
import { manuscriptOf } from '#features/pieces/manuscript.ts'
import { type Draft, demandValid, draftOf, hashOf, type Member, type ReadDraft, unsaid } from './draft.ts'
import { findFiles, readText } from './folder.ts'
import { readPage } from './front-matter.ts'
import type { Answer, House } from './house.ts'
import { Problem, Stopped } from './problem.ts'
import { type Entry, type FolderRecord, Records } from './record.ts'
import { nameOf, type Screen } from './screen.ts'

/** `standfirst push`: a folder of Markdown becomes drafts, one for each file, however often it is run. */

export interface Pushing {
  /** Say what would be done, and ask the house for nothing. */
  readonly dryRun?: boolean
  /** The file wins over what was changed at the desk; a draft that was deleted there is made anew. */
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

export const pieces = '/api/v1/pieces'

export async function push(house: House, given: string, options: Pushing, screen: Screen): Promise<Pushed> {
  const { root, files, leftOut } = findFiles(given)
  const records = new Records(house.base, root)
  const done: Record<Done, number> = { made: 0, changed: 0, unchanged: 0 }
  const failed: { path: string; words: string }[] = []
  const ignored = new Map<string, number>()
  const summary = { files: files.length, done, failed, ignored, leftOut }
  for (const [at, path] of files.entries()) {
    const name = relative(root, path)
    screen.step(at + 1, files.length, name)
    try {
      const work = workOf(path, records)
      for (const word of work.read.ignored) ignored.set(word, (ignored.get(word) ?? 0) + 1)
      const outcome = options.dryRun ? planned(work) : await carryOut(house, work, options)
      done[outcome] += 1
      if (outcome !== 'unchanged') screen.event(`${outcome}  ${nameOf(name)}`)
    } catch (error) {
      if (error instanceof Stopped) return { ...summary, stopped: error.message }
      if (!(error instanceof Problem)) throw error
      failed.push({ path: name, words: error.message })
    }
  }
  return summary
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

async function carryOut(house: House, work: Work, options: Pushing): Promise<Done> {
  const { entry, read, record, path, former } = work
  if (former !== undefined) {
    record.set(path, entry)
    record.set(former, undefined)
  }
  if (entry?.id !== undefined) return bring(house, work, entry, options)
  if (entry?.sending) {
    const begun = await create(house, work, entry.sending, entry.instead)
    return begun.hash === hashOf(read.draft) ? 'made' : bring(house, { ...work, entry: begun }, begun, options)
  }
  if (read.id !== undefined) {
    const adopted = await adopt(house, work, read.id, options)
    if (adopted) return adopted
  }
  await create(house, work, read.draft, undefined)
  return 'made'
}

/** The same file, with the same first text, at the same house: the same key, even where the record is lost. */
const idempotencyKey = (house: House, path: string, draft: Draft, instead: string | undefined): string =>
  createHash('sha256')
    .update(JSON.stringify([house.base, path, draft, instead ?? null]))
    .digest('base64url')

async function create(house: House, work: Work, draft: Draft, instead: string | undefined): Promise<Entry> {
  const { path, record } = work
  record.set(path, { sending: draft, ...(instead === undefined ? {} : { instead }) })
  const key = idempotencyKey(house, path, draft, instead)
  const answer = await house.ask('POST', pieces, { json: draft, idempotencyKey: key })
  // Refused, and so never to be repeated as it was.
  if (answer.status !== 201) record.set(path, undefined)
  demand(answer, 201)
  const id = String(answer.body['id'])
  if (answer.isReplay && instead !== id && (await isGone(house, id))) return create(house, work, draft, id)
  const entry = { id, first: storedHash(draft), ...sentAs(draft) }
  record.set(path, entry)
  return entry
}

/** The answer to a repetition may name a draft that was deleted since. */
const isGone = async (house: House, id: string): Promise<boolean> =>
  (await house.ask('GET', `${pieces}/${id}`)).status === 404

export const sentAs = (draft: Draft) => ({ hash: hashOf(draft), said: Object.keys(draft) as Member[] })

/** Brings a draft up to its file, unless somebody else changed it. */
async function bring(house: House, work: Work, entry: Entry, { force }: Pushing): Promise<Done> {
  const { path, read, record } = work
  if (entry.hash === hashOf(read.draft)) return 'unchanged'
  const changes = changesTo(read.draft, entry.said ?? [])
  const address = `${pieces}/${entry.id}`
  const send = (etag: string) => house.ask('PATCH', address, { json: changes, ifMatch: etag })

  let answer = await send(entry.etag ?? (await firstTag(house, entry)))
  if (answer.status === 412) {
    const there = await house.ask('GET', address)
    // An answer that was lost, perhaps: what is there is what would be sent.
    if (there.status === 200 && isAlready(there, changes)) answer = there
    else if (force && there.status === 200 && there.etag) answer = await send(there.etag)
    else if (there.status === 200) throw new Problem(changedThere)
  }
  if (answer.status === 404) {
    if (!force) throw new Problem('its draft is gone: somebody deleted it. Push with --force to make it anew.')
    await create(house, work, read.draft, entry.id)
    return 'made'
  }
  demand(answer, 200)
  record.set(path, { id: entry.id!, etag: answer.etag ?? noTag, ...sentAs(read.draft) })
  return 'changed'
}

/** A tag that no revision has: whatever is there, it is not what was sent. */
const noTag = '"0"'

async function firstTag(house: House, entry: Entry): Promise<string> {
  const there = await house.ask('GET', `${pieces}/${entry.id}`)
  return isUntouched(entry, there) ? (there.etag ?? noTag) : noTag
}

/** Whether a draft is at the revision that was sent or fetched last. */
export function isUntouched({ etag, first }: Entry, there: Answer): boolean {
  if (etag !== undefined) return etag === there.etag
  return there.status === 200 && first === storedHash(there.body['piece'] as Draft)
}

/** As it is stored, where lines are made clean and nothing is left unsaid. */
const storedHash = (draft: Draft): string => hashOf(manuscriptOf({ ...draft, body_md: draft.body_md ?? '' }))

const changedThere =
  'the draft was changed at the desk since it was pushed. standfirst pull fetches it; push with --force to overwrite it.'

/** What the file says, and what it no longer says as if it never had. */
const changesTo = (draft: Draft, said: readonly Member[]): Partial<Draft> => ({
  ...Object.fromEntries(said.filter((name) => draft[name] === undefined).map((name) => [name, unsaid[name]])),
  ...draft,
})

/** Compared as they are stored, where lines are made clean. */
export function isAlready({ body }: Answer, changes: Partial<Draft>): boolean {
  const piece = body['piece'] as Draft
  if (typeof piece.body_md !== 'string') return false
  return JSON.stringify(manuscriptOf({ ...piece, ...changes })) === JSON.stringify(manuscriptOf(piece))
}

/** A file that says which piece it is, as the desk's export does. Nothing where this house does not know it. */
async function adopt(
  house: House,
  { path, read, record }: Work,
  id: string,
  options: Pushing,
): Promise<Done | undefined> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) return undefined
  const there = await house.ask('GET', `${pieces}/${id}`)
  if (there.status === 404) return undefined
  const { status } = demand(there, 200).body['piece'] as { status: string }
  if (status !== 'draft')
    throw new Problem(`it is a piece of yours that is no draft (${status}). Change it at the desk.`)
  const entry: Entry = { id, etag: there.etag ?? noTag }
  const isSame = isAlready(there, read.draft)
  if (!isSame && !options.force) throw new Problem(changedThere)
  record.set(path, isSame ? { ...entry, ...sentAs(read.draft) } : entry)
  return isSame ? 'unchanged' : bring(house, { path, read, record, entry }, entry, options)
}

/** What the house says of a file it does not take, in its own words. */
export function demand(answer: Answer, status: number): Answer {
  if (answer.status === status) return answer
  const { detail, reason } = answer.body as { detail?: string; reason?: string }
  throw new Problem(detail ?? `the house answered ${answer.status} (${reason}).`)
}
