import { fileDocuments } from '#platform/ngram-index/invert.ts'
import { learnCommon } from '#platform/ngram-index/train-trie.ts'
import { CommonStrings } from '#platform/ngram-index/trie.ts'
import type { Category } from '../schema.ts'
import { countMembers, type Member, membersARow, readMember } from './docs.ts'
import { markOf, siteCount } from './fields.ts'
import { clearVolumes } from './gc.ts'
import type { Filing, Queries } from './indexer-lock.ts'
import { bindVolumes } from './merge.ts'
import { insertVolume } from './segment-writer.ts'

/**
 * Keeps the index up with what is public, one bounded step at a time. Whatever ends it in the middle, the next call
 * goes on from what was committed; only one process at a time can: it holds the lease (`Filing.hold`).
 */
export type Step = 'learned' | 'filed' | 'bound' | 'cleared' | 'idle'

export interface FilingRules {
  /** How many pieces of a site of this size may have a string before it is common. */
  readonly mostPieces: (size: number) => number
  /** Texts that common strings are learned from. */
  readonly sampled: number
  /** Filed at once, at most. */
  readonly mostFiled: number
  /** Fewer wait for more to come, but none longer than this. */
  readonly fewestFiled: number
  /** With so many volumes they are bound first: every search asks each of them. */
  readonly mostVolumes: number
  readonly longestWait: number
}

export const filingRules: FilingRules = {
  // The length of most lists, hence the false candidates of a search at worst: 632 of 100,000, 2,000 of a million.
  mostPieces: (size) => Math.ceil(2 * Math.sqrt(size)),
  sampled: 8_192,
  // A worker stays below 300 MB with it; 4,096 took 466.
  mostFiled: 512,
  fewestFiled: 64,
  mostVolumes: 512,
  longestWait: 60_000,
}

/** Each step is a handful of statements, the longest of them a read of some thousand texts. */
export async function fileNext(filing: Filing, rules: FilingRules = filingRules): Promise<Step> {
  const state = await stateOf(filing)
  if (!state.tree || state.size > 2 * state.tree.pieces) {
    await filing.write((client) => learn(client, rules, state.size))
    return 'learned'
  }
  const due = state.waiting >= rules.fewestFiled || state.waited > rules.longestWait
  if (state.volumes >= rules.mostVolumes && (await bindVolumes(filing, state.tree.id))) return 'bound'
  if (state.waiting > 0 && due) {
    const { id } = state.tree
    await filing.write((client) => fileWaiting(client, rules, id))
    return 'filed'
  }
  if (await refile(filing, rules, state.tree.id)) return 'filed'
  if (await bindVolumes(filing, state.tree.id)) return 'bound'
  return (await clearVolumes(filing)) ? 'cleared' : 'idle'
}

interface State {
  readonly tree: { readonly id: number; readonly pieces: number } | undefined
  /** Pieces filed, by whichever tree has most of them, and waiting. */
  readonly size: number
  /** Of the newest tree. */
  readonly volumes: number
  readonly waiting: number
  /** Milliseconds the first of them has waited. */
  readonly waited: number
}

async function stateOf(client: Queries): Promise<State> {
  const { rows } = await client.query<{
    tree: number | null
    tree_pieces: number | null
    volumes: number
    filed: number
    waiting: number
    waited: number
  }>(`
    select t.id as tree, t.pieces as tree_pieces, t.volumes, f.filed, w.waiting, w.waited
      from (select coalesce(max(pieces), 0)::integer as filed
              from (select sum(pieces) as pieces from search.volumes where state = 'ready' group by tree) by_tree) f
     cross join (select count(*)::integer as waiting,
                        coalesce(extract(epoch from clock_timestamp() - min(since)) * 1000, 0)::float8 as waited
                   from search.waiting) w
      left join lateral (select id, pieces,
                                (select count(*)::integer from search.volumes v where v.tree = trees.id and v.state = 'ready') as volumes
                           from search.trees order by id desc limit 1) t on true`)
  const { tree, tree_pieces, volumes, filed, waiting, waited } = rows[0]!
  return {
    tree: tree === null ? undefined : { id: tree, pieces: tree_pieces! },
    size: filed + waiting,
    volumes,
    waiting,
    waited,
  }
}

/** Fewer pieces than this need no tree: no list can be long. */
const smallest = 500

async function learn(client: Queries, { mostPieces, sampled }: FilingRules, size: number): Promise<void> {
  const most = mostPieces(size)
  const texts = size > most ? await sample(client, size, sampled) : []
  const least = Math.max(2, Math.round((most * texts.length) / Math.max(size, 1)))
  const common = texts.length > 0 ? learnCommon(texts, least) : new CommonStrings()
  await client.query('insert into search.trees (pieces, strings) values ($1, $2)', [
    Math.max(size, smallest),
    Buffer.from(common.bytes),
  ])
}

