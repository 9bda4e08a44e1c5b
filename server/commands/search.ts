import type { Config } from '#config/config.ts'
import {
  type IndexStats,
  indexingMinutes,
  readIndexStats,
  type SegmentStats,
} from '#features/pieces/search/index-stats.ts'
import { openIndexerConnection } from '#features/pieces/search/indexer-lock.ts'
import { cliTranslator } from '#messages/cli.ts'
import { drainWithProgress } from '#seed/search-index.ts'
import { asOwner, ownerUrl } from './command-support.ts'
import { formatBytes, formatDuration, formatMinute } from './format.ts'

const t = cliTranslator()

/** `standfirst search status`: for when a public piece is not found, or a search is partial. */
export async function status(config: Config): Promise<void> {
  const stats = await asOwner(config, readIndexStats)
  for (const line of linesOf(stats)) console.log(line)
}

function* linesOf({ status, publicPieces, outdated, segments, trie, bytes }: IndexStats): Generator<string> {
  yield t('cli.search.indexed', { done: publicPieces - status.pieces, total: publicPieces })
  if (status.pieces > 0) {
    const minutes = indexingMinutes(status.pieces)
    yield t('cli.search.waiting', { count: status.pieces, time: formatDuration(status.longest), minutes })
  }
  if (outdated > 0) yield t('cli.search.outdated', { count: outdated, minutes: indexingMinutes(outdated) })
  yield status.running ? t('cli.search.running') : t('cli.search.not_running', { command: 'standfirst search build' })
  yield trie
    ? t('cli.search.trie', {
        id: String(trie.id),
        trained: formatMinute(trie.trained_at),
        pieces: trie.pieces,
        strings: trie.strings,
      })
    : t('cli.search.no_trie')
  yield t('cli.search.size', { size: formatBytes(bytes) })
  if (segments.length === 0) return
  yield ''
  yield t('cli.search.segments')
  for (const segment of segments) yield lineOf(segment)
}

const lineOf = ({ id, pieces, bytes, trie, newest, state }: SegmentStats): string =>
  [
    id,
    t.number(pieces),
    formatBytes(bytes),
    t('cli.search.segment_trie', { id: String(trie) }),
    formatMinute(newest),
    ...(state === 'ready' ? [] : [t('cli.search.segment_state', { state })]),
  ].join('\t')

/** `standfirst search build`: indexes at once what a worker indexes bit by bit. If interrupted, the next run continues. */
export async function build(config: Config): Promise<void> {
  const indexer = await openIndexerConnection({ url: ownerUrl(config), address: 'DATABASE_URL', role: 'svc_worker' })
  try {
    const { indexed, segments } = await drainWithProgress(indexer)
    console.log(t('cli.search.built', { pieces: indexed, segments }))
  } finally {
    await indexer.end()
  }
}
