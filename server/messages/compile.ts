import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'
import type { Compiled } from './format.ts'

/** Compiles ICU MessageFormat to what format.ts takes. Throws if the message is malformed. */
export const compile = (message: string): Compiled => partsOf(parse(message, { captureLocation: false }))

type Parts = Exclude<Compiled, string>
type Part = Parts[number]

function partsOf(elements: readonly MessageFormatElement[]): Compiled {
  const parts = elements.map(partOf)
  return parts.every((part) => typeof part === 'string') ? parts.join('') : parts
}

function partOf(element: MessageFormatElement): Part {
  switch (element.type) {
    case TYPE.literal:
      return element.value
    case TYPE.pound:
      return 0
    case TYPE.argument:
      return [element.value]
    case TYPE.number:
      return [element.value, 'number', optionsOf(element.style, (style) => ({ style }))]
    case TYPE.date:
      return [element.value, 'date', optionsOf(element.style, (dateStyle) => ({ dateStyle }), { dateStyle: 'long' })]
    case TYPE.time:
      return [element.value, 'date', optionsOf(element.style, (timeStyle) => ({ timeStyle }), { timeStyle: 'short' })]
    case TYPE.plural:
      return [
        element.value,
        element.pluralType === 'ordinal' ? 'ordinal' : 'plural',
        casesOf(element.options),
        element.offset,
      ]
    case TYPE.select:
      return [element.value, 'select', casesOf(element.options)]
    case TYPE.tag:
      return [element.value, 'tag', partsOf(element.children)]
  }
}

/** A named style, or a skeleton such as `::yMMMd`, as options of Intl. */
function optionsOf(
  style: string | { readonly parsedOptions: object } | null | undefined,
  named: (style: string) => object,
  fallback: object = {},
): object {
  if (typeof style === 'string') return named(style)
  return style?.parsedOptions ?? fallback
}

const casesOf = (options: Readonly<Record<string, { readonly value: MessageFormatElement[] }>>) =>
  Object.fromEntries(Object.entries(options).map(([name, { value }]) => [name, partsOf(value)]))

/** The kind of each value that a message takes. */
export type Kinds = ReadonlyMap<string, 'text' | 'number' | 'date' | 'tag' | `select ${string}`>

export function kindsOf(message: Compiled, found = new Map<string, string>()): Kinds {
  if (typeof message !== 'string') for (const part of message) if (Array.isArray(part)) note(part, found)
  return found as Map<string, never>
}

function note([name, kind, inner]: readonly unknown[], found: Map<string, string>): void {
  const key = name as string
  const cases = () => Object.entries(inner as Record<string, Compiled>)
  switch (kind) {
    case 'plural':
    case 'ordinal':
      found.set(key, 'number')
      for (const [, one] of cases()) kindsOf(one, found)
      break
    case 'select':
      found.set(
        key,
        `select ${cases()
          .map(([name]) => name)
          .sort()
          .join(' ')}`,
      )
      for (const [, one] of cases()) kindsOf(one, found)
      break
    case 'tag':
      found.set(key, 'tag')
      kindsOf(inner as Compiled, found)
      break
    default:
      if (!found.has(key) || kind !== undefined) found.set(key, (kind as string | undefined) ?? 'text')
  }
}
