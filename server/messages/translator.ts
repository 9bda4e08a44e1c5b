import { readdirSync, readFileSync } from 'node:fs'
import { compile } from './compile.ts'
import { directionOfLanguage } from './direction.ts'
import { type Compiled, type Formats, formatParts, formatsFor, formatText, type Values } from './format.ts'
import type { Message, MessageId, ValuesOf } from './message.ts'

const known = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.replace('.json', ''))

/** The languages we speak: one catalogue each, a JSON file in this folder. */
export const languages: readonly string[] = known

/** The language of the contract, and of every message that another catalogue lacks. */
export const sourceLanguage = 'en'

/** Speaks one language. Dates are UTC: pages are cached, and the same for every reader. */
export interface Translator extends Formats {
  <Id extends MessageId>(id: Id, ...values: ValuesOf<Id, string>): string
  say(message: Message): string
  readonly language: string
  readonly dir: 'ltr' | 'rtl'
  /** A message with markup, in parts; `join` makes markup of parts (http/translate.ts). */
  parts<Id extends MessageId, Rich>(
    id: Id,
    values: Values<Rich>,
    join: (parts: readonly (string | Rich)[]) => Rich,
  ): (string | Rich)[]
  list(items: readonly string[], type?: Intl.ListFormatType): string
}

const translators = new Map<string, Translator>()

/** For one of `languages`. */
export function translatorOf(language: string): Translator {
  const ready = translators.get(language)
  if (ready) return ready
  const made = createTranslator(language)
  translators.set(language, made)
  return made
}

/**
 * For any language tag (BCP 47): the nearest that we speak, or `other` if there is none. Where `other` is a variant of
 * the language (`en-US` for `en`), it is the nearest.
 */
export function translatorFor(tag: string, other: Translator): Translator {
  if (other.language.startsWith(`${tag.toLowerCase()}-`)) return other
  const nearest = nearestLanguage(tag)
  return nearest === undefined ? other : translatorOf(nearest)
}

/** `pt` is `pt-BR` to us. */
export function nearestLanguage(tag: string): string | undefined {
  const [wanted = ''] = tag.toLowerCase().split(/[,;]/)
  const [base] = wanted.split('-')
  const has = (test: (language: string) => boolean) => languages.find((language) => test(language.toLowerCase()))
  return (
    has((language) => language === wanted) ??
    has((language) => language === base) ??
    has((language) => language.startsWith(`${base}-`))
  )
}

function createTranslator(language: string): Translator {
  // British unless a variant says otherwise.
  const locale = language === sourceLanguage ? 'en-GB' : language
  const formats = formatsFor(locale, 'UTC')
  const catalogue = catalogueOf(language)
  const compiled = new Map<string, Compiled>()
  // Compiled when first used: 50 µs each, and a process needs a fraction of them.
  const message = (id: string): Compiled => {
    const known = compiled.get(id)
    if (known !== undefined) return known
    const made = compile(catalogue[id]!)
    compiled.set(id, made)
    return made
  }
  const text = (id: MessageId, values: Values<string> = {}) => formatText(message(id), values, formats)
  return Object.assign(text as Translator, formats, {
    say: ({ id, values }: Message) => text(id, values),
    language,
    dir: directionOfLanguage(language),
    parts: <Rich>(id: string, values: Values<Rich>, join: (parts: readonly (string | Rich)[]) => Rich) =>
      formatParts(message(id), values, formats, join),
    list: (items: readonly string[], type: Intl.ListFormatType = 'conjunction') =>
      new Intl.ListFormat(locale, { type }).format(items),
  })
}

const catalogues = new Map<string, Readonly<Record<string, string>>>()

/**
 * Every message in a language: what a variant such as `en-US` lacks is in the catalogue of its language, and what that
 * lacks is English. Made once, since it is asked for by each widget.
 */
export function catalogueOf(language: string): Readonly<Record<string, string>> {
  const known = catalogues.get(language)
  if (known) return known
  const [base] = language.split('-')
  const next = base && base !== language && languages.includes(base) ? base : sourceLanguage
  const own = JSON.parse(readFileSync(new URL(`${language}.json`, import.meta.url), 'utf8'))
  const catalogue = language === sourceLanguage ? own : { ...catalogueOf(next), ...own }
  catalogues.set(language, catalogue)
  return catalogue
}

/** A whole language without a file, of this process only (pseudo.ts). */
export function addCatalogue(language: string, catalogue: Readonly<Record<string, string>>): void {
  if (!known.includes(language)) known.push(language)
  catalogues.set(language, catalogue)
}

const sourceIds: ReadonlySet<string> = new Set(Object.keys(catalogueOf(sourceLanguage)))

export const isMessageId = (text: string): text is MessageId => sourceIds.has(text)
