import { PageReader } from '#platform/ngram-index/posting-pages.ts'
import { byRecency, countMembers, type Member, readMember } from './docs.ts'
import type { Filing, Queries } from './indexer-lock.ts'
import { insertVolume, type VolumeWriter } from './segment-writer.ts'
import { KeyHeap } from './term-heap.ts'

/**
 * Binds small volumes into a larger one, so that there are few: each is at least twice as large as all smaller ones
 * together. A piece is written again some twenty times on its way into a volume of a million.
 */
export async function bindVolumes(filing: Filing, tree: number): Promise<true | undefined> {
  // One that was left unfinished is thrown away.
  await filing.writing.query("update search.volumes set state = 'retired', retired_at = now() where state = 'binding'")
  const { rows } = await filing.query<Source>(
    "select id, pieces, newest from search.volumes where state = 'ready' and tree = $1 order by pieces desc, id",
    [tree],
  )
  const sources = toBind(rows)
  if (sources.length > 1) {
    await bind(
      filing,
      tree,
      sources.toSorted((a, b) => b.newest.getTime() - a.newest.getTime()),
    )
    return true
  }
  return renew(filing, tree)
}

/** What was unpublished or changed is found no more at once; its strings leave the index after this long at the latest. */
const longestStale = '30 days'

/** Binds a volume anew that has something stale for too long. */
async function renew(filing: Filing, tree: number): Promise<true | undefined> {
  const { rows } = await filing.query<Source>(
    `select v.id, v.pieces, v.newest from search.volumes v
      where v.state = 'ready' and v.tree = $1
        and exists (select from search.changes c
                     where c.at < now() - interval '${longestStale}' and not pg_visible_in_snapshot(c.by, v.as_of))
      limit 1`,
    [tree],
  )
  if (rows.length === 0) return undefined
  await bind(filing, tree, rows)
  return true
}

interface Source {
  readonly id: number
  readonly pieces: number
  readonly newest: Date
}

/** From the largest that is not twice as large as all smaller ones. */
function toBind<T extends { readonly pieces: number }>(volumes: readonly T[]): T[] {
  let smaller = 0
  let from = volumes.length
  for (let place = volumes.length - 1; place >= 0; place -= 1) {
    const { pieces } = volumes[place]!
    if (smaller > 0 && pieces < 2 * smaller) from = place
    smaller += pieces
  }
  return volumes.slice(from)
}

async function bind(filing: Filing, tree: number, sources: readonly Source[]): Promise<void> {
  const ids = sources.map(({ id }) => id)
  // What is read and counted in one go is a write too, so that the lease lasts as long; a list at a time is quick.
  const found = await filing.write((client) => membersOf(client, ids))
  if (!found) return
  const { members, ordinals, asOf } = found
  const { writing } = filing
  const bound = members.length > 0 ? await insertVolume(writing, { tree, members, asOf, state: 'binding' }) : undefined
  if (bound) await mergeLists(filing, ids, ordinals, bound)
  await writing.query(
    `update search.volumes set state = case id when $2 then 'ready' else 'retired' end,
                               retired_at = case id when $2 then null else now() end
      where id = any($1) or id = $2`,
    [ids, bound?.id ?? null],
  )
}

/** Undefined where one volume would be bound to what it is: then it is as of now. */
async function membersOf(client: Queries, ids: readonly number[]) {
  const { rows } = await client.query<{ as_of: string }>('select pg_current_snapshot()::text as as_of')
  const asOf = rows[0]!.as_of
  const filed: Filed[][] = []
  for (const id of ids) filed.push(await membersIn(client, id, asOf))
  if (ids.length > 1 || filed[0]!.some(({ stale }) => stale)) return { ...inOrder(filed), asOf }
  await client.query('update search.volumes set as_of = $2::pg_snapshot where id = $1', [ids[0], asOf])
  return undefined
}

interface Filed extends Member {
  /** Not as this volume has it any more. */
  readonly stale: boolean
}

async function membersIn(client: Queries, volume: number, asOf: string): Promise<Filed[]> {
  const { rows: changed } = await client.query<{ id: string }>(
    `select c.piece_id as id from search.changes c, search.volumes v
      where v.id = $1 and not pg_visible_in_snapshot(c.by, v.as_of) and pg_visible_in_snapshot(c.by, $2::pg_snapshot)`,
    [volume, asOf],
  )
  const stale = new Set(changed.map(({ id }) => id))
  const { rows } = await client.query<{ places: Buffer }>(
    'select places from search.members where volume = $1 order by ordinal',
    [volume],
  )
  return rows.flatMap(({ places }) =>
    Array.from({ length: countMembers(places) }, (_, place) => {
      const member = readMember(places, place)
      return { ...member, stale: stale.has(member.id) }
    }),
  )
}

