import type { Database } from '#platform/db/database.ts'
import { statement } from '#platform/db/statement.ts'
import { filterKey } from '#platform/ngram-index/terms.ts'
import type { IndexerConnection, SqlClient } from './indexer-lock.ts'
import { fields, fnv1a, readPostingsAs } from './segment.ts'
import { type PieceWords, places, wordKey } from './words-keys.ts'

/**
 * Every word of the site once, to find what a misspelt word may have meant. A word is found by what is left of it without
 * one of its characters, hashed: two words that are one slip apart share such a rest, wherever the slip is.
 */

/** Shorter words are one slip apart from too many others; longer ones are no words. */
const isListed = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]{4,24}$/u

/** The hashes of a word and of all rests of it, as PostgreSQL's integers. */
function restsOf(word: string): number[] {
  const characters = [...word]
  const rests = new Set([word])
  for (let at = 0; at < characters.length; at += 1) rests.add(characters.toSpliced(at, 1).join(''))
  return [...rests].map((rest) => fnv1a(rest) | 0)
}

/** Words that a connection has added or found. One that fails is not used again, so nothing rolled back is remembered. */
const added = new WeakMap<SqlClient, Set<string>>()
/** Some 20 MB. */
const mostAdded = 200_000

/** Adds the words of pieces in the transaction that indexes them. */
export async function addToLexicon(client: SqlClient, pieces: readonly PieceWords[]): Promise<void> {
  const known = added.get(client) ?? new Set<string>()
  added.set(client, known)
  const fresh = new Set<string>()
  for (const { words } of pieces) for (const word of words) if (!known.has(word) && isListed.test(word)) fresh.add(word)
  if (fresh.size === 0) return
  const { rows } = await client.query<{ word: string }>(
    `select word from unnest($1::text[]) as given (word)
      where not exists (select from search.lexicon l where l.word = given.word)`,
    [[...fresh]],
  )
  if (rows.length > 0)
    await client.query(
      `insert into search.lexicon (word, rests)
       select word, rests::integer[] from unnest($1::text[], $2::text[]) as given (word, rests)
           on conflict do nothing`,
      [rows.map(({ word }) => word), rows.map(({ word }) => `{${restsOf(word).join()}}`)],
    )
  for (const word of fresh) if (known.size < mostAdded) known.add(word)
}

/** Words a sweep looks at: one a minute goes through half a million in a week. */
const sweptWords = 50
const sweptFrom = new WeakMap<IndexerConnection, string>()

/** Deletes words that no piece has any more, some at a time, from where the last sweep ended. */
export async function sweepLexicon(indexer: IndexerConnection): Promise<void> {
  const from = sweptFrom.get(indexer) ?? (await anyWord(indexer))
  const { rows } = await indexer.query<{ word: string }>(
    'select word from search.lexicon where word > $1 order by word limit $2',
    [from, sweptWords],
  )
  sweptFrom.set(indexer, rows.at(-1)?.word ?? '')
  const { rows: segments } = await indexer.query<{ id: number; has_words: boolean }>(
    "select id, has_words from search.volumes where state = 'ready'",
  )
  // A segment that is yet to be indexed by words may have any of them.
  if (rows.length === 0 || segments.some(({ has_words }) => !has_words)) return
  const ids = rows.flatMap(({ word }) =>
    segments.map(({ id }) => ({ segment: id, key: filterKey(fields.length, anywhereKey(word)) })),
  )
  const lists = await readPostingsAs(indexer, ids)
  const gone = rows.filter((_, at) =>
    segments.every((_segment, index) => {
      const list = lists[at * segments.length + index]!
      return 'ordinals' in list && list.ordinals.length === 0
    }),
  )
  if (gone.length === 0) return
  const words = gone.map(({ word }) => word)
  // What was queued meanwhile is indexed after this, and adds its words again.
  await indexer.autocommit.query('delete from search.lexicon where word = any($1::text[])', [words])
  for (const word of words) added.get(indexer.client)?.delete(word)
}

/** Where a process starts, so that one restarted every day sweeps all of it in time. */
async function anyWord(indexer: IndexerConnection): Promise<string> {
  const { rows } = await indexer.query<{ word: string }>(
    'select word from search.lexicon tablesample system (1) limit 1',
  )
  return rows[0]?.word ?? ''
}

export const anywhereKey = (form: string): number => wordKey(places.length - 1, form)

const neighbours = statement.raw<{ rests: readonly number[] }, { word: string }>(
  'lexicon_neighbours',
  'select word from search.lexicon where rests && $1::integer[] limit 200',
  ['rests'],
)

/** Words of the site that are one slip away from this one. */
export async function wordsNear(db: Database, word: string): Promise<string[]> {
  if (!isListed.test(word)) return []
  const rows = await db.query(neighbours, { rests: restsOf(word) })
  return rows.map((row) => row.word).filter((near) => near !== word && isOneSlip(word, near))
}

/** Whether one character is missing, added or another, or two neighbours are swapped. */
function isOneSlip(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  if (long.length - short.length > 1) return false
  let at = 0
  while (at < short.length && short[at] === long[at]) at += 1
  if (long.length > short.length) return short.slice(at) === long.slice(at + 1)
  if (short.slice(at + 1) === long.slice(at + 1)) return true
  return short[at] === long[at + 1] && short[at + 1] === long[at] && short.slice(at + 2) === long.slice(at + 2)
}
