import { invert } from '#platform/ngram-index/terms.ts'
import { CommonTrie, trainTrie } from '#platform/ngram-index/trie.ts'
import { primaryLanguage } from '#platform/text/language.ts'
import { type IndexCounts, readIndexCounts } from './index-stats.ts'
import type { IndexerConnection, SqlClient } from './indexer-lock.ts'
import { mergeSegments } from './merge.ts'
import { createSegment, decodeDocs, docsPerRow, fields, filterHashes } from './segment.ts'
import { type WordedPiece, wordFilterHashes, wordKeys, wordsOf } from './words-keys.ts'
import { addToLexicon, sweepLexicon } from './words-lexicon.ts'

/** What a step did. */
export type Step = 'trained' | 'indexed' | 'merged' | 'collected' | 'idle'

export interface IndexingRules {
  /** With so many pieces in the site, a string that occurs in more pieces than this is common. */
  readonly maxPostings: (siteSize: number) => number
  /** Texts that the trie of common strings is trained on. */
  readonly sampleSize: number
  /** Pieces indexed per step. */
  readonly maxBatch: number
  /** Fewer pieces wait for more, but none longer than `maxWait` milliseconds. */
  readonly minBatch: number
  readonly maxWait: number
  /** With so many segments, merging comes first: every search reads each of them. */
  readonly maxSegments: number
}

export const indexingRules: IndexingRules = {
  // The length of most posting lists, hence the false candidates of a search at worst: 632 of 100,000, 2,000 of a million.
  maxPostings: (siteSize) => Math.ceil(2 * Math.sqrt(siteSize)),
  sampleSize: 8_192,
  // A worker stays below 300 MB with it; 4,096 took 466.
  maxBatch: 512,
  minBatch: 64,
  maxWait: 60_000,
  maxSegments: 512,
}

/**
 * Brings the index closer to what is public by one bounded step: a handful of statements, the longest of which reads some
 * thousand texts. After a crash, the next call continues from what was committed. Only the process that holds the lease
 * can do this (`IndexerConnection.acquireLease`).
 */
export async function runIndexStep(indexer: IndexerConnection, rules: IndexingRules = indexingRules): Promise<Step> {
  const { trie, siteSize, segments, waiting, waited } = await readState(indexer)
  if (!trie || siteSize > 2 * trie.pieces) {
    await indexer.write((client) => train(client, rules, siteSize))
    return 'trained'
  }
  if (segments >= rules.maxSegments && (await mergeSegments(indexer, trie.id))) return 'merged'
  if (waiting > 0 && (waiting >= rules.minBatch || waited > rules.maxWait)) {
    await indexer.write((client) => indexWaiting(client, rules, trie.id))
    return 'indexed'
  }
  if (await upgradeSegment(indexer, rules, trie.id)) return 'indexed'
  if (await mergeSegments(indexer, trie.id)) return 'merged'
  if (await collectGarbage(indexer)) return 'collected'
  await sweepLexicon(indexer)
  return 'idle'
}

const pollInterval = 2_000

/** Indexes everything that waits, and merges it. While another process is the indexer, only watches its progress. */
export async function drain(
  indexer: IndexerConnection,
  onProgress: (counts: IndexCounts) => void,
): Promise<IndexCounts> {
  const rules = { ...indexingRules, minBatch: 1, maxWait: 0 }
  for (;;) {
    const lease = await indexer.acquireLease()
    const step = lease && (await runIndexStep(indexer, rules))
    const counts = await readIndexCounts(indexer)
    onProgress(counts)
    // Garbage can be left to a worker.
    const isDone = lease ? step === 'idle' || step === 'collected' : counts.waiting === 0
    if (isDone) return counts
    if (!lease) await new Promise((resolve) => setTimeout(resolve, pollInterval))
  }
}

interface State {
  /** The newest one, and the size of the site it was trained for. */
  readonly trie: { readonly id: number; readonly pieces: number } | undefined
  /** Pieces indexed, by the trie that has most of them, plus those waiting. */
  readonly siteSize: number
  /** Of the newest trie. */
  readonly segments: number
  readonly waiting: number
  /** Milliseconds the oldest of them has waited. */
  readonly waited: number
}