const dropped = 0xffff_ffff

/** All that are not stale, each once, in order; and for each volume what its numbers become. */
function inOrder(filed: readonly (readonly Filed[])[]): { members: Member[]; ordinals: Uint32Array[] } {
  const ordinals = filed.map((members) => new Uint32Array(members.length).fill(dropped))
  const all = filed.flatMap((members, volume) =>
    members.flatMap((member, ordinal) => (member.stale ? [] : [{ member, volume, ordinal }])),
  )
  all.sort((a, b) => byRecency(a.member, b.member))
  const members: Member[] = []
  for (const { member, volume, ordinal } of all) {
    // Filed in two volumes: as long as neither is stale, they are alike.
    if (members.at(-1)?.id !== member.id) members.push(member)
    ordinals[volume]![ordinal] = members.length - 1
  }
  return { members, ordinals }
}

async function mergeLists(
  client: Queries,
  volumes: readonly number[],
  ordinals: readonly Uint32Array[],
  writer: VolumeWriter,
): Promise<void> {
  const cursors = volumes.map((volume, place) => new ListCursor(client, volume, ordinals[place]!))
  const heap = new KeyHeap(cursors.length)
  for (const [place, cursor] of cursors.entries()) if (await cursor.turn()) heap.push(cursor.key, place)
  const merged = new Uint32Array(ordinals.reduce((sum, { length }) => sum + length, 0))
  while (heap.size > 0) {
    const key = heap.leastKey
    let count = 0
    let sorted = true
    while (heap.size > 0 && heap.leastKey === key) {
      const cursor = cursors[heap.leastPlace]!
      const before = count
      count = cursor.read(merged, count)
      if (before > 0 && count > before && merged[before]! <= merged[before - 1]!) sorted = false
      if (cursor.next() || (await cursor.turn())) heap.replaceLeast(cursor.key)
      else heap.dropLeast()
    }
    if (!sorted) count = uniqueSorted(merged, count)
    if (count > 0) writer.add(key, merged, count)
    if (writer.full) await writer.flush()
  }
  await writer.end()
}

function uniqueSorted(numbers: Uint32Array, count: number): number {
  const some = numbers.subarray(0, count).sort()
  let length = 0
  for (const one of some) {
    if (length > 0 && numbers[length - 1] === one) continue
    numbers[length] = one
    length += 1
  }
  return length
}

const pagesAtOnce = 64

/** The lists of one volume, from the first key to the last. */
class ListCursor {
  readonly #client: Queries
  readonly #volume: number
  readonly #ordinals: Uint32Array
  #pages: { key: string; part: number; lists: Buffer }[] = []
  #at = 0
  #reader: PageReader | undefined
  #last: { key: string; part: number } = { key: '-1', part: 0 }

  constructor(client: Queries, volume: number, ordinals: Uint32Array) {
    this.#client = client
    this.#volume = volume
    this.#ordinals = ordinals
  }

  get key(): number {
    return this.#reader!.key
  }

  /** On to the next list of the page; false at its end. */
  next(): boolean {
    return this.#reader!.next()
  }

  /** On to the first list of the next page; false at the end of the volume. */
  async turn(): Promise<boolean> {
    if (this.#at === this.#pages.length) await this.#fetch()
    const page = this.#pages[this.#at]
    if (!page) return false
    this.#at += 1
    this.#reader = new PageReader({ key: Number(page.key), bytes: page.lists })
    return this.#reader.next()
  }

  async #fetch(): Promise<void> {
    const { rows } = await this.#client.query<{ key: string; part: number; lists: Buffer }>(
      `select key, part, lists from search.pages
        where volume = $1 and (key, part) > ($2, $3) order by key, part limit ${pagesAtOnce}`,
      [this.#volume, this.#last.key, this.#last.part],
    )
    this.#pages = rows
    this.#at = 0
    this.#last = rows.at(-1) ?? this.#last
  }

  /** Adds the list, in the numbers of the new volume; answers how many there are now. */
  read(numbers: Uint32Array, to: number): number {
    const reader = this.#reader!
    const ordinals = this.#ordinals
    const end = to + reader.count
    reader.read(numbers, to)
    let length = to
    for (let at = to; at < end; at += 1) {
      const ordinal = ordinals[numbers[at]!]!
      if (ordinal === dropped) continue
      numbers[length] = ordinal
      length += 1
    }
    return length
  }
}
