/** Clients may send anything; browsers and feed readers get a BCP 47 tag, or `und`. */
export function languageTag(said: string): string {
  try {
    return Intl.getCanonicalLocales(said.trim().replaceAll('_', '-'))[0] ?? 'und'
  } catch {
    return 'und'
  }
}

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/gu
const leftToRight = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/gu

const known = new Map<string, 'ltr' | 'rtl'>()

/** Direction of text in this language; if the language is wrong or unknown, that of most of its first characters. */
export function directionOf(locale: string, text: string): 'ltr' | 'rtl' {
  if (ofLocale(locale) === 'rtl') return 'rtl'
  const sample = text.slice(0, 200)
  const turned = sample.match(rightToLeft)?.length ?? 0
  return turned > 0 && turned > (sample.match(leftToRight)?.length ?? 0) ? 'rtl' : 'ltr'
}

/** Locales come from users, so the cache is limited. */
const mostKnown = 1_000

function ofLocale(locale: string): 'ltr' | 'rtl' {
  const remembered = known.get(locale)
  if (remembered) return remembered
  const direction = readLocale(locale)
  if (known.size < mostKnown) known.set(locale, direction)
  return direction
}

function readLocale(locale: string): 'ltr' | 'rtl' {
  try {
    // In Node 24, but not yet in TypeScript's library.
    const { direction } = (new Intl.Locale(locale) as never as { getTextInfo(): { direction?: string } }).getTextInfo()
    return direction === 'rtl' ? 'rtl' : 'ltr'
  } catch {
    return 'ltr'
  }
}
