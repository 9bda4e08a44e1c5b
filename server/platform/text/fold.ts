import { normalise } from './normalise.ts'

/**
 * Text as search sees it: lower case, white space as single spaces.
 *
 * Case is folded here and nowhere else, because JavaScript's and PostgreSQL's lower case differ, and so that a part
 * of a word folds as it does inside the whole. Every code point gives exactly one, so an offset in the folded text
 * is an offset in the single-spaced text.
 */
export function fold(text: string): string {
  return foldCase(singleSpaced(text))
}

/** White space that is not yet a single space; a pattern of all white space would replace every space by itself. */
const notSingleSpace = / \s+|[^\S ]\s*/gu

/** The same characters `fold` counts, in their own case: what snippets are cut from. */
export function singleSpaced(text: string): string {
  return normalise(text).replace(notSingleSpace, ' ').trim()
}

/**
 * Two letters lose their length or depend on their neighbours in lower case: İ (U+0130) would become two code
 * points, Σ one of two. All others map one to one (Unicode's SpecialCasing.txt; fold.test.ts tries every code point).
 */
function foldCase(text: string): string {
  return text.replace(/İ/g, 'i').replace(/[Σς]/g, 'σ').toLowerCase()
}
