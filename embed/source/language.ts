import type { Compiled } from '../../server/messages/format.ts'

/**
 * Takes references to built-ins before scripts of the host page can replace them, so that they are never looked up
 * again. This file holds what every JavaScript runtime has; page.ts holds what only a page has.
 */

type Method<Self, Arguments extends unknown[], Result> = (self: Self, ...values: Arguments) => Result

const { bind, call } = Function.prototype
/** Returns `method` with its `this` as the first argument. */
export const uncurried = bind.bind(call) as <Self, Arguments extends unknown[], Result>(
  method: (this: Self, ...values: Arguments) => Result,
) => Method<Self, Arguments, Result>

const exec = uncurried(RegExp.prototype.exec)
const format = uncurried<Date, [string, Intl.DateTimeFormatOptions], string>(Date.prototype.toLocaleDateString)
const formatNumber = uncurried<number, [string], string>(Number.prototype.toLocaleString)
const pluralOf = uncurried<Intl.PluralRules, [number], string>(Intl.PluralRules.prototype.select)
const { PluralRules } = Intl
const DateOf = Date
const { defineProperty } = Reflect
const { hasOwn } = Object

/** Appends to a list. A plain assignment could trigger a setter for the index on Object.prototype. */
export function push<Item>(list: Item[], item: Item): void {
  const own = { __proto__: null, value: item, writable: true, enumerable: true, configurable: true }
  defineProperty(list, list.length, own as PropertyDescriptor)
}

/** Returns the first group of a match, or the whole match; undefined if there is none or `text` is not a string. */
export function match(pattern: RegExp, text: unknown): string | undefined {
  const found = typeof text === 'string' ? exec(pattern, text) : null
  return found ? (found[1] ?? found[0]) : undefined
}

/** Formats a date as "2 Nov 2026". */
export const formatDate = (locale: string, time: string): string =>
  format(new DateOf(time), locale, {
    // @ts-expect-error A prototype of none: options a page has put into Object.prototype are not ours.
    __proto__: null,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })

/** A message with the values that the widgets have: a count and a text. They use neither tags nor selects nor exact plurals. */
export function formatMessage(locale: string, message: Compiled, count: number, text: string): string {
  if (typeof message === 'string') return message
  let result = ''
  for (let at = 0; at < message.length; at += 1) {
    const part = message[at]!
    if (part === 0) result += formatNumber(count, locale)
    else if (typeof part === 'string') result += part
    else if (part[1] === 'plural') {
      const cases = part[2]
      const name = pluralOf(new PluralRules(locale), count)
      result += formatMessage(locale, hasOwn(cases, name) ? cases[name]! : cases['other']!, count, text)
    } else result += text
  }
  return result
}
