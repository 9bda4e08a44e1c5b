import type { ReadContext } from '#features/context.ts'
import { cutRows, isTime, isUuid, readCursor } from '#platform/cursor.ts'
import { invalid } from '#platform/errors.ts'
import { languagesOf } from './languages.ts'
import type { Filter } from './list-queries.ts'
import { presentHits } from './reads.ts'
import { type PieceHits, pieceListLimits, type SearchPiecesIn, wordsFilters } from './schema.ts'
import { partTier, type WordsPosition } from './search/words-find.ts'
import { findByWords } from './search/words-suggest.ts'

export interface SearchByWords extends Omit<SearchPiecesIn, 'mode' | 'author'>, Pick<Filter, 'authorId'> {
  /** Of the site, if they are known already. */
  readonly languages?: readonly string[] | undefined
}

/** `searchPieces` by words: the same shape, and what the question may have meant. */
export async function searchByWords(reads: ReadContext, asked: SearchByWords): Promise<PieceHits> {
  const { q, category, authorId, language, tag, limit = pieceListLimits.default, cursor } = asked
  const { searchDb, searchBudget } = reads
  const position = cursor === undefined ? undefined : readWordsCursor(cursor)
  const languages = language === undefined ? (asked.languages ?? (await languagesOf(reads))) : [language]
  const { hits, partial, didYouMean, isCorrected } = await findByWords(searchDb, {
    ...{ q, languages, category, authorId, language, tag, limit: limit + 1, budget: searchBudget },
    after: position?.after,
    isCorrected: position?.isCorrected,
    since: timeOf('since', asked.since),
    before: timeOf('until', asked.until),
  })
  const { page, next_cursor } = cutRows('words', hits, limit, (last) => [
    last.tier,
    last.publishedAt.getTime(),
    last.id,
    isCorrected ?? false,
  ])
  const results = await presentHits(reads, page)
  return {
    ok: true,
    query: q,
    category: category ?? null,
    count: results.length,
    results,
    next_cursor,
    ...(partial ? { partial, advice } : {}),
    ...(didYouMean === undefined ? {} : { did_you_mean: didYouMean }),
    ...(isCorrected ? { corrected: true } : {}),
  }
}

/** Exact search knows other filters; better an error than results that were not asked for. */
export function refuseWordsFilters<Query extends object>(query: Query): Query {
  const given = Object.keys(wordsFilters).filter((name) => query[name as keyof Query] !== undefined)
  if (given.length > 0)
    throw invalid(given.map((name) => ({ pointer: `/${name}`, code: 'unexpected', detail: 'needs mode=words' })))
  return query
}

const advice =
  'The search ran out of time, or pieces are still being indexed, and there may be more. A further word narrows it.'

const oneDay = 86_400_000

/** A day means all of it: `until` is the end of it. */
function timeOf(name: 'since' | 'until', said: string | undefined): Date | undefined {
  if (said === undefined) return undefined
  const time = Date.parse(said)
  // Within the range of PostgreSQL timestamps; Date.parse also takes 31 February, as a day of March.
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(said.slice(0, 10)))
    throw invalid([{ pointer: `/${name}`, code: 'malformed', detail: 'must be a day or a time that exists' }])
  return new Date(name === 'until' && said.length === 10 ? time + oneDay : time)
}

function readWordsCursor(cursor: string): { after: WordsPosition; isCorrected: boolean } {
  const [tier, time, id, isCorrected] = readCursor<[number, number, string, boolean]>(
    'words',
    cursor,
    ([place, at, piece, flag, ...rest]) =>
      Number.isInteger(place) &&
      (place as number) >= 0 &&
      (place as number) <= partTier &&
      isTime(at) &&
      isUuid(piece) &&
      typeof flag === 'boolean' &&
      rest.length === 0,
  )
  return { after: { tier, publishedAt: new Date(time), id }, isCorrected }
}