async function readState(client: SqlClient): Promise<State> {
  const { rows } = await client.query<{
    trie: number | null
    trie_pieces: number | null
    segments: number
    indexed: number
    waiting: number
    waited: number
  }>(`
    select t.id as trie, t.pieces as trie_pieces, t.segments, i.indexed, w.waiting, w.waited
      from (select coalesce(max(pieces), 0)::integer as indexed
              from (select sum(pieces) as pieces from search.volumes where state = 'ready' group by tree) by_trie) i
     cross join (select count(*)::integer as waiting,
                        coalesce(extract(epoch from clock_timestamp() - min(since)) * 1000, 0)::float8 as waited
                   from search.waiting) w
      left join lateral (select id, pieces,
                                (select count(*)::integer from search.volumes v where v.tree = trees.id and v.state = 'ready') as segments
                           from search.trees order by id desc limit 1) t on true`)
  const { trie, trie_pieces, segments, indexed, waiting, waited } = rows[0]!
  return {
    trie: trie === null ? undefined : { id: trie, pieces: trie_pieces! },
    siteSize: indexed + waiting,
    segments,
    waiting,
    waited,
  }
}

/** A smaller site needs no trie: no posting list can be long. */
const minTrieSize = 500

async function train(client: SqlClient, { maxPostings, sampleSize }: IndexingRules, siteSize: number): Promise<void> {
  const max = maxPostings(siteSize)
  const texts = siteSize > max ? await sampleTexts(client, siteSize, sampleSize) : []
  const minTexts = Math.max(2, Math.round((max * texts.length) / Math.max(siteSize, 1)))
  const trie = texts.length > 0 ? trainTrie(texts, minTexts) : new CommonTrie()
  await client.query('insert into search.trees (pieces, strings) values ($1, $2)', [
    Math.max(siteSize, minTrieSize),
    Buffer.from(trie.bytes),
  ])
}

/** `tablesample system` draws whole pages, so it asks for twice the share and cuts. */
async function sampleTexts(client: SqlClient, siteSize: number, count: number): Promise<string[]> {
  const percent = siteSize > 2 * count ? (200 * count) / siteSize : 100
  const { rows } = await client.query<{ body: string }>(
    'select body from pub.piece_texts tablesample system ($1) limit $2',
    [percent, count],
  )
  return rows.map(({ body }) => body)
}

interface PieceRow extends WordedPiece {
  readonly id: string
  readonly published_at: Date
  readonly as_of: string
}

const pieceColumns = `p.id, p.published_at, p.author_id, p.category, p.tags, p.locale, p.headline_folded as headline,
  p.sub_folded as sub, t.body, (select a.name from pub.authors a where a.id = p.author_id) as author, pg_current_snapshot()::text as as_of`
const newestFirst = 'order by p.published_at desc, p.id desc'

async function indexWaiting(client: SqlClient, { maxBatch }: IndexingRules, trie: number): Promise<void> {
  const { rows } = await client.query<PieceRow & { since: string }>(
    `select ${pieceColumns}, w.since::text as since
       from (select * from search.waiting order by published_at desc, piece_id desc limit $1) w
       join pub.pieces p on p.id = w.piece_id
       join pub.piece_texts t on t.piece_id = p.id ${newestFirst}`,
    [maxBatch],
  )
  await indexPieces(client, trie, rows)
  // A piece published again meanwhile has a new `since` and keeps waiting.
  await client.query(
    `delete from search.waiting w using unnest($1::uuid[], $2::timestamptz[]) as indexed (id, since)
      where w.piece_id = indexed.id and w.since = indexed.since`,
    [rows.map(({ id }) => id), rows.map(({ since }) => since)],
  )
}

/**
 * Indexes part of a segment of an older trie or release again, from its end. Meanwhile some pieces are in two segments; a search
 * returns them once. False if there is no such segment.
 */
async function upgradeSegment(indexer: IndexerConnection, rules: IndexingRules, trie: number): Promise<boolean> {
  const { rows } = await indexer.query<{ id: number; left: number }>(
    `select id, coalesce(again_from, pieces) as left from search.volumes
      where state = 'ready' and (tree <> $1 or not has_languages or not has_words) order by id limit 1`,
    [trie],
  )
  const [segment] = rows
  if (!segment) return false
  await indexer.write((client) => upgradePart(client, rules, trie, segment))
  return true
}

async function upgradePart(
  client: SqlClient,
  { maxBatch }: IndexingRules,
  trie: number,
  segment: { readonly id: number; readonly left: number },
): Promise<void> {
  const { rows: docRows } = await client.query<{ ordinal: number; places: Buffer }>(
    'select ordinal, places from search.members where volume = $1 and ordinal < $2 order by ordinal desc limit $3',
    [segment.id, segment.left, Math.ceil(maxBatch / docsPerRow)],
  )
  const { rows } = await client.query<PieceRow>(
    `select ${pieceColumns} from pub.pieces p join pub.piece_texts t on t.piece_id = p.id where p.id = any($1::uuid[]) ${newestFirst}`,
    [docRows.flatMap(({ places }) => decodeDocs(places).map(({ id }) => id))],
  )
  const left = docRows.at(-1)?.ordinal ?? 0
  await indexPieces(client, trie, rows)
  await client.query(
    left > 0
      ? 'update search.volumes set again_from = $2 where id = $1'
      : "update search.volumes set again_from = $2, state = 'retired', retired_at = now() where id = $1",
    [segment.id, left],
  )
}

