import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { MyPiece, MyPieceList } from '#features/pieces/draft-schema.ts'
import { slugFrom } from '#platform/text/slug.ts'
import { besides, type Draft, draftOf, hashOf } from './draft.ts'
import { findFiles, readText } from './folder.ts'
import { readPage } from './front-matter.ts'
import type { Answer, House } from './house.ts'
import { Problem, Stopped } from './problem.ts'
import { demand, isAlready, isUntouched, pieces, sentAs } from './push.ts'
import { type Entry, type FolderRecord, Records } from './record.ts'
import { nameOf, type Screen } from './screen.ts'
import { writtenPage } from './written.ts'

/** `standfirst pull`: the drafts of a writer as files, which `push` sends back as they are. */

export interface Pulling {
  /** The house wins over what was changed in the file. */
  readonly force?: boolean
}

type Done = 'fetched' | 'unchanged' | 'kept'

export interface Pulled {
  readonly done: Readonly<Record<Done, number>>
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

export async function pull(house: House, folder: string, options: Pulling, screen: Screen): Promise<Pulled> {
  mkdirSync(folder, { recursive: true })
  const root = realpathSync(folder)
  const records = new Records(house.base, root)
  const places = placesIn(root, records)
  const done: Record<Done, number> = { fetched: 0, unchanged: 0, kept: 0 }
  const failed: { path: string; words: string }[] = []
  let others = 0
  try {
    const mine = await listed(house)
    const drafts = mine.filter(({ status }) => status === 'draft')
    others = mine.length - drafts.length
    for (const [at, { id, headline }] of drafts.entries()) {
      screen.step(at + 1, drafts.length, headline)
      const there = await house.ask('GET', `${pieces}/${id}`)
      // Deleted or published a moment ago.
      if (there.status === 404 || pieceOf(there).body_md === null) continue
      const place = places.get(id) ?? newPlace(root, pieceOf(there), records)
      try {
        const outcome = take(place, there, options)
        done[outcome] += 1
        if (outcome === 'fetched') screen.event(`fetched  ${nameOf(relative(root, place.path))}`)
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        failed.push({ path: relative(root, place.path), words: error.message })
      }
    }
  } catch (error) {
    if (error instanceof Stopped) return { done, failed, others, stopped: error.message }
    throw error
  }
  return { done, failed, others }
}

async function listed(house: House): Promise<MyPieceList['pieces']> {
  const found: MyPieceList['pieces'] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = demand(await house.ask('GET', `${pieces}/me?limit=50${cursor && `&cursor=${cursor}`}`), 200).body
    const { pieces: some, next_cursor } = page as unknown as MyPieceList
    found.push(...some)
    cursor = next_cursor
  }
  return found
}

/** Where each draft lies already, by its id. */
function placesIn(root: string, records: Records): Map<string, Place> {
  const seen = new Set(findFiles(root).files.map((path) => records.of(path)))
  seen.add(records.of(join(root, 'any.md')))
  const places = [...seen].flatMap((record) => record.entries().map(([path, entry]) => ({ path, entry, record })))
  return new Map(places.filter(({ path }) => path.startsWith(root + sep)).map((place) => [place.entry.id ?? '', place]))
}

const pieceOf = ({ body }: Answer): MyPiece => body['piece'] as MyPiece

/** The day it was begun and what it is called, as the desk's export names it. */
function newPlace(root: string, { id, created_at, headline }: MyPiece, records: Records): Place {
  const name = `${created_at.slice(0, 10)}-${slugFrom(headline, 60, 'draft')}`
  const free = [`${name}.md`, `${name}-${id.slice(0, 8)}.md`, `${id}.md`].map((one) => join(root, one))
  const path = free.find((one) => !existsSync(one))
  if (path === undefined) throw new Stopped(`${free[0]} is there, and is no draft of yours. Pull into another folder.`)
  return { path, record: records.of(path), entry: {} }
}

function take({ path, record, entry }: Place, there: Answer, { force }: Pulling): Done {
  const draft = draftIn(pieceOf(there))
  const etag = there.etag ?? '"0"'
  if (!existsSync(path)) return write(writtenPage(draft))
  const page = readPage(readText(path))
  const local = draftOf(page).draft
  const isEdited = hashOf(local) !== entry.hash
  const keep = (outcome: Done): Done => {
    record.set(path, { ...entry, etag, ...sentAs(local) })
    return outcome
  }
  if (isUntouched(entry, there) && !(isEdited && force)) return isEdited ? 'kept' : 'unchanged'
  if (isAlready(there, local)) return keep('unchanged')
  if (isEdited && !force) {
    throw new Problem('was changed here and at the desk. Pull with --force to take the draft of the desk.')
  }
  return write(writtenPage(draft, besides(page)))

  function write(text: string): Done {
    writeFileSync(path, text)
    record.set(path, { id: pieceOf(there).id, etag, ...sentAs(draftOf(readPage(text)).draft) })
    return 'fetched'
  }
}

const draftIn = (piece: MyPiece): Draft => ({
  headline: piece.headline,
  sub: piece.sub,
  body_md: piece.body_md ?? '',
  category: piece.category as NonNullable<Draft['category']>,
  tags: piece.tags,
  frame: piece.frame as NonNullable<Draft['frame']>,
  style: piece.style,
  locale: piece.locale,
  external_url: piece.external_url,
})
