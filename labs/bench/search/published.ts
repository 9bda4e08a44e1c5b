import type { QueryClass } from '../corpus/queries.ts'
import { type ClassCost, type Cost, everything, limits } from './cost.ts'

/** What docs/performance.md shows of searches in a site of one size. */
export interface SearchResult {
  /** All questions together, at each limit. */
  readonly all: readonly (SearchFigures & { readonly limit: number })[]
  /** At limit 20. */
  readonly classes: readonly (SearchFigures & { readonly name: string })[]
}

export interface SearchFigures {
  readonly queries: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  readonly buffersP50: number
  readonly buffersP99: number
  readonly buffersMax: number
  /** Share of the questions answered in part. */
  readonly partial: number
}

/** The classes as a reader knows them, in the order in which they are shown. */
const names: Readonly<Record<QueryClass, string>> = {
  'very common word': 'very common word',
  'common word': 'common word',
  'mid word': 'less common word',
  'rare word': 'rare word',
  'absent word': 'absent word',
  'mistyped word': 'mistyped word',
  'beginning of a word': 'beginning of a word',
  'part of a word': 'part of a word',
  'across words': 'across two words',
  'phrase that occurs': 'phrase that occurs',
  'phrase that does not': 'phrase, words rearranged',
  'long, present': 'long passage',
  'long, absent': 'long passage, a letter added',
  name: 'name',
  number: 'number',
  identifier: 'identifier',
  address: 'web address',
  code: 'code',
  'punctuation with letters': 'punctuation and letters',
  'with spaces around': 'spaces around and between',
  '1 Latin character': '1 character',
  '2 Latin characters': '2 Latin characters',
  'CJK, 1 to 4 characters': '1 to 4 characters of CJK',
  accents: 'accents and other scripts',
}

const [page] = limits

export function publishedOf({ classes }: Cost): SearchResult {
  const find = (name: string, limit = page) => classes.filter((one) => one.class === name && one.limit === limit)
  return {
    all: limits.flatMap((limit) => find(everything, limit).map((one) => ({ limit, ...figuresOf(one) }))),
    classes: Object.entries(names).flatMap(([key, name]) => find(key).map((one) => ({ name, ...figuresOf(one) }))),
  }
}

const figuresOf = ({ queries, milliseconds, buffers, partial }: ClassCost): SearchFigures => ({
  queries,
  p50: milliseconds.p50,
  p99: milliseconds.p99,
  buffersP50: buffers.p50,
  buffersP99: buffers.p99,
  buffersMax: buffers.max,
  partial: partial / queries,
})
