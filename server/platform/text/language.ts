import { directionOfLanguage } from '#messages/direction.ts'

/** Languages come from users, so the memory is limited. Intl takes about a microsecond, and a list has a hundred items. */
const mostKnown = 1_000

function remembering<Result>(find: (language: string) => Result): (language: string) => Result {
  const known = new Map<string, Result>()
  return (language) => {
    const remembered = known.get(language)
    if (remembered !== undefined) return remembered
    const found = find(language)
    if (known.size < mostKnown) known.set(language, found)
    return found
  }
}

/** No tag is longer; Intl takes some such and refuses others. */
const longestTag = 100

/** Clients may send anything; browsers and feed readers get a BCP 47 tag, or `und`. */
export const languageTag = remembering((said: string): string => {
  const tag = said.trim().replaceAll('_', '-')
  if (tag.length > longestTag) return 'und'
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? 'und'
  } catch {
    return 'und'
  }
})

/** As Open Graph writes it, with the region where most people speak it: `de_DE`. Undefined if the language is unknown. */
export function openGraphLocale(tag: string): string | undefined {
  if (tag === 'und' || tag.startsWith('und-')) return undefined
  const { language, region } = new Intl.Locale(tag).maximize()
  return region && `${language}_${region}`
}

/** What lists are filtered by: `de` for de-AT, `he` for iw; `und` if it is not a tag (pub.language_of is the same). */
export const primaryLanguage = (said: string): string => languageTag(said).split('-', 1)[0]!

/** Whether it is a language tag, which `und` itself is. */
export const isLanguageTag = (said: string): boolean => languageTag(said) !== 'und' || /^\s*und\s*$/i.test(said)

/** The name of a language in that language, as a label: Deutsch, Français, 日本語. Empty if it is not known. */
export const ownNameOf = remembering((language: string): string => {
  if (Intl.DisplayNames.supportedLocalesOf(language).length === 0) return ''
  return asLabel(new Intl.DisplayNames(language, { type: 'language' }).of(language)!, language)
})

/** Names of languages are in lower case in some languages, but not where they stand alone. */
export const asLabel = (name: string, language: string): string => {
  const [first = ''] = name
  return first.toLocaleUpperCase(language) + name.slice(first.length)
}

/** The name of a language in another: "Englisch" for `en` in `de`; null if it is not known. */
export const nameIn = (language: string, tag: string): string | null =>
  (tag !== 'und' && new Intl.DisplayNames(language, { type: 'language', fallback: 'none' }).of(tag)) || null

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/gu
const leftToRight = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/gu

const ofLanguage = remembering(directionOfLanguage)

/** Direction of text in this language; if the language is wrong or unknown, that of most of its first characters. */
export function directionOf(locale: string, text: string): 'ltr' | 'rtl' {
  if (ofLanguage(locale) === 'rtl') return 'rtl'
  const sample = text.slice(0, 200)
  const turned = sample.match(rightToLeft)?.length ?? 0
  return turned > 0 && turned > (sample.match(leftToRight)?.length ?? 0) ? 'rtl' : 'ltr'
}
