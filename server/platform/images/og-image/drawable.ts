/**
 * What can be drawn of a text, or null if it would lose a letter: better no headline than one with boxes or gaps in it.
 * Emoji, and signs the typeface does not have, are left out.
 */
export function drawable(text: string | null, has: (codePoint: number) => boolean): string | null {
  const kept: string[] = []
  for (const { segment } of graphemes.segment((text ?? '').normalize('NFC').replace(formatting, ''))) {
    const characters = [...segment].slice(0, mostCharacters)
    if (characters.every((character) => isSpace.test(character) || has(character.codePointAt(0)!))) {
      if (!isMark.test(segment)) kept.push(...characters)
    } else if (isWord.test(segment) && !isEmoji.test(segment)) return null
  }
  const line = kept.join('').replace(/\s+/gu, ' ').trim()
  return isWord.test(line) ? line : null
}

/** Of one letter with its marks: more would pile up into the lines around it. */
const mostCharacters = 4

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Joiners, direction marks, variation selectors and the like: nothing this typeface has needs them. */
const formatting = /[[\p{Cf}\p{Cc}\p{Variation_Selector}]--\s]/gv
const isSpace = /^\s$/u
/** Without a letter to stand on. */
const isMark = /^\p{M}/u
const isWord = /[\p{L}\p{N}\p{M}]/u
const isEmoji = /^\p{RGI_Emoji}$|\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20E3/v
