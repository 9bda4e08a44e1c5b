import type { Database } from '#platform/db/database.ts'
import { isCancelled } from '#platform/db/pg-errors.ts'
import { primaryLanguage } from '#platform/text/language.ts'
import { latest } from '../keyset.ts'
import type { MatchSite } from '../schema.ts'
import { type IndexSnapshot, maxWaiting, readIndexSnapshot, type WaitingDoc } from './index-snapshot.ts'
import { byRecency, type Doc, firstOrdinalNear, readDocs, type Segment, TooManyPages } from './segment.ts'
import { type BodySpan, snippetsOf } from './snippet.ts'
import { type Alternatives, keysFor, readLists, wordCandidates } from './words-candidates.ts'
import { type PublicText, readTexts } from './words-confirm.ts'
import { places, type WordFilter } from './words-keys.ts'
import { bestSpan, placeOf } from './words-match.ts'
import { type Question, withPart } from './words-query.ts'
import { signedDocs, waitingCandidates } from './words-waiting.ts'

export interface WordsQuery extends WordFilter {
  readonly limit: number
  readonly after?: WordsPosition | undefined
  /** Published at this time or later. */
  readonly since?: Date | undefined
  /** Published before this time. */
  readonly before?: Date | undefined
  /** Not as parts of others. */
  readonly wholeWords?: boolean | undefined
}

/** A place in the results: the tier, then newest first. */
export interface WordsPosition extends Doc {
  readonly tier: number
}

export interface WordsHit extends WordsPosition {
  readonly site: MatchSite
  /** Whether the last word was found as part of another only. */
  readonly isPart: boolean
  readonly snippet: string | null
}

/** The order of the results: where all words stand. Of those who have them anywhere, first with one in the headline. */
const tiers: readonly Rank[] = [
  { place: 0, needsHeadline: false },
  { place: 1, needsHeadline: false },
  { place: 2, needsHeadline: true },
  { place: 2, needsHeadline: false },
]
/** Then pieces that have the last word as part of others. */
export const partTier = tiers.length
const anywhere = places.length - 1

class OutOfTime extends Error {}

/**
 * Public pieces that have all words of a question, in any order: those that have them in the headline, then in headline,
 * standfirst, byline and tags, then anywhere, then those with the last word as part of another; newest first within each.
 *
 * Like exact search: tier by tier until the page is full, pieces that wait to be indexed and posting lists give candidates,
 * and texts decide. What is found before the time runs out is kept.
 */
export class WordsSearch {
  isComplete = true
  readonly #db: Database
  readonly #query: WordsQuery
  readonly #question: Question
  readonly #deadline: number
  readonly #found: Found[] = []
  readonly #ids = new Set<string>()

  constructor(db: Database, query: WordsQuery, question: Question, deadline: number) {
    this.#db = db
    this.#query = query
    this.#question = question
    this.#deadline = deadline
  }

  get positions(): readonly WordsPosition[] {
    return this.#found.map(({ piece, tier }) => ({ id: piece.id, publishedAt: piece.publishedAt, tier }))
  }

