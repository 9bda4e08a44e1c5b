import { type IndexFigures, indexFigures, timeToFile, type VolumeFigures } from '#features/pieces/search/index-stats.ts'
import type { Config } from '#platform/config.ts'
import { asOwner } from './as-owner.ts'
import { inNumbers, sizeInWords } from './backup/format.ts'

/** `standfirst search status`: what to look at when somebody does not find what is public, or a search is partial. */
export async function status(config: Config): Promise<void> {
  const figures = await asOwner(config, indexFigures)
  for (const line of linesOf(figures)) console.log(line)
}

function* linesOf({ behind, public: all, again, volumes, tree, bytes }: IndexFigures): Generator<string> {
  const left = behind.pieces > 0 ? `, ${timeToFile(behind.pieces)} left` : ''
  yield `Pieces: ${inNumbers(all - behind.pieces)} of ${inNumbers(all)} filed${left}`
  if (behind.pieces > 0) yield `Waiting: ${inNumbers(behind.pieces)}, the first for ${inWords(behind.longest)}`
  if (again > 0) yield `To be filed once more, by a newer tree: ${inNumbers(again)}, ${timeToFile(again)}`
  yield behind.filing
    ? 'Filing: a worker has it in hand'
    : 'Filing: nobody. Is a worker running? standfirst search build files what waits.'
  yield tree
    ? `Tree: ${tree.id}, learned ${inMinutes(tree.learned_at)} for ${inNumbers(tree.pieces)} pieces: ${inNumbers(tree.strings)} common strings`
    : 'Tree: none yet'
  yield `On disk: ${sizeInWords(bytes)}`
  if (volumes.length === 0) return
  yield ''
  yield 'Volumes, the largest first (number, pieces, size, tree, newest piece):'
  for (const volume of volumes) yield lineOf(volume)
}

const lineOf = ({ id, pieces, bytes, tree, newest, state }: VolumeFigures): string =>
  [
    id,
    inNumbers(pieces),
    sizeInWords(bytes),
    `tree ${tree}`,
    inMinutes(newest),
    ...(state === 'ready' ? [] : [words[state] ?? state]),
  ].join('\t')

const words: Readonly<Record<string, string>> = { binding: 'being bound', retired: 'to be thrown away' }

const inMinutes = (time: Date): string => `${time.toISOString().slice(0, 16)}Z`

function inWords(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`
}