/** Whole pages are drawn, so ask for twice the share and cut. */
async function sample(client: Queries, size: number, wanted: number): Promise<string[]> {
  const percent = size > 2 * wanted ? (200 * wanted) / size : 100
  const { rows } = await client.query<{ body: string }>(
    'select body from pub.piece_texts tablesample system ($1) limit $2',
    [percent, wanted],
  )
  return rows.map(({ body }) => body)
}

interface PieceRow {
  readonly id: string
  readonly published_at: Date
  readonly category: Category
  readonly headline: string
  readonly sub: string
  readonly body: string
  readonly as_of: string
}

const texts = `p.id, p.published_at, p.category, p.headline_folded as headline, p.sub_folded as sub, t.body,
  pg_current_snapshot()::text as as_of`
const newestFirst = 'order by p.published_at desc, p.id desc'

async function fileWaiting(client: Queries, { mostFiled }: FilingRules, tree: number): Promise<void> {
  const { rows } = await client.query<PieceRow & { since: string }>(
    `select ${texts}, w.since::text as since
       from (select * from search.waiting order by published_at desc, piece_id desc limit $1) w
       join pub.pieces p on p.id = w.piece_id
       join pub.piece_texts t on t.piece_id = p.id ${newestFirst}`,
    [mostFiled],
  )
  await fileRows(client, tree, rows)
  // One that was published again meanwhile waits again.
  await client.query(
    `delete from search.waiting w using unnest($1::uuid[], $2::timestamptz[]) as filed (id, since)
      where w.piece_id = filed.id and w.since = filed.since`,
    [rows.map(({ id }) => id), rows.map(({ since }) => since)],
  )
}

/**
 * A volume filed by an older tree is filed again, part by part, from its end; what is in two volumes meanwhile is found
 * once. Undefined where there is none.
 */
async function refile(filing: Filing, rules: FilingRules, tree: number): Promise<true | undefined> {
  const { rows: volumes } = await filing.query<{ id: number; left: number }>(
    `select id, coalesce(again_from, pieces) as left from search.volumes
      where state = 'ready' and tree <> $1 order by id limit 1`,
    [tree],
  )
  const [volume] = volumes
  if (!volume) return undefined
  await filing.write((client) => refilePart(client, rules, tree, volume))
  return true
}

async function refilePart(
  client: Queries,
  { mostFiled }: FilingRules,
  tree: number,
  volume: { readonly id: number; readonly left: number },
): Promise<void> {
  const { rows: members } = await client.query<{ ordinal: number; places: Buffer }>(
    'select ordinal, places from search.members where volume = $1 and ordinal < $2 order by ordinal desc limit $3',
    [volume.id, volume.left, Math.ceil(mostFiled / membersARow)],
  )
  const { rows } = await client.query<PieceRow>(
    `select ${texts} from pub.pieces p join pub.piece_texts t on t.piece_id = p.id where p.id = any($1::uuid[]) ${newestFirst}`,
    [members.flatMap(({ places }) => memberIds(places))],
  )
  const left = members.at(-1)?.ordinal ?? 0
  await fileRows(client, tree, rows)
  await client.query(
    left > 0
      ? 'update search.volumes set again_from = $2 where id = $1'
      : "update search.volumes set again_from = $2, state = 'retired', retired_at = now() where id = $1",
    [volume.id, left],
  )
}

const memberIds = (places: Buffer): string[] =>
  Array.from({ length: countMembers(places) }, (_, place) => readMember(places, place).id)

async function fileRows(client: Queries, tree: number, rows: readonly PieceRow[]): Promise<void> {
  if (rows.length === 0) return
  const members: Member[] = rows.map(({ id, published_at }) => ({ id, publishedAt: published_at }))
  const writer = await insertVolume(client, { tree, members, asOf: rows[0]!.as_of, state: 'ready' })
  const common = await treeFor(client, tree)
  const documents = rows.map(({ headline, sub, body, category }) => ({
    texts: [headline, sub, body],
    marks: [markOf(category)],
  }))
  fileDocuments(documents, common, siteCount, (key, ordinals, count) => writer.add(key, ordinals, count))
  await writer.end()
}

let known: { readonly id: number; readonly client: Queries; readonly common: CommonStrings } | undefined

async function treeFor(client: Queries, id: number): Promise<CommonStrings> {
  if (known?.id === id && known.client === client) return known.common
  const { rows } = await client.query<{ strings: Buffer }>('select strings from search.trees where id = $1', [id])
  known = { id, client, common: new CommonStrings(rows[0]!.strings) }
  return known.common
}
