/**
 * What the host page's scripts may replace is taken before they can, and called without being looked up again.
 * This file holds what every place that runs JavaScript has; page.ts holds what only a page has.
 */

type Method<Self, Arguments extends unknown[], Result> = (self: Self, ...values: Arguments) => Result

const { bind, call } = Function.prototype
/** `method` with its `this` as the first argument. */
export const uncurried = bind.bind(call) as <Self, Arguments extends unknown[], Result>(
  method: (this: Self, ...values: Arguments) => Result,
) => Method<Self, Arguments, Result>

const exec = uncurried(RegExp.prototype.exec)
const format = uncurried<Date, [string, Intl.DateTimeFormatOptions], string>(Date.prototype.toLocaleDateString)
const DateOf = Date
const { defineProperty } = Reflect

/** Adds to a list. An assignment would ask Object.prototype, which may have a setter for `1`. */
export function put<Item>(list: Item[], item: Item): void {
  const own = { __proto__: null, value: item, writable: true, enumerable: true, configurable: true }
  defineProperty(list, list.length, own as PropertyDescriptor)
}

/** The first group of a match, or the whole of it; undefined where there is none, or no text at all. */
export function match(pattern: RegExp, text: unknown): string | undefined {
  const found = typeof text === 'string' ? exec(pattern, text) : null
  return found ? (found[1] ?? found[0]) : undefined
}

/** 2 Nov 2026 */
export const dated = (time: string): string =>
  format(new DateOf(time), 'en-GB', {
    // @ts-expect-error A prototype of none: options a page has put into Object.prototype are not ours.
    __proto__: null,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })
