/**
 * Formats compiled messages, on the server and in the browser. Written by hand because it is small and hot: 0.9 kB in
 * the desk's first load, where the smallest library takes 3 kB, and one way of rich text for HTML, React and plain text
 * (docs/adr/0020-message-catalogues.md).
 */

/** A message as compile.ts makes it from ICU MessageFormat: text, or a list of parts. */
export type Compiled = string | readonly Part[]

type Part =
  | string
  /** `#` in a plural. */
  | 0
  | readonly [name: string, kind?: undefined]
  | readonly [name: string, kind: 'number' | 'date', options: object]
  | readonly [name: string, kind: 'plural' | 'ordinal', cases: Cases, offset: number]
  | readonly [name: string, kind: 'select', cases: Cases]
  | readonly [name: string, kind: 'tag', content: Compiled]

type Cases = Readonly<Record<string, Compiled>>

/** The language's own numbers, dates and plural rules, each made when it is first needed. */
export interface Formats {
  readonly locale: string
  number(value: number, options?: object): string
  date(value: Date | string | number, options: Intl.DateTimeFormatOptions): string
  plural(value: number, type: Intl.PluralRuleType): string
}

/** `timeZone` is the reader's own if undefined. */
export function formatsFor(locale: string, timeZone?: string): Formats {
  const known = new Map<string, unknown>()
  // Making one takes some 20 µs, using it 1 µs.
  const once = <Format>(kind: string, options: object, make: () => Format): Format => {
    const key = kind + JSON.stringify(options)
    if (!known.has(key)) known.set(key, make())
    return known.get(key) as Format
  }
  const zone = timeZone === undefined ? {} : { timeZone }
  return {
    locale,
    number: (value, options = {}) =>
      once('number', options, () => new Intl.NumberFormat(locale, options)).format(value),
    date: (value, options) =>
      once('date', options, () => new Intl.DateTimeFormat(locale, { ...zone, ...options })).format(new Date(value)),
    plural: (value, type) => once('plural', { type }, () => new Intl.PluralRules(locale, { type })).select(value),
  }
}

export type Values<Rich> = Readonly<Record<string, Value<Rich>>>
type Value<Rich> = string | number | Date | Rich | ((content: Rich) => Rich)

/**
 * The parts of a formatted message, for the caller to join. `join` makes what a tag's function gets of the parts inside
 * the tag.
 */
export function formatParts<Rich>(
  message: Compiled,
  values: Values<Rich>,
  formats: Formats,
  join: (parts: readonly (string | Rich)[]) => Rich,
  counted = 0,
): (string | Rich)[] {
  if (typeof message === 'string') return [message]
  const within = (inner: Compiled, count: number) => formatParts(inner, values, formats, join, count)
  return message.flatMap((part): (string | Rich)[] => {
    if (typeof part === 'string') return [part]
    if (part === 0) return [formats.number(counted)]
    const value = values[part[0]]
    switch (part[1]) {
      case undefined:
        return [typeof value === 'number' ? formats.number(value) : (value as string | Rich)]
      case 'number':
        return [formats.number(value as number, part[2])]
      case 'date':
        return [formats.date(value as Date, part[2])]
      case 'select':
        return within(caseFor(part[2], String(value)), counted)
      case 'tag':
        return [(value as (content: Rich) => Rich)(join(within(part[2], counted)))]
      default: {
        const [, kind, cases, offset] = part
        const count = (value as number) - offset
        const exact = cases[`=${value}`]
        const type = kind === 'plural' ? 'cardinal' : 'ordinal'
        return within(exact ?? caseFor(cases, formats.plural(count, type)), count)
      }
    }
  })
}

const caseFor = (cases: Cases, name: string): Compiled => cases[name] ?? cases['other']!

/** A message as plain text. */
export const formatText = (message: Compiled, values: Values<string>, formats: Formats): string =>
  typeof message === 'string' ? message : formatParts(message, values, formats, joinText).join('')

const joinText = (parts: readonly string[]): string => parts.join('')
