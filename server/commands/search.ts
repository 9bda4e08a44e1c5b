import type { Config } from '#config/config.ts'
import {
  estimateIndexing,
  type IndexStats,
  readIndexStats,
  type SegmentStats,
} from '#features/pieces/search/index-stats.ts'
import { openIndexerConnection } from '#features/pieces/search/indexer-lock.ts'
import { drainWithProgress } from '#seed/search-index.ts'
import { inNumbers, sizeInWords } from './backup/checksums.ts'
import { asOwner, ownerUrl } from './command-support.ts'

/** `standfirst search status`: for when a public piece is not found, or a search is partial. */
export async function status(config: Config): Promise<void> {
  const stats = await asOwner(config, readIndexStats)
  for (const line of linesOf(stats)) console.log(line)
}

function* linesOf({ status, publicPieces, outdated, segments, trie, bytes }: IndexStats): Generator<string> {
  const left = status.pieces > 0 ? `, ${estimateIndexing(status.pieces)} left` : ''
  yield `Pieces: ${inNumbers(publicPieces - status.pieces)} of ${inNumbers(publicPieces)} filed${left}`
  if (status.pieces > 0) yield `Waiting: ${inNumbers(status.pieces)}, the first for ${inWords(status.longest)}`
  if (outdated > 0)
    yield `To be filed once more, by a newer tree: ${inNumbers(outdated)}, ${estimateIndexing(outdated)}`
  yield status.running
    ? 'Filing: a worker has it in hand'
    : 'Filing: nobody. Is a worker running? standfirst search build files what waits.'
  yield trie
    ? `Tree: ${trie.id}, learned ${inMinutes(trie.trained_at)} for ${inNumbers(trie.pieces)} pieces: ${inNumbers(trie.strings)} common strings`
    : 'Tree: none yet'
  yield `On disk: ${sizeInWords(bytes)}`
  if (segments.length === 0) return
  yield ''
  yield 'Volumes, the largest first (number, pieces, size, tree, newest piece):'
  for (const segment of segments) yield lineOf(segment)
}

const lineOf = ({ id, pieces, bytes, trie, newest, state }: SegmentStats): string =>
  [
    id,
    inNumbers(pieces),
    sizeInWords(bytes),
    `tree ${trie}`,
    inMinutes(newest),
    ...(state === 'ready' ? [] : [words[state] ?? state]),
  ].join('\t')

const words: Readonly<Record<string, string>> = { binding: 'being bound', retired: 'to be thrown away' }

const inMinutes = (time: Date): string => `${time.toISOString().slice(0, 16)}Z`

function inWords(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`
}

/** `standfirst search build`: indexes at once what a worker indexes bit by bit. If interrupted, the next run continues. */
export async function build(config: Config): Promise<void> {
  const indexer = await openIndexerConnection({ url: ownerUrl(config), address: 'DATABASE_URL', role: 'svc_worker' })
  try {
    const { indexed, segments } = await drainWithProgress(indexer)
    console.log(`Nothing waits: ${inNumbers(indexed)} pieces in ${inNumbers(segments)} volumes.`)
  } finally {
    await indexer.end()
  }
}
