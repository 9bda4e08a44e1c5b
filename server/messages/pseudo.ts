import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'
import { printAST } from '@formatjs/icu-messageformat-parser/printer.js'
import { addCatalogue, catalogueOf, sourceLanguage } from './translator.ts'

/**
 * Two languages made of the English catalogue, for tests and `npm run dev` (docs/translating.md): `en-XA` has accents
 * and is 40 % longer, `ar-XB` is the same from right to left. What is not accented is not in a catalogue, and what does
 * not fit will not fit in some language either.
 */
export const pseudoLanguages = ['en-XA', 'ar-XB'] as const

type PseudoLanguage = (typeof pseudoLanguages)[number]

/** From now on, this process speaks them. */
export function addPseudoLanguages(): void {
  for (const language of pseudoLanguages) addCatalogue(language, pseudoCatalogue(language))
}

export function pseudoCatalogue(language: PseudoLanguage): Readonly<Record<string, string>> {
  const change = language === 'ar-XB' ? (text: string) => mirrored(longer(text)) : longer
  const messages = Object.entries(catalogueOf(sourceLanguage))
  return Object.fromEntries(messages.map(([id, message]) => [id, printAST(changed(parse(message), change))]))
}

/** Only the words: values, tags and plural cases stay as they are. */
const changed = (elements: readonly MessageFormatElement[], change: (text: string) => string): MessageFormatElement[] =>
  elements.map((element) => {
    switch (element.type) {
      case TYPE.literal:
        return { ...element, value: change(element.value) }
      case TYPE.tag:
        return { ...element, children: changed(element.children, change) }
      case TYPE.plural:
      case TYPE.select: {
        const cases = Object.entries(element.options).map(([name, { value }]) => [
          name,
          { value: changed(value, change) },
        ])
        return { ...element, options: Object.fromEntries(cases) } as typeof element
      }
      default:
        return element
    }
  })

/** All in the site's own typeface, so that widths are true. */
const plain = 'acdeghijklnorstuwyzACDEGHIJKLNORSTUWYZ'
const accented = 'áçđéğĥíĵķļñöŕšţüŵýžÁÇĐÉĞĤÍĴĶĻÑÖŔŠŢÜŴÝŽ'

/** Repeats characters inside the words, since a long word is harder to fit than two words. */
function longer(text: string): string {
  let read = 0
  let written = 0
  return [...text]
    .map((character) => {
      read += 1
      const at = plain.indexOf(character)
      const count = /\p{L}/u.test(character) ? Math.max(1, Math.ceil(read * 1.4) - written) : 1
      written += count
      return (at === -1 ? character : accented[at]!).repeat(count)
    })
    .join('')
}

/** Between U+202E and U+202C, text of every script is laid out from right to left. */
const mirrored = (text: string): string => text.replace(/\S(?:.*\S)?/s, (words) => `\u202e${words}\u202c`)
