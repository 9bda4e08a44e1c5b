import type { Database } from '#platform/db/database.ts'
import { isCancelled } from '#platform/db/failures.ts'
import { wantedFor } from '#platform/ngram-index/terms.ts'
import { fold } from '#platform/text/fold.ts'
import { newest } from '../queries.ts'
import type { Category, MatchSite } from '../schema.ts'
import { candidates, firstNames, type TermLookup } from './candidates.ts'
import { firstOlder, membersOf } from './doc-lookup.ts'
import { byRecency, type Member } from './docs.ts'
import { sites } from './fields.ts'
import type { Hit, Place } from './hit.ts'
import { type Shelf, shelfOf, treeOf } from './index-snapshot.ts'
import { type List, readLists, TooMuch } from './postings-reader.ts'
import { snippets } from './snippet.ts'
import { confirm, lookThrough } from './verify.ts'

export interface Question {
  readonly q: string
  readonly category?: Category | undefined
  readonly limit: number
  readonly after?: Place | undefined
  /** Milliseconds it may take. `statement_timeout` of its connections stands behind it. */
  readonly budget: number
}

export interface Answer {
  readonly hits: readonly Hit[]
  readonly partial?: true
}

/**
 * Public pieces that contain `q`: headline matches, then standfirst, then body, newest first within each.
 *
 * Site after site, until the page is full: the pieces that wait to be filed are looked through; of each volume, newest
 * first, the lists of the term name candidates. The texts decide on every one of them. When the budget is spent, or
 * too many are waiting, the answer is what was found so far, in order, and says that it is partial.
 */
export async function findPieces(db: Database, question: Question): Promise<Answer> {
  const search = new Search(db, question)
  try {
    await search.run()
  } catch (error) {
    if (!(error instanceof OutOfTime || error instanceof TooMuch) && !isCancelled(error)) throw error
    search.complete = false
  }
  const { found, term, complete } = search
  try {
    const hits = await snippets(db, term, found)
    return complete ? { hits } : { hits, partial: true }
  } catch (error) {
    if (!isCancelled(error)) throw error
    return { hits: found.map((place) => ({ ...place, snippet: null })), partial: true }
  }
}

class OutOfTime extends Error {}

/** Pages of lists a piece has at each site, and how many of them are dearer to read than a long walk. */
const pagesAPiece = [0.009, 0.022, 0.62]
const manyPages = 300
const longestWalk = 10_000

/** Of the pages of a common term, an estimate: they are as many as the strings that begin with it. */
const pagesOf = ({ volume, site, wanted }: TermLookup): number => volume.pieces * pagesAPiece[site]! * wanted.share

/** Confirmed at once: enough for the page and some that are not what they seem, then more and more. */
const mostConfirmed = 1_000

class Search {
  readonly term: string
  readonly found: Place[] = []
  complete = true
  readonly #db: Database
  readonly #question: Question
  readonly #deadline: number

  constructor(db: Database, question: Question) {
    this.#db = db
    this.#question = question
    this.term = fold(question.q)
    this.#deadline = performance.now() + question.budget
  }

  async run(): Promise<void> {
    const { after, limit } = this.#question
    const shelf = await shelfOf(this.#db)
    this.complete = !shelf.behind
    const lookings = await this.#lookings(shelf)
    for (const [number, site] of sites.entries()) {
      if (after && number < sites.indexOf(after.site)) continue
      const start = site === after?.site ? after : newest
      this.#stopInTime()
      const hits = new Hits(limit - this.found.length)
      const waiting = shelf.waiting.filter((member) => byRecency(start, member) < 0)
      try {
        hits.add(await confirm(this.#db, site, this.#asked, waiting))
        await this.#searchSite(lookings[number]!, start, hits)
      } finally {
        // What was found before it had to stop is part of the answer.
        this.found.push(...hits.newest())
      }
      if (this.found.length >= limit) return
    }
  }

  get #asked() {
    return { term: this.term, category: this.#question.category }
  }

  /** What to look up in each volume at each site, with the first lists of all of them in one round trip. */
  async #lookings(shelf: Shelf): Promise<LookedUp[][]> {
    const { category } = this.#question
    const wanted = await Promise.all(
      shelf.volumes.map(async ({ tree }) => wantedFor(this.term, await treeOf(this.#db, tree))),
    )
    const lookings = sites.flatMap((_, site) =>
      shelf.volumes.map((volume, place): TermLookup => ({ volume, site, wanted: wanted[place]!, category })),
    )
    const names = lookings.map(firstNames)
    const lists = await readLists(this.#db, names.flat())
    const looked = lookings.map((looking, place) => ({ looking, first: lists.splice(0, names[place]!.length) }))
    return sites.map((_, site) => looked.filter(({ looking }) => looking.site === site))
  }

  async #searchSite(volumes: readonly LookedUp[], start: Member, hits: Hits): Promise<void> {
    const common = volumes.filter(({ looking }) => looking.wanted.lists.length === 0)
    if (common.length > 0) {
      const longest = common.some(({ looking }) => pagesOf(looking) > manyPages) ? longestWalk : 0
      if (await this.#walk(sites[common[0]!.looking.site]!, start, hits, longest)) return
    }
    for (const { looking, first } of volumes) {
      if (hits.areFullBefore({ publishedAt: looking.volume.newest, id: last })) return
      await this.#searchVolume(looking, first, start, hits)
    }
  }

  /**
   * Looks through the newest pieces: where a term is common, that is soon enough. True if nothing more is needed.
   * A very common one is walked on for, since its lists are a good part of the index.
   */
  async #walk(site: MatchSite, start: Member, hits: Hits, longest: number): Promise<boolean> {
    let from = start
    let walked = 0
    for (let window = 100 + 3 * hits.need; ; window = Math.min(window * 2, 2_000)) {
      this.#stopInTime()
      const { places, reached } = await lookThrough(this.#db, site, this.#asked, from, window)
      hits.add(places)
      if (!reached || hits.areFullBefore(reached)) return true
      from = reached
      walked += window
      if (walked >= longest) return false
    }
  }

  #stopInTime(): void {
    if (performance.now() > this.#deadline) throw new OutOfTime()
  }

  async #searchVolume(looking: TermLookup, first: readonly List[], start: Member, hits: Hits): Promise<void> {
    const { volume, site } = looking
    const from = start === newest ? 0 : await firstOlder(this.#db, volume, start)
    for await (const batch of candidates(this.#db, looking, first)) {
      const left = batch.filter((ordinal) => ordinal >= from)
      let size = hits.need + 12
      for (let at = 0; at < left.length; at += size, size = Math.min(size * 2, mostConfirmed)) {
        this.#stopInTime()
        const members = await membersOf(this.#db, volume, left.subarray(at, at + size))
        const older = members.filter((member) => byRecency(start, member) < 0)
        hits.add(await confirm(this.#db, sites[site]!, this.#asked, older))
        if (hits.areFullBefore(members.at(-1)!)) return
      }
    }
  }
}

interface LookedUp {
  readonly looking: TermLookup
  readonly first: readonly List[]
}

/** No id is greater. */
const last = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** What was found at a site, in order and each once. */
class Hits {
  readonly need: number
  #places: Place[] = []

  constructor(need: number) {
    this.need = need
  }

  add(places: readonly Place[]): void {
    const known = new Set(this.#places.map(({ id }) => id))
    this.#places = [...this.#places, ...places.filter(({ id }) => !known.has(id))].sort(byRecency)
  }

  /** Whether whatever is not newer than this place would come after the page. */
  areFullBefore(place: Member): boolean {
    const final = this.#places[this.need - 1]
    return final !== undefined && byRecency(final, place) <= 0
  }

  newest(): Place[] {
    return this.#places.slice(0, this.need)
  }
}