  async hits(): Promise<WordsHit[]> {
    const snippets = await this.#snippets()
    return this.#found.map(({ piece: { id, publishedAt }, tier, place }) => ({
      id,
      publishedAt,
      tier,
      site: places[place]!,
      isPart: tier === partTier,
      snippet: snippets.get(id) ?? null,
    }))
  }

  /** Of those found in the body. */
  async #snippets(): Promise<Map<string, string>> {
    const inBody = this.#found.filter(({ place }) => place === anywhere)
    try {
      return await snippetsOf(this.#db, inBody.map(spanOf))
    } catch (error) {
      if (!isCancelled(error)) throw error
      this.isComplete = false
      return new Map()
    }
  }

  async run(): Promise<this> {
    try {
      await this.#run()
    } catch (error) {
      if (!(error instanceof OutOfTime || error instanceof TooManyPages) && !isCancelled(error)) throw error
      this.isComplete = false
    }
    return this
  }

  async #run(): Promise<void> {
    const { after, limit } = this.#query
    const snapshot = await readIndexSnapshot(this.#db)
    const segments = snapshot.segments.filter(({ hasWords }) => hasWords)
    // Otherwise segments of the release before are being indexed again.
    this.isComplete = !snapshot.isIncomplete && segments.length === snapshot.segments.length
    const unindexed = await this.#unindexed(snapshot)
    const waiting = await this.#searchWaiting(unindexed, this.#question)
    const ranks = [...tiers.entries()].filter(([tier]) => tier >= (after?.tier ?? 0))
    const lists = await this.#readLists(
      segments,
      this.#question,
      ranks.map(([, rank]) => rank),
    )
    for (const [index, [tier, { place }]] of ranks.entries()) {
      await this.#searchTier({ tier, place, question: this.#question }, segments, lists[index]!, waiting)
      if (this.#found.length >= limit) return
    }
    const question = this.#query.wholeWords ? undefined : withPart(this.#question)
    if (!question) return
    const parts = await this.#searchWaiting(unindexed, question)
    const [ofParts] = await this.#readLists(segments, question, [{ place: anywhere, needsHeadline: false }])
    await this.#searchTier({ tier: partTier, place: anywhere, question }, segments, ofParts!, parts)
  }

  /** By rank, then by segment. */
  async #readLists(
    segments: readonly Segment[],
    question: Question,
    ranks: readonly Rank[],
  ): Promise<Alternatives[][][]> {
    const keys = ranks.map(({ place, needsHeadline }) => keysFor(question, this.#query, place, needsHeadline))
    const lists = await readLists(this.#db, segments, keys.flat())
    let to = 0
    return keys.map(({ length }) => {
      const from = to
      to += length
      return lists.map((ofSegment) => ofSegment.slice(from, from + length))
    })
  }

  /** What waits to be indexed and, for one author, what they signed. */
  async #unindexed({ waiting }: IndexSnapshot): Promise<WaitingDoc[]> {
    const { authorId } = this.#query
    const signed = authorId === undefined ? [] : await signedDocs(this.#db, authorId, maxWaiting + 1)
    if (signed.length > maxWaiting) this.isComplete = false
    return [...new Map([...signed.slice(0, maxWaiting), ...waiting].map((doc) => [doc.id, doc])).values()]
  }

  async #searchWaiting(unindexed: readonly WaitingDoc[], question: Question): Promise<Found[]> {
    const docs = await waitingCandidates(this.#db, unindexed, question, () => this.#checkTime())
    const texts = await readTexts(this.#db, docs, this.#query, true)
    return texts.flatMap((piece) => this.#match(piece, question))
  }

  /** What a piece is found as, if it is. */
  #match(piece: PublicText, question: Question): Found[] {
    const standing = placeOf(question, piece)
    if (!standing) return []
    const { place, isInHeadline } = standing
    const tier =
      place < anywhere ? place : tiers.findIndex((rank) => rank.place === place && rank.needsHeadline === isInHeadline)
    if (question === this.#question) return [{ piece, tier, place, question }]
    return placeOf(this.#question, piece) === undefined ? [{ piece, tier: partTier, place, question }] : []
  }

  async #searchTier(
    tier: Tier,
    segments: readonly Segment[],
    lists: readonly (readonly Alternatives[])[],
    waiting: readonly Found[],
  ): Promise<void> {
    const start = this.#startOf(tier.tier)
    const found = new TierMatches(this.#query.limit - this.#found.length)
    found.add(waiting.filter((one) => one.tier === tier.tier && this.#isWanted(one.piece, start)))
    try {
      for (const [index, segment] of segments.entries()) {
        if (found.isFullBefore({ publishedAt: segment.newest, id: latest.id })) return
        if (!isOlder({ publishedAt: segment.newest }, this.#query.since))
          await this.#searchSegment(tier, segment, lists[index]!, start, found)
      }
    } finally {
      for (const one of found.page()) this.#add(one)
    }
  }

  #add(one: Found): void {
    this.#found.push(one)
    this.#ids.add(one.piece.id)
  }

  #isWanted(doc: Doc, start: Doc): boolean {
    return byRecency(start, doc) < 0 && !isOlder(doc, this.#query.since) && !this.#ids.has(doc.id)
  }

  #startOf(tier: number): Doc {
    const { after, before } = this.#query
    const position = after?.tier === tier ? after : { publishedAt: latest.time, id: latest.id }
    const bound = { publishedAt: before ?? latest.time, id: before ? leastId : latest.id }
    return byRecency(position, bound) < 0 ? bound : position
  }

  async #searchSegment(
    { tier, place, question }: Tier,
    segment: Segment,
    lists: readonly Alternatives[],
    start: Doc,
    found: TierMatches,
  ): Promise<void> {
    const from = start.publishedAt >= segment.newest ? 0 : await firstOrdinalNear(this.#db, segment, start)
    for await (const batch of wordCandidates(this.#db, segment, question, place, lists, from)) {
      let size = found.limit + 8
      for (let at = 0; at < batch.length; at += size, size = Math.min(size * 2, largestBatch)) {
        this.#checkTime()
        const docs = await readDocs(this.#db, segment, batch.subarray(at, at + size))
        const wanted = docs.filter((doc) => this.#isWanted(doc, start) && !found.has(doc))
        const texts = await readTexts(this.#db, wanted, this.#query, place === anywhere)
        found.add(texts.flatMap((piece) => this.#match(piece, question)).filter((one) => one.tier === tier))
        if (found.isFullBefore(docs.at(-1)!) || isOlder(docs.at(-1)!, this.#query.since)) return
      }
    }
  }

  #checkTime(): void {
    if (performance.now() > this.#deadline) throw new OutOfTime()
  }
}

/** Docs confirmed at once: their texts are read. */
const largestBatch = 200
const leastId = '00000000-0000-0000-0000-000000000000'

interface Rank {
  /** An index into `places`. */
  readonly place: number
  readonly needsHeadline: boolean
}

interface Tier extends Pick<Rank, 'place'> {
  readonly tier: number
  readonly question: Question
}

interface Found {
  readonly piece: PublicText
  readonly tier: number
  readonly place: number
  readonly question: Question
}

const isOlder = ({ publishedAt }: Pick<Doc, 'publishedAt'>, since: Date | undefined): boolean =>
  since !== undefined && publishedAt < since

/** What a tier has, newest first, without duplicates: a piece may be in two segments. */
class TierMatches {
  readonly limit: number
  readonly #ids = new Set<string>()
  #found: Found[] = []

  constructor(limit: number) {
    this.limit = limit
  }

  has({ id }: Doc): boolean {
    return this.#ids.has(id)
  }

  add(found: readonly Found[]): void {
    const fresh = found.filter(({ piece }) => !this.#ids.has(piece.id))
    for (const { piece } of fresh) this.#ids.add(piece.id)
    this.#found = [...this.#found, ...fresh].sort((a, b) => byRecency(a.piece, b.piece))
  }

  /** Whether the page is full with matches at least as new as this doc. */
  isFullBefore(doc: Doc): boolean {
    const final = this.#found[this.limit - 1]
    return final !== undefined && byRecency(final.piece, doc) <= 0
  }

  page(): Found[] {
    return this.#found.slice(0, this.limit)
  }
}

function spanOf({ question, piece: { id, authorId, body, locale } }: Found): BodySpan {
  const [from, to] = bestSpan(question, body ?? '', primaryLanguage(locale)) ?? [0, 0]
  return { id, authorId, body: body ?? '', from, to }
}
