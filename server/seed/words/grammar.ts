import { article } from './forms.ts'

/** Writes one phrase; `S` is the state of the piece being written. */
export type Slot<S> = (state: S) => string

/** Whether a slot at the start of a sentence is capitalised. */
type Opens = 'small' | 'capital'

export interface Template<S> {
  start: string
  slots: Slot<S>[]
  /** The text after each slot. */
  rest: string[]
}

/** A power of two, so that random bits choose without a division. */
const choices = 256

interface Chooser {
  random: { bits(): number }
}

interface Teller<S> extends Chooser {
  said: Set<Template<S>>
}

export type Slots<S> = Record<string, Slot<S>>
type Lines = readonly [line: string, weight: number][]

/** Picks one line by weight and fills its slots. Compiled on first use, since phrases refer to each other. */
export function phrase<S extends Chooser>(lines: Lines, slots: Slots<S>, opens: Opens = 'small'): Slot<S> {
  let table: Template<S>[] | undefined
  return (state) => {
    table ??= read(lines, slots, opens)
    return fill(table[state.random.bits() & (choices - 1)] as Template<S>, state)
  }
}

/** Like `phrase`, but avoids repeating a line within a piece for a number of tries. */
export function sentence<S extends Teller<S>>(lines: Lines, slots: Slots<S>): Slot<S> {
  let table: Template<S>[] | undefined
  return (state) => {
    table ??= read(lines, slots, 'capital')
    let template = table[state.random.bits() & (choices - 1)] as Template<S>
    for (let tries = 0; tries < 4 && state.said.has(template); tries++) {
      template = table[state.random.bits() & (choices - 1)] as Template<S>
    }
    state.said.add(template)
    return fill(template, state)
  }
}

function read<S>(lines: Lines, slots: Slots<S>, opens: Opens): Template<S>[] {
  const templates = lines.map(([line]) => compile(line, slots, opens))
  return spread(lines.map(([, weight]) => weight)).map((i) => templates[i] as Template<S>)
}

/** Skips empty strings: each concatenation costs as much as a short word. */
export function fill<S>({ start, slots, rest }: Template<S>, state: S): string {
  let said = start
  for (let i = 0; i < slots.length; i++) {
    const part = (slots[i] as Slot<S>)(state)
    said = said === '' ? part : said + part
    const after = rest[i] as string
    if (after !== '') said += after
  }
  return said
}

/** Parses lines such as `3 the {thing}`; the default weight is 1. */
export function weightedLines(source: string): [string, number][] {
  return linesOf(source).map((line) => {
    const [, weight = '1', rest = ''] = /^(?:(\d+) )?(.*)$/.exec(line) ?? []
    return [rest, Number(weight)]
  })
}

/** The most frequent first: the weight falls with the position. */
export function rankedLines(source: string): [string, number][] {
  return linesOf(source).map((line, rank) => [line, 1 / (rank + 14)])
}

function linesOf(source: string): string[] {
  return source
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
}

/** Repeats each index in proportion to its weight. */
function spread(weights: readonly number[]): number[] {
  const sum = weights.reduce((total, weight) => total + weight)
  const table: number[] = []
  let until = 0
  weights.forEach((weight, i) => {
    until += (weight / sum) * choices
    while (table.length + 0.5 < until) table.push(i)
  })
  while (table.length < choices) table.push(weights.length - 1)
  return table
}

export function compile<S>(line: string, slots: Slots<S>, opens: Opens): Template<S> {
  const template: Template<S> = { start: '', slots: [], rest: [] }
  const parts = line.split(/\{([a-zA-Z]+)\}/)
  parts.forEach((part, i) => {
    if (i % 2 === 0) {
      if (i === 0) template.start = part
      else template.rest.push(part)
      return
    }
    const slot = slots[part]
    if (!slot) throw new Error(`no slot {${part}} for: ${line}`)
    const before = parts[i - 1] as string
    template.slots.push(fitted(slot, before, opens))
    if (!/(^|[ "“*[])a $/i.test(before)) return
    if (i === 1) template.start = before.slice(0, -2)
    else template.rest[template.rest.length - 1] = before.slice(0, -2)
  })
  return template
}

/** Adds `a` or `an`, or a capital, depending on the text before. */
function fitted<S>(slot: Slot<S>, before: string, opens: Opens): Slot<S> {
  if (/(^|[ "“*[])a $/.test(before)) {
    return (state) => {
      const said = slot(state)
      return article(said) + said
    }
  }
  if (/(^|[ "“*])A $/.test(before)) {
    return (state) => {
      const said = slot(state)
      return capital(article(said)) + said
    }
  }
  if (opens === 'capital' && /(^|[.?!] )["“*]*$|: ["“]$/.test(before)) return (state) => capital(slot(state))
  return slot
}

/** ASCII only: none of our words that may open a sentence starts otherwise, and toUpperCase() is slow. */
export function capital(said: string): string {
  const code = said.charCodeAt(0)
  return code >= 97 && code <= 122 ? String.fromCharCode(code - 32) + said.slice(1) : said
}
