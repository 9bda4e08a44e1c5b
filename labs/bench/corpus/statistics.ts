import { parseArgs } from 'node:util'
import { fold } from '../../../server/platform/text/fold.ts'
import { writePiece } from '../../../server/seed/prose.ts'
import { countStrings } from './strings.ts'
import { english } from './texts.ts'

/**
 * Prints a Markdown table that compares generated pieces with real English.
 *
 *   node labs/bench/corpus/statistics.ts [--seed 1] [--words 1000000] [--pieces 10000]
 *
 * Real English is cut into bodies as long as the generated ones, since shares of bodies depend on their length. `--pieces`
 * limits the bodies in which strings are counted; the real texts may have fewer.
 */
interface Corpus {
  readonly name: string
  readonly bodies: readonly string[]
}

const bodyLength = 4_350

/** Bodies of each source, and of all sources mixed. */
function realBodies(): Corpus[] {
  const sources = english()
  const cut = (paragraphs: readonly string[]): string[] => {
    const bodies: string[] = []
    let body = ''
    for (const paragraph of paragraphs) {
      body += `${body && ' '}${fold(paragraph)}`
      if (body.length < bodyLength) continue
      bodies.push(body.slice(0, bodyLength))
      body = ''
    }
    return bodies
  }
  const each = sources.map(({ name, paragraphs }) => ({ name, bodies: cut(paragraphs) }))
  // Interleaved by the relative position of each in its source.
  const mixed = each
    .flatMap(({ bodies }) => bodies.map((body, at) => ({ body, position: at / bodies.length })))
    .sort((a, b) => a.position - b.position)
    .map(({ body }) => body)
  return [{ name: 'real, all three', bodies: mixed }, ...each]
}

const number = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(value < 10 ? 2 : 3)
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`

function rowsOf(bodies: readonly string[], mostWords: number, mostBodies: number): Record<string, string> {
  const words = new Map<string, number>()
  const pairs = new Map<string, number>()
  let [total, used, atThousand] = [0, 0, 0]
  for (const body of bodies) {
    let before = ''
    for (const [word] of body.matchAll(/\p{L}+(?:['’]\p{L}+)*/gu)) {
      words.set(word, (words.get(word) ?? 0) + 1)
      const pair = `${before} ${word}`
      pairs.set(pair, (pairs.get(pair) ?? 0) + 1)
      before = word
      total += 1
    }
    used += 1
    if (used === 1_000) atThousand = words.size
    if (total >= mostWords) break
  }
  const counts = [...words.values()].sort((a, b) => b - a)
  const covered = (size: number) => counts.slice(0, size).reduce((sum, count) => sum + count, 0) / total
  const pairCounts = [...pairs.values()].sort((a, b) => b - a)
  const grams = (length: number) => {
    const sample = bodies.slice(0, 500)
    const sizes = sample.map((body) => {
      const found = new Set<string>()
      for (let at = 0; at + length <= body.length; at += 1) found.add(body.slice(at, at + length))
      return found.size
    })
    return number(sizes.reduce((sum, size) => sum + size, 0) / sample.length)
  }
  const rows: Record<string, string> = { words: number(total) }
  for (const rank of [1, 10, 100, 1_000, 10_000]) {
    rows[`per million, rank ${rank.toLocaleString('en')}`] = number(((counts[rank - 1] ?? 0) / total) * 1e6)
  }
  for (const size of [100, 1_000, 10_000])
    rows[`covered by the top ${size.toLocaleString('en')}`] = percent(covered(size))
  rows['different words'] = number(words.size)
  rows['different words in 1,000 bodies'] = atThousand === 0 ? '–' : number(atThousand)
  rows['of them said once'] = percent(counts.filter((count) => count === 1).length / counts.length)
  rows['different pairs per million words'] = number((pairs.size / total) * 1e6)
  rows['share of the top 1,000 pairs'] = percent(
    pairCounts.slice(0, 1_000).reduce((sum, count) => sum + count, 0) / total,
  )
  for (const length of [3, 4, 6]) rows[`different ${length}-grams a body`] = grams(length)
  const looked = bodies.slice(0, mostBodies)
  const shares = [0.001, 0.01, 0.05]
  // With fewer bodies a thousandth is one or two, which is not meaningful.
  const counted = looked.length < 1_000 ? [] : countStrings(looked, 24, shares)
  rows['bodies looked through for strings'] = number(looked.length)
  for (const [index, share] of shares.entries()) {
    rows[`strings of up to 24 characters in over ${share * 100} % of bodies`] =
      counted[index]?.toLocaleString('en') ?? '–'
  }
  return rows
}

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    words: { type: 'string', default: '1000000' },
    pieces: { type: 'string', default: '10000' },
  },
})
const [seed, words, pieces] = [Number(values.seed), Number(values.words), Number(values.pieces)]
const generated = Array.from({ length: pieces }, (_, index) => fold(writePiece(seed, index).text))
const real = realBodies()
const [mixed] = real
// Counts of strings in a share of the bodies depend on the number of bodies, so the same number is generated too.
const corpora: Corpus[] = [
  { name: `made, ${number(pieces)}`, bodies: generated },
  { name: `made, ${number(mixed!.bodies.length)}`, bodies: generated.slice(0, mixed!.bodies.length) },
  ...real,
]
const columns = corpora.map(({ name, bodies }) => {
  console.error(name)
  return rowsOf(bodies, words, pieces)
})
console.log(`| | ${corpora.map(({ name }) => name).join(' | ')} |`)
console.log(`|---|${corpora.map(() => '--:').join('|')}|`)
for (const label of Object.keys(columns[0]!)) {
  console.log(`| ${label} | ${columns.map((column) => column[label]).join(' | ')} |`)
}
