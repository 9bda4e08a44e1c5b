import type { Database } from '#platform/db/database.ts'
import { isCancelled } from '#platform/db/pg-errors.ts'
import { termsOf } from '#platform/ngram-index/terms.ts'
import { fold } from '#platform/text/fold.ts'
import { newest } from '../list-queries.ts'
import type { MatchSite } from '../schema.ts'
import { candidates, firstPostings, type TermLookup } from './candidates.ts'
import { type IndexSnapshot, readIndexSnapshot, trieOf } from './index-snapshot.ts'
import {
  byRecency,
  type Doc,
  fields,
  firstOrdinalNear,
  type PostingList,
  readDocs,
  readPostings,
  type SearchFilter,
  TooManyPages,
} from './segment.ts'
import { addSnippets, type Hit } from './snippet.ts'
import { type Match, scan, type TextFilter, verify } from './verify.ts'

export interface SearchQuery extends SearchFilter {
  readonly q: string
  readonly limit: number
  readonly after?: Match | undefined
  /** Milliseconds it may take. Backed by the `statement_timeout` of its connections. */
  readonly budget: number
}

export interface SearchResult {
  readonly hits: readonly Hit[]
  readonly partial?: true
}

/**
 * Public pieces that contain `q`: headline matches, then standfirst, then body, newest first within each.
 *
 * Field by field, until the page is full: pieces that wait to be indexed are all candidates; in each segment, newest
 * first, posting lists give the candidates. Every candidate is verified against its text. If the budget is spent, or too
 * many pieces are waiting, the result is what was found so far, in order, marked as partial.
 */
export async function findPieces(db: Database, query: SearchQuery): Promise<SearchResult> {
  const search = new Search(db, query)
  try {
    await search.run()
  } catch (error) {
    if (!(error instanceof OutOfTime || error instanceof TooManyPages) && !isCancelled(error)) throw error
    search.isComplete = false
  }
  const { found, term, isComplete } = search
  try {
    const hits = await addSnippets(db, term, found)
    return isComplete ? { hits } : { hits, partial: true }
  } catch (error) {
    if (!isCancelled(error)) throw error
    return { hits: found.map((match) => ({ ...match, snippet: null })), partial: true }
  }
}

class OutOfTime extends Error {}

/** Pages of posting lists per piece, by field. Reading more than `manyPages` costs more than a scan of `maxScanned` pieces. */
const pagesPerPiece = [0.009, 0.022, 0.62]
const manyPages = 300
const maxScanned = 10_000

/** Pages to read for a common term, estimated by the share of strings that start with it. */
const estimatePages = ({ segment, field, terms }: TermLookup): number =>
  segment.docCount * pagesPerPiece[field]! * terms.share

/** Candidates per batch: first enough for the page and a few false ones, then doubled up to this. */
const maxBatch = 1_000

class Search {
  readonly term: string
  readonly found: Match[] = []
  isComplete = true
  readonly #db: Database
  readonly #query: SearchQuery
  readonly #deadline: number

  constructor(db: Database, query: SearchQuery) {
    this.#db = db
    this.#query = query
    this.term = fold(query.q)
    this.#deadline = performance.now() + query.budget
  }

