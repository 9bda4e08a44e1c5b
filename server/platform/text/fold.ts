import { normaliseLine } from './normalise.ts'

/**
 * Folds text for search: one line, in lower case.
 *
 * Case is folded only here, because JavaScript and PostgreSQL differ in lower case, and so that a part of a word folds
 * as it does inside the whole. Every code point gives exactly one, so an offset in the folded text is an offset in the
 * line.
 *
 * Two characters would change their length or depend on their neighbours in lower case: İ (U+0130) becomes two code
 * points, Σ one of two. All others map one to one (Unicode's SpecialCasing.txt; text.test.ts tries every code point).
 */
export function fold(text: string): string {
  return normaliseLine(text).replace(/İ/g, 'i').replace(/[Σς]/g, 'σ').toLowerCase()
}
