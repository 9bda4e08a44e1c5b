import { advice, claims, questions, turns } from './claims.ts'
import type { Slot, Template } from './grammar.ts'
import { compile, phrase, rankedLines, sentence } from './grammar.ts'
import { asides, asks, closings, details, evidence, intros, items, marked, scenes, voices } from './sentences.ts'
import { bios, descriptions, headings, headlines, listings, roles, snippets, standfirsts } from './short-texts.ts'
import { chinese, european, japanese } from './tongues.ts'
import type { Writer } from './writer.ts'
import { writerSlots } from './writer.ts'

type Say = Slot<Writer>

export type Style = keyof typeof headlines

let built: ReturnType<typeof buildRepertoire> | undefined

/** All templates, compiled once per thread. */
export function repertoire() {
  built ??= buildRepertoire()
  return built
}

function buildRepertoire() {
  const slots = writerSlots()
  const small = (source: string) => phrase(rankedLines(source), slots, 'small')
  const lines = (source: string) => phrase(rankedLines(source), slots, 'capital')
  const fresh = (source: string) => sentence(rankedLines(source), slots)
  const straight = fresh(quoted(voices, '"', '"'))
  const curly = fresh(quoted(voices, '“', '”'))
  const speech: Say = (writer) => (writer.curly ? curly(writer) : straight(writer))
  const [claim, proof, turn, question] = [fresh(claims), fresh(evidence), fresh(turns), fresh(questions)]

  return {
    scenes: fresh(scenes),
    claims: claim,
    closings: fresh(closings),
    marked: fresh(marked),
    asks: fresh(asks),
    intros: fresh(intros),
    items: small(items),
    /** How a paragraph begins and continues, with weights. */
    leads: mixture([claim, 7], [proof, 3], [turn, 3], [question, 2], [speech, 1]),
    follows: mixture(
      [fresh(details), 13],
      [fresh(asides), 6],
      [claim, 3],
      [proof, 5],
      [speech, 4],
      [turn, 3],
      [fresh(advice), 1],
      [question, 1],
    ),
    headlines: mapped(headlines, lines),
    standfirsts: lines(standfirsts),
    headings: lines(headings),
    bios: lines(bios),
    roles: lines(roles),
    listings: {
      names: mapped(sold('names'), lines),
      summaries: mapped(sold('summaries'), lines),
      descriptions: fresh(descriptions),
    },
    cjk: [fresh(chinese.sentences), fresh(japanese.sentences)],
    european: [fresh(european.french), fresh(european.german), fresh(european.spanish)],
    snippets: snippets.map(({ language, lines }): Snippet => {
      return { language, code: compile(lines.trim(), slots, 'small') }
    }),
  }
}

const sold = (what: 'names' | 'summaries') =>
  Object.fromEntries(Object.entries(listings).map(([kind, given]) => [kind, given[what]])) as Record<
    keyof typeof listings,
    string
  >

interface Snippet {
  language: string
  code: Template<Writer>
}

function mixture(...parts: [say: Say, times: number][]): Say[] {
  return parts.flatMap(([say, times]) => new Array<Say>(times).fill(say))
}

function mapped<K extends string>(sources: Record<K, string>, read: (source: string) => Say): Record<K, Say> {
  return Object.fromEntries(Object.entries<string>(sources).map(([key, source]) => [key, read(source)])) as Record<
    K,
    Say
  >
}

/** Turns each pair of `~` on a line into quotation marks. */
function quoted(source: string, open: string, close: string): string {
  return source
    .split('~')
    .map((part, i) => part + (i % 2 === 0 ? open : close))
    .join('')
    .slice(0, -1)
}
