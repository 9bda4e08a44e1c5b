import { labelledQuestions, questionClasses } from '../../../testkit/words-questions.ts'
import { searchedSite } from '../corpus/oracle.ts'
import { type Site, withNext } from './site.ts'

/** The languages of generated sites. */
const languages = ['ar', 'de', 'en', 'es', 'fr', 'ja', 'pt', 'zh']
const limit = 20

interface WordsCost {
  readonly questions: number
  readonly partial: number
  /** Questions whose piece is among the first five, by class. */
  readonly found: Readonly<Record<string, string>>
  /** p50, p99 and most. */
  readonly milliseconds: readonly number[]
  readonly buffers: readonly number[]
}

interface Measured {
  readonly kind: string
  readonly isFound: boolean
  readonly milliseconds: number
  readonly buffers: number
  readonly isPartial: boolean
}

/** 300 labelled questions in a generated site: whether the piece that is meant is found, and what that costs. */
export async function measureWords(
  site: Site,
  { pieces, corpusSeed, seed, count }: { pieces: number; corpusSeed: number; seed: number; count: number },
): Promise<WordsCost> {
  const questions = labelledQuestions(searchedSite(corpusSeed, pieces), seed, count)
  const ask = (q: string) => site.findByWords({ q, languages, limit: withNext(limit) })
  for (const { q } of questions.slice(0, 20)) await ask(q)
  const measured: Measured[] = []
  for (const { class: kind, q, id } of questions) {
    const began = performance.now()
    await ask(q)
    const milliseconds = performance.now() - began
    const { result, buffers } = await site.countBuffers(() => ask(q))
    const isFound = result.hits.slice(0, 5).some((hit) => hit.id === id)
    measured.push({ kind, isFound, milliseconds, buffers, isPartial: result.partial ?? false })
  }
  return {
    questions: measured.length,
    partial: measured.filter(({ isPartial }) => isPartial).length,
    found: Object.fromEntries(
      questionClasses.map((kind) => {
        const asked = measured.filter((one) => one.kind === kind)
        return [kind, `${asked.filter(({ isFound }) => isFound).length} of ${asked.length}`]
      }),
    ),
    milliseconds: spread(measured.map((one) => Math.round(one.milliseconds * 10) / 10)),
    buffers: spread(measured.map((one) => one.buffers)),
  }
}

function spread(values: readonly number[]): number[] {
  const sorted = values.toSorted((a, b) => a - b)
  return [0.5, 0.99, 1].map((share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!)
}
