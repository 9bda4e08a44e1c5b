const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/gu
const leftToRight = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/gu

const known = new Map<string, 'ltr' | 'rtl'>()

/** How text of this language runs; where the language was not given right, how most of its first letters do. */
export function directionOf(locale: string, text: string): 'ltr' | 'rtl' {
  if (ofLocale(locale) === 'rtl') return 'rtl'
  const sample = text.slice(0, 200)
  const turned = sample.match(rightToLeft)?.length ?? 0
  return turned > 0 && turned > (sample.match(leftToRight)?.length ?? 0) ? 'rtl' : 'ltr'
}

/** Locales are the writers' own words: only so many are remembered. */
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
    // Of Node 24, and not yet of TypeScript's library.
    const { direction } = (new Intl.Locale(locale) as never as { getTextInfo(): { direction?: string } }).getTextInfo()
    return direction === 'rtl' ? 'rtl' : 'ltr'
  } catch {
    return 'ltr'
  }
}
