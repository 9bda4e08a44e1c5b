import { type Page, PageWriter } from '#platform/ngram-index/posting-pages.ts'
import { type Member, membersARow, writeMembers } from './docs.ts'
import type { Queries } from './indexer-lock.ts'

export interface NewVolume {
  readonly tree: number
  /** Newest first. */
  readonly members: readonly Member[]
  readonly asOf: string
  readonly state: 'binding' | 'ready'
}

/** Rows of one statement: eight kilobytes each. */
const rowsAtOnce = 100

/** Writes the lists of a new volume, in the order of their keys. */
export interface VolumeWriter {
  readonly id: number
  add(key: number, ordinals: Uint32Array, count: number): void
  /** Whether pages are ready to be sent; `flush` sends them. */
  readonly full: boolean
  flush(): Promise<void>
  end(): Promise<void>
}

export async function insertVolume(client: Queries, { tree, members, asOf, state }: NewVolume): Promise<VolumeWriter> {
  const { rows } = await client.query<{ id: number }>(
    'insert into search.volumes (tree, pieces, newest, as_of, state) values ($1, $2, $3, $4::pg_snapshot, $5) returning id',
    [tree, members.length, members[0]!.publishedAt, asOf, state],
  )
  const { id } = rows[0]!
  await insertMembers(client, id, members)
  let pages: Page[] = []
  const writer = new PageWriter((page) => pages.push(page))
  const flush = async () => {
    const written = pages
    pages = []
    for (let from = 0; from < written.length; from += rowsAtOnce) {
      await insertRows(
        client,
        'search.pages (volume, key, part, lists)',
        written.slice(from, from + rowsAtOnce).map(({ key, part, bytes }) => [id, key, part, Buffer.from(bytes)]),
      )
    }
  }
  return {
    id,
    add: (key, ordinals, count) => writer.add(key, ordinals, count),
    get full() {
      return pages.length >= rowsAtOnce
    },
    flush,
    end: async () => {
      writer.end()
      await flush()
    },
  }
}

async function insertMembers(client: Queries, volume: number, members: readonly Member[]): Promise<void> {
  const rows: unknown[][] = []
  for (let from = 0; from < members.length; from += membersARow) {
    const some = members.slice(from, from + membersARow)
    rows.push([volume, from, some[0]!.publishedAt, writeMembers(some)])
  }
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    await insertRows(
      client,
      'search.members (volume, ordinal, published_at, places)',
      rows.slice(from, from + rowsAtOnce),
    )
  }
}

async function insertRows(client: Queries, target: string, rows: readonly unknown[][]): Promise<void> {
  if (rows.length === 0) return
  const values = rows.map(
    (row, place) => `(${row.map((_, column) => `$${place * row.length + column + 1}`).join(', ')})`,
  )
  await client.query(`insert into ${target} values ${values.join(', ')}`, rows.flat())
}
