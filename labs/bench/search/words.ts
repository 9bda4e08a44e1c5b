import { type LabelledQuestion, labelledQuestions, questionClasses } from '../../../testkit/words-questions.ts'
import { searchedSite } from '../corpus/oracle.ts'
import { type Site, withNext } from './site.ts'

/** The languages of generated sites. */
const languages = ['ar', 'de', 'en', 'es', 'fr', 'ja', 'pt', 'zh']
const limit = 20
/** The wanted piece must be among the first so many. */
const wantedAmong = 5
/** As far as equally good pieces are counted. */
const mostEquals = 200

interface WordsCost {
  readonly questions: number
  readonly partial: number
  /** Questions whose piece is among the first five, by class. */
  readonly found: Readonly<Record<string, string>>
  /** Why others are not: by reason. */
  readonly missed: Readonly<Record<string, number>>
  /** Of all questions, what any order of equally good pieces finds on average: five of n that have the words at its place. */
  readonly attainable: number
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
  readonly standing: Standing
}

interface Standing {
  /** If it is not among the first five. */
  readonly reason?: 'as good, but older' | 'the slip is another word' | 'other'
  /** The chance to be among the first five, were the order of equally good pieces random. */
  readonly chance: number
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
  for (const question of questions) {
    const { class: kind, q, id } = question
    const began = performance.now()
    await ask(q)
    const milliseconds = performance.now() - began
    const { result, buffers } = await site.countBuffers(() => ask(q))
    const isFound = result.hits.slice(0, wantedAmong).some((hit) => hit.id === id)
    const standing = await standingOf(site, question, isFound)
    measured.push({ kind, isFound, milliseconds, buffers, isPartial: result.partial ?? false, standing })
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
    missed: Object.fromEntries(
      [...Map.groupBy(measured, ({ standing }) => standing.reason ?? 'found')]
        .filter(([reason]) => reason !== 'found')
        .map(([reason, some]) => [reason, some.length]),
    ),
    attainable: Math.round(measured.reduce((sum, { standing }) => sum + standing.chance, 0)),
    milliseconds: spread(measured.map((one) => Math.round(one.milliseconds * 10) / 10)),
    buffers: spread(measured.map((one) => one.buffers)),
  }
}

/** Compares the wanted piece, asked for alone, with what the question finds. */
async function standingOf(
  site: Site,
  { q, id, authorId, publishedAt }: LabelledQuestion,
  isFound: boolean,
): Promise<Standing> {
  const onlyIt = { authorId, since: publishedAt, before: new Date(publishedAt.getTime() + 1) }
  const all = await site.findByWords({ q, languages, limit: mostEquals })
  const alone = await site.findByWords({ q, languages, limit: 5, ...onlyIt })
  const wanted = alone.hits.find((hit) => hit.id === id)
  const isOtherWord = wanted !== undefined && alone.isCorrected !== all.isCorrected
  if (!wanted || isOtherWord)
    return isFound ? { chance: 1 } : { chance: 0, reason: isOtherWord ? 'the slip is another word' : 'other' }
  const better = all.hits.filter(({ tier }) => tier < wanted.tier).length
  const equal = all.hits.filter(({ tier }) => tier === wanted.tier).length
  const chance = Math.min(1, Math.max(0, wantedAmong - better) / Math.max(1, equal))
  if (isFound) return { chance }
  return { chance, reason: better + equal > wantedAmong ? 'as good, but older' : 'other' }
}

function spread(values: readonly number[]): number[] {
  const sorted = values.toSorted((a, b) => a - b)
  return [0.5, 0.99, 1].map((share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!)
}
