import type { Database } from '#platform/db/database.ts'
import { statement } from '#platform/db/statement.ts'
import { createLru, type Lru } from '#platform/lru.ts'
import type { WaitingDoc } from './index-snapshot.ts'
import { fnv1a } from './segment.ts'
import { type WordedPiece, wordsOf } from './words-keys.ts'
import type { Question } from './words-query.ts'

/** The words of pieces that wait to be indexed, as hashes, so that not every search reads their texts. */
type Words = ReadonlySet<number>

/** Of some two thousand pieces, the most a search looks at. */
const mostHashes = 2_000_000
const caches = new WeakMap<Database, Lru<Words>>()

const waitingPieces = statement.raw<{ ids: readonly string[] }, WordedPiece & { readonly id: string }>(
  'words_waiting',
  `select p.id, p.author_id, a.name as author, p.category, p.tags, p.locale, p.headline_folded as headline,
          p.sub_folded as sub, (select t.body from pub.piece_texts t where t.piece_id = p.id) as body
     from unnest($1::uuid[]) as given (id)
     join pub.pieces p on p.id = given.id
     join pub.authors a on a.id = p.author_id`,
  ['ids'],
)

const waitingWith = statement.raw<{ ids: readonly string[]; text: string }, { id: string }>(
  'words_waiting_with',
  `select p.id from unnest($1::uuid[]) as given (id)
     join pub.pieces p on p.id = given.id
     join pub.piece_texts t on t.piece_id = p.id
    where strpos(p.headline_folded, $2) > 0 or strpos(p.sub_folded, $2) > 0 or strpos(t.body, $2) > 0`,
  ['ids', 'text'],
)

const signedPieces = statement.raw<
  { authorId: string; max: number },
  { id: string; published_at: Date; version: string }
>(
  'words_signed',
  `select p.id, p.published_at, concat_ws(' ', p.xmin, a.xmin, p.modified_at) as version
     from pub.piece_co_authors l
     join pub.pieces p on p.id = l.piece_id
     join pub.authors a on a.id = p.author_id
    where l.author_id = $1 order by l.published_at desc, l.piece_id desc limit $2`,
  ['authorId', 'max'],
)

/**
 * The newest that an author signed as a co-author, read like pieces that wait: the index has each piece under its first
 * author, and the others come and go without a word of it changing.
 */
export async function signedDocs(db: Database, authorId: string, max: number): Promise<WaitingDoc[]> {
  const rows = await db.query(signedPieces, { authorId, max })
  return rows.map(({ published_at, ...doc }) => ({ ...doc, publishedAt: published_at }))
}

const batch = 64

/** Those that may answer the question. Throws by `check` when there is no time left; what was read is remembered. */
export async function waitingCandidates(
  db: Database,
  waiting: readonly WaitingDoc[],
  { terms, implied }: Question,
  check: () => void,
): Promise<WaitingDoc[]> {
  let left = waiting
  const forms = [...terms.filter((term) => term.kind === 'word'), ...implied].map((term) => [...term.forms].map(fnv1a))
  if (forms.length > 0 && left.length > 0) {
    const known = await knownWords(db, left, check)
    left = left.filter((doc) => {
      const words = known.get(doc.id)
      return words && forms.every((some) => some.some((hash) => words.has(hash)))
    })
  }
  for (const term of terms) {
    if (term.kind !== 'text' || left.length === 0) continue
    const rows = await db.query(waitingWith, { ids: left.map(({ id }) => id), text: term.text })
    const having = new Set(rows.map(({ id }) => id))
    left = left.filter(({ id }) => having.has(id))
  }
  return [...left]
}

async function knownWords(db: Database, docs: readonly WaitingDoc[], check: () => void): Promise<Map<string, Words>> {
  const cache = caches.get(db) ?? createLru<Words>(mostHashes)
  caches.set(db, cache)
  const known = new Map<string, Words>()
  const unknown: WaitingDoc[] = []
  for (const doc of docs) {
    const words = cache.get(versionOf(doc))
    if (words) known.set(doc.id, words)
    else unknown.push(doc)
  }
  for (let from = 0; from < unknown.length; from += batch) {
    check()
    const some = new Map(unknown.slice(from, from + batch).map((doc) => [doc.id, doc]))
    for (const row of await db.query(waitingPieces, { ids: [...some.keys()] })) {
      const words = new Set(wordsOf(row).byPlace.flatMap((forms) => [...forms].map(fnv1a)))
      cache.set(versionOf(some.get(row.id)!), words, words.size)
      known.set(row.id, words)
    }
  }
  return known
}

const versionOf = ({ id, version }: WaitingDoc): string => `${id} ${version}`