/** Writes a new segment. */
async function indexPieces(client: SqlClient, trie: number, rows: readonly PieceRow[]): Promise<void> {
  if (rows.length === 0) return
  const docs = rows.map(({ id, published_at }) => ({ id, publishedAt: published_at }))
  const writer = await createSegment(client, { trie, docs, asOf: rows[0]!.as_of, state: 'ready' })
  const words = rows.map(wordsOf)
  const documents = rows.map(({ headline, sub, body, category, locale, author_id, tags }, index) => ({
    fields: [headline, sub, body],
    filters: [
      ...filterHashes({ category, language: primaryLanguage(locale) }),
      ...wordFilterHashes({ authorId: author_id }),
      ...tags.flatMap((tag) => wordFilterHashes({ tag })),
      ...wordKeys(words[index]!),
    ],
  }))
  await addToLexicon(client, words)
  invert(documents, await readTrie(client, trie), fields.length, writer.add)
  await writer.end()
}

let cachedTrie: { readonly id: number; readonly client: SqlClient; readonly trie: CommonTrie } | undefined

async function readTrie(client: SqlClient, id: number): Promise<CommonTrie> {
  if (cachedTrie?.id === id && cachedTrie.client === client) return cachedTrie.trie
  const { rows } = await client.query<{ strings: Buffer }>('select strings from search.trees where id = $1', [id])
  cachedTrie = { id, client, trie: new CommonTrie(rows[0]!.strings) }
  return cachedTrie.trie
}

/** Longer than any search: one that started with a segment can read it to the end. */
const gracePeriod = '1 minute'
const rowsPerDelete = 5_000

/** Deletes some rows of a retired segment, or some old changes. False if there are none. */
async function collectGarbage(indexer: IndexerConnection): Promise<boolean> {
  const { rows } = await indexer.query<{ id: number }>(
    `select id from search.volumes
      where state = 'retired' and retired_at < now() - interval '${gracePeriod}' order by id limit 1`,
  )
  const [segment] = rows
  if (!segment) return collectChanges(indexer)
  const { autocommit } = indexer
  const { rowCount } = await autocommit.query(
    `delete from search.pages where (volume, key, part) in
       (select volume, key, part from search.pages where volume = $1 order by key, part limit $2)`,
    [segment.id, rowsPerDelete],
  )
  if (rowCount === 0) {
    await autocommit.query('delete from search.members where volume = $1', [segment.id])
    await autocommit.query('delete from search.volumes where id = $1', [segment.id])
  }
  return true
}

/** Deletes changes that every segment already includes. */
async function collectChanges({ autocommit }: IndexerConnection): Promise<boolean> {
  const { rowCount } = await autocommit.query(
    `delete from search.changes c
      where (c.piece_id, c.by) in (
        select piece_id, by from search.changes
         where not exists (select from search.volumes v
                            where v.state <> 'retired' and not pg_visible_in_snapshot(by, v.as_of))
         limit $1)`,
    [rowsPerDelete],
  )
  return Boolean(rowCount)
}

/**
 * To be called in a transaction: queues every public piece for indexing and retires all segments. Searches are partial
 * until that is done.
 */
export async function reindex(client: SqlClient): Promise<void> {
  await client.query(`insert into search.waiting (piece_id, published_at, since)
    select piece_id, published_at, clock_timestamp() from pub.piece_texts on conflict do nothing`)
  await client.query("update search.volumes set state = 'retired', retired_at = now() where state <> 'retired'")
  await client.query('delete from search.changes')
  // Missing after a restore: backups leave out the data of this schema.
  await client.query('insert into search.lease default values on conflict do nothing')
}

/**
 * Segments refer to changes by transaction ids, which every cluster counts separately. A dump loaded into a younger
 * cluster contains ids of the future: a piece deleted then would stay in its segment. So the index is built again.
 */
export async function reindexIfRestored(indexer: IndexerConnection): Promise<boolean> {
  const { rows } = await indexer.query<{ moved: boolean }>(`
    select exists (select from search.volumes
                    where state <> 'retired'
                      and pg_snapshot_xmax(as_of) > pg_snapshot_xmax(pg_current_snapshot())) as moved`)
  if (rows[0]!.moved) await indexer.write(reindex)
  return rows[0]!.moved
}
