import { existsSync, mkdirSync, realpathSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { Draft as Stored } from '@standfirst/sdk'
import { slugFrom } from '#platform/text/slug.ts'
import type { ApiClient } from './api-client.ts'
import { besides, draftIn, draftOf, hashOf } from './draft.ts'
import { findFiles, readText, writeText } from './folder.ts'
import { readPage } from './front-matter.ts'
import { writtenPage } from './front-matter-writer.ts'
import { found, isAlready, sentAs } from './push.ts'
import { type Entry, type FolderRecord, Records } from './sync-state.ts'
import { nameOf, type Screen } from './terminal.ts'
import { Problem, Stopped } from './user-error.ts'

/** `standfirst pull`: the drafts of a writer as files, which `push` sends back as they are. */

export interface Pulling {
  /** The site wins over what was changed in the file. */
  readonly force?: boolean
}

type Done = 'fetched' | 'unchanged' | 'kept'

export interface Pulled {
  readonly done: Readonly<Record<Done, number>>
  /** Of those fetched into a folder that had drafts already, how many had no file there. */
  readonly brought: number
  readonly failed: readonly { readonly path: string; readonly words: string }[]
  /** Pieces that a key does not read: they are no drafts. */
  readonly others: number
  readonly stopped?: string
}

interface Place {
  readonly path: string
  readonly record: FolderRecord
  readonly entry: Entry
}

export async function pull(client: ApiClient, folder: string, options: Pulling, screen: Screen): Promise<Pulled> {
  mkdirSync(folder, { recursive: true })
  const root = realpathSync(folder)
  const records = new Records(client.base, root)
  const places = placesIn(root, records)
  const done: Record<Done, number> = { fetched: 0, unchanged: 0, kept: 0 }
  const failed: { path: string; words: string }[] = []
  let [others, brought] = [0, 0]
  try {
    const mine = await client.ask((drafts) => Array.fromAsync(drafts.list({ limit: 50 })))
    const drafts = mine.filter(({ status }) => status === 'draft')
    others = mine.length - drafts.length
    for (const [at, { id, headline }] of drafts.entries()) {
      screen.step(at + 1, drafts.length, headline)
      const there = await found(client, id)
      // Deleted or published a moment ago.
      if (there === undefined || there.body_md === null) continue
      const place = places.get(id) ?? newPlace(root, there, records)
      try {
        const outcome = take(place, there, options)
        done[outcome] += 1
        if (places.size > 0 && !places.has(id)) brought += 1
        if (outcome === 'fetched') screen.event(`fetched  ${nameOf(relative(root, place.path))}`)
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        failed.push({ path: relative(root, place.path), words: error.message })
      }
    }
  } catch (error) {
    if (error instanceof Stopped) return { done, brought, failed, others, stopped: error.message }
    throw error
  }
  return { done, brought, failed, others }
}

/** Where each draft lies already, by its id. */
function placesIn(root: string, records: Records): Map<string, Place> {
  const { files } = findFiles(root)
  const seen = new Set(files.map((path) => records.of(path)))
  seen.add(records.of(join(root, 'any.md')))
  const incomplete = new Set([...seen].filter((record) => !record.isComplete()))
  for (const path of files) if (incomplete.has(records.of(path))) followRenamed(path, records.of(path))
  const places = [...seen].flatMap((record) => record.entries().map(([path, entry]) => ({ path, entry, record })))
  return new Map(places.filter(({ path }) => path.startsWith(root + sep)).map((place) => [place.entry.id ?? '', place]))
}

/** A file that has another name now is not fetched once more under its old one. */
function followRenamed(path: string, record: FolderRecord): void {
  if (record.get(path)) return
  try {
    const former = record.formerly(hashOf(draftOf(readPage(readText(path))).draft))
    if (former !== undefined) record.rename(former, path)
  } catch (error) {
    // A file that cannot be read is none that was pushed.
    if (!(error instanceof Problem)) throw error
  }
}

/** The day it was begun and what it is called, as the desk's export names it. No site can name a place elsewhere. */
function newPlace(root: string, { id, created_at, headline }: Stored, records: Records): Place {
  const [day, mark] = [created_at.slice(0, 10).replace(/[^\d-]/g, ''), id.replace(/[^\da-f-]/g, '')]
  const name = `${day}-${slugFrom(headline, 60, 'draft')}`
  const free = [`${name}.md`, `${name}-${mark.slice(0, 8)}.md`, `${mark}.md`].map((one) => join(root, one))
  const path = free.find((one) => !existsSync(one))
  if (path === undefined) throw new Stopped(`${free[0]} is there, and is no draft of yours. Pull into another folder.`)
  return { path, record: records.of(path), entry: {} }
}

function take({ path, record, entry }: Place, there: Stored, { force }: Pulling): Done {
  const draft = draftIn(there)
  const etag = there.revision
  if (!existsSync(path)) return write(writtenPage(draft))
  const page = readPage(readText(path))
  const local = draftOf(page).draft
  const isEdited = hashOf(local) !== entry.hash
  const keep = (outcome: Done): Done => {
    record.set(path, { ...entry, etag, ...sentAs(local) })
    return outcome
  }
  if (etag === entry.etag && !(isEdited && force)) return isEdited ? 'kept' : 'unchanged'
  if (isAlready(there, local)) return keep('unchanged')
  if (isEdited && !force) {
    throw new Problem(
      'file and draft were both changed. Pull into another folder to compare them; pull with --force to take the draft.',
    )
  }
  return write(writtenPage(draft, besides(page)))

  function write(text: string): Done {
    writeText(path, text)
    record.set(path, { id: there.id, etag, ...sentAs(draftOf(readPage(text)).draft) })
    return 'fetched'
  }
}