  async run(): Promise<void> {
    const { after, limit } = this.#query
    const snapshot = await readIndexSnapshot(this.#db)
    this.isComplete = !snapshot.isIncomplete
    const lookups = await this.#lookUp(snapshot)
    for (const [field, site] of fields.entries()) {
      if (after && field < fields.indexOf(after.site)) continue
      const start = site === after?.site ? after : newest
      this.#checkDeadline()
      const matches = new FieldMatches(limit - this.found.length)
      const waiting = snapshot.waiting.filter((doc) => byRecency(start, doc) < 0)
      try {
        matches.add(await verify(this.#db, site, this.#filter, waiting))
        await this.#searchField(lookups[field]!, start, matches)
      } finally {
        // A partial result includes what was found before an exception.
        this.found.push(...matches.page())
      }
      if (this.found.length >= limit) return
    }
  }

  get #filter(): TextFilter {
    const { category, language } = this.#query
    return { term: this.term, category, language }
  }

  /** The lookups by field, with the first posting lists of all segments and fields read in one round trip. */
  async #lookUp({ segments }: IndexSnapshot): Promise<StartedLookup[][]> {
    const filter = this.#filter
    const terms = await Promise.all(segments.map(async ({ trie }) => termsOf(this.term, await trieOf(this.#db, trie))))
    const lookups = fields.flatMap((_, field) =>
      segments.map((segment, index): TermLookup => ({ segment, field, terms: terms[index]!, filter })),
    )
    const ids = lookups.map(firstPostings)
    const lists = await readPostings(this.#db, ids.flat())
    const started = lookups.map((lookup, index) => ({ lookup, first: lists.splice(0, ids[index]!.length) }))
    return fields.map((_, field) => started.filter(({ lookup }) => lookup.field === field))
  }

  async #searchField(lookups: readonly StartedLookup[], start: Doc, matches: FieldMatches): Promise<void> {
    const common = lookups.filter(({ lookup }) => lookup.terms.keys.length === 0)
    if (common.length > 0) {
      const max = common.some(({ lookup }) => estimatePages(lookup) > manyPages) ? maxScanned : 0
      if (await this.#scan(fields[common[0]!.lookup.field]!, start, matches, max)) return
    }
    for (const { lookup, first } of lookups) {
      if (matches.isFullBefore({ publishedAt: lookup.segment.newest, id: greatestId })) return
      await this.#searchSegment(lookup, first, start, matches)
    }
  }

  /**
   * Scans the newest pieces: a common term fills the page soon. True if nothing more is needed. For a very common term it
   * goes on up to `max` pieces, since its posting lists are a large part of the index.
   */
  async #scan(site: MatchSite, start: Doc, matches: FieldMatches, max: number): Promise<boolean> {
    let from = start
    let scanned = 0
    for (let window = 100 + 3 * matches.limit; ; window = Math.min(window * 2, 2_000)) {
      this.#checkDeadline()
      const { matches: found, reached } = await scan(this.#db, site, this.#filter, from, window)
      matches.add(found)
      if (!reached || matches.isFullBefore(reached)) return true
      from = reached
      scanned += window
      if (scanned >= max) return false
    }
  }

  #checkDeadline(): void {
    if (performance.now() > this.#deadline) throw new OutOfTime()
  }

  async #searchSegment(
    lookup: TermLookup,
    first: readonly PostingList[],
    start: Doc,
    matches: FieldMatches,
  ): Promise<void> {
    const { segment, field } = lookup
    const from = start === newest ? 0 : await firstOrdinalNear(this.#db, segment, start)
    for await (const batch of candidates(this.#db, lookup, first)) {
      const left = batch.filter((ordinal) => ordinal >= from)
      let size = matches.limit + 12
      for (let at = 0; at < left.length; at += size, size = Math.min(size * 2, maxBatch)) {
        this.#checkDeadline()
        const docs = await readDocs(this.#db, segment, left.subarray(at, at + size))
        const older = docs.filter((doc) => byRecency(start, doc) < 0)
        matches.add(await verify(this.#db, fields[field]!, this.#filter, older))
        if (matches.isFullBefore(docs.at(-1)!)) return
      }
    }
  }
}

interface StartedLookup {
  readonly lookup: TermLookup
  readonly first: readonly PostingList[]
}

const greatestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** The matches of one field, newest first, without duplicates: a piece may be in two segments. */
class FieldMatches {
  readonly limit: number
  #matches: Match[] = []

  constructor(limit: number) {
    this.limit = limit
  }

  add(matches: readonly Match[]): void {
    const known = new Set(this.#matches.map(({ id }) => id))
    this.#matches = [...this.#matches, ...matches.filter(({ id }) => !known.has(id))].sort(byRecency)
  }

  /** Whether the page is full with matches at least as new as this doc. */
  isFullBefore(doc: Doc): boolean {
    const final = this.#matches[this.limit - 1]
    return final !== undefined && byRecency(final, doc) <= 0
  }

  page(): Match[] {
    return this.#matches.slice(0, this.limit)
  }
}
