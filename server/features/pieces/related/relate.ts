import { setImmediate } from 'node:timers/promises'
import type { Database } from '#platform/db/database.ts'
import { isTag, type Rarity, rarityIn, type Subject, termsOf } from './terms.ts'

/**
 * In the worker: finds for each public piece others about the same subject. What a piece is compared by is kept with it
 * (pub.related), so that a comparison reads a few hundred short lists and no text.
 */

const mostRelated = 12
/** Of one author, whatever else they wrote about it. */
const mostOfAuthor = 2

// Bounds of one comparison: at most some 900 candidates, most of them by an index that is read in order.
const newestOfSection = 100
const newestOfAuthor = 20
const ofEachTerm = 25

/** Characters of the text that are read. */
const beginning = 8_000

interface SubjectRow {
  readonly id: string
  readonly author_id: string
  readonly category: string
  readonly tags: readonly string[]
  readonly locale: string
  readonly language: string
  readonly headline: string
  readonly standfirst: string
  readonly body: string
  readonly translation_of: string | null
}

const selectSubjects = `
  select p.id, p.author_id, p.category, p.tags, p.locale, pub.language_of(p.locale) as language,
         p.headline_folded as headline, p.sub_folded as standfirst, left(t.body, ${beginning}) as body, p.translation_of
    from pub.pieces p join pub.piece_texts t on t.piece_id = p.id`

/** How many of the newest pieces of a language tell how rare its words are. */
const sampleSize = 300

type RarityOf = (language: string) => Promise<Rarity>

/** The rarity of words in each language, read once in each job: 300 texts take some 50 ms. */
function raritiesIn(db: Database): RarityOf {
  const known = new Map<string, Promise<Rarity>>()
  const read = async (language: string): Promise<Rarity> => {
    const sample = await db.run<SubjectRow>({
      text: `${selectSubjects} where pub.language_of(p.locale) = $1 order by p.published_at desc, p.id desc limit $2`,
      values: [language, sampleSize],
    })
    return rarityIn(sample)
  }
  return (language) => {
    const rarity = known.get(language) ?? read(language)
    known.set(language, rarity)
    return rarity
  }
}

interface Compared extends Omit<SubjectRow, keyof Subject> {
  readonly terms: readonly string[]
}

/** Keeps what these pieces are compared by. Those that are no longer public are missing. */
async function keepTerms(db: Database, rarityOf: RarityOf, ids: readonly string[]): Promise<Compared[]> {
  const rows = await db.run<SubjectRow>({ text: `${selectSubjects} where p.id = any ($1::uuid[])`, values: [ids] })
  const compared: Compared[] = []
  for (const row of rows) {
    const terms = termsOf(row, await rarityOf(row.language))
    await db.run({ text: 'select app.keep_terms($1, $2)', values: [row.id, terms] })
    compared.push({ ...row, terms })
    // A long text takes some milliseconds, and other jobs wait in this process.
    await setImmediate()
  }
  return compared
}

interface Candidate {
  readonly id: string
  readonly author_id: string
  readonly category: string
  readonly language: string
  readonly translation_of: string | null
  readonly terms: readonly string[]
}

/** The newest of the same section and language, of the same author, and some that have one of its terms. */
const selectCandidates = `
  select p.id, p.author_id, p.category, pub.language_of(p.locale) as language, p.translation_of, r.terms
    from (
      (select id from pub.pieces where category = $2 and pub.language_of(locale) = $3
        order by published_at desc, id desc limit ${newestOfSection})
      union
      (select id from pub.pieces where author_id = $4 order by published_at desc, id desc limit ${newestOfAuthor})
      union
      select found.piece_id from unnest($5::text[]) wanted(term) cross join lateral (
        select r.piece_id from pub.related r where r.terms @> array[wanted.term] limit ${ofEachTerm}) found
    ) candidate
    join pub.pieces p on p.id = candidate.id
    join pub.related r on r.piece_id = candidate.id
   where candidate.id <> $1
   order by p.published_at desc, p.id desc`

/**
 * Without sequential scans: PostgreSQL expects a term in one piece of 200, so that a few dozen rows would be enough, and
 * would read the whole table for a rare one instead of the index of terms.
 */
const candidatesFor = (db: Database, { id, category, language, author_id, terms }: Compared): Promise<Candidate[]> =>
  db.transaction({}, async (tx) => {
    await tx.query('set local enable_seqscan = off')
    await tx.query('set local jit = off')
    const { rows } = await tx.query<Candidate>(selectCandidates, [id, category, language, author_id, terms])
    return rows
  })

/** Keeps and returns what to read after a piece, nearest first. */
async function keepRelated(db: Database, rarityOf: RarityOf, piece: Compared): Promise<string[]> {
  const rarity = await rarityOf(piece.language)
  const candidates = await candidatesFor(db, piece)
  const own = new Set(piece.terms)
  const original = piece.translation_of ?? piece.id
  const near = candidates
    .filter((one) => one.id !== original && one.translation_of !== original)
    .map((one) => ({ ...one, score: nearness(own, one, piece, rarity) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
  const counts = new Map<string, number>()
  const related: string[] = []
  for (const { id, author_id } of near) {
    const count = counts.get(author_id) ?? 0
    if (count === mostOfAuthor) continue
    counts.set(author_id, count + 1)
    related.push(id)
    if (related.length === mostRelated) break
  }
  await db.run({ text: 'select app.keep_related($1, $2)', values: [piece.id, related] })
  return related
}

/** A tag that both have counts twice, and needs no second term: people chose it. One word alone may be chance. */
function nearness(own: ReadonlySet<string>, other: Candidate, piece: Compared, rarity: Rarity): number {
  const shared = other.terms.filter((term) => own.has(term))
  if (shared.length < 2 && !shared.some(isTag)) return 0
  const score = shared.reduce((sum, term) => sum + Math.max(rarity(term), 0.1) * (isTag(term) ? 2 : 1), 0)
  // Few readers change the language. The section decides between equals.
  return score * (other.language === piece.language ? 1 : 0.2) * (other.category === piece.category ? 1.1 : 1)
}

/** How many of the pieces it is near to learn of a new one at once; the rest when they are computed again. */
const neighbours = 6

/** After a publication. */
export async function relatePiece(db: Database, id: string): Promise<void> {
  const rarityOf = raritiesIn(db)
  const [piece] = await keepTerms(db, rarityOf, [id])
  if (!piece) return
  const related = await keepRelated(db, rarityOf, piece)
  for (const one of await keepTerms(db, rarityOf, related.slice(0, neighbours))) await keepRelated(db, rarityOf, one)
}

/** Pieces of one run; a run every five minutes computes 86 thousand a day. */
const mostAtOnce = 300
const recomputedAfter = '7 days'

/** Computes again what was computed longest ago, and first what never was. */
export async function refreshRelated(db: Database, signal?: AbortSignal): Promise<void> {
  const rows = await db.run<{ piece_id: string }>({
    text: `select r.piece_id from pub.related r where r.computed_at < now() - $1::interval
             and exists (select from pub.pieces p where p.id = r.piece_id)
            order by r.computed_at, r.piece_id limit $2`,
    values: [recomputedAfter, mostAtOnce],
  })
  // First the terms of all of them: each may be near to the others.
  const rarityOf = raritiesIn(db)
  const pieces = await keepTerms(
    db,
    rarityOf,
    rows.map((row) => row.piece_id),
  )
  for (const piece of pieces) {
    if (signal?.aborted) return
    await keepRelated(db, rarityOf, piece)
  }
}
