import type { Translator } from '#messages/translator.ts'
import { asLabel, nameIn, ownNameOf, primaryLanguage } from '#platform/text/language.ts'

/** A language's name for readers. */
export interface LanguageLabel {
  readonly language: string
  readonly name: string
  /** Whether the name is in the language itself, or in the site's. */
  readonly isOwn: boolean
}

/** Its own name, or the one in the site's language; its code if it has neither. */
export function languageLabel(t: Translator, language: string): LanguageLabel {
  const own = ownNameOf(language)
  if (own) return { language, name: own, isOwn: true }
  const name = nameIn(t.language, language)
  return { language, name: name === null ? language : asLabel(name, t.language), isOwn: false }
}

/** In the order of their names. Made-up languages, which have none, are left out. */
export const languageLabels = (t: Translator, languages: readonly string[]): LanguageLabel[] =>
  languages
    .map((language) => languageLabel(t, language))
    .filter(({ language, name }) => name !== language)
    .sort((one, other) => one.name.localeCompare(other.name, t.language))

/** What a list is limited to: only the language itself counts, whatever the region. */
export const askedLanguage = (tag: string | undefined): string | undefined =>
  tag === undefined ? undefined : primaryLanguage(tag)

/** "Life · Deutsch". */
export const withLanguage = (t: Translator, title: string, language: string | undefined): string =>
  language === undefined ? title : `${title} · ${languageLabel(t, language).name}`
