/** The direction in which a language is written; left to right if the tag is wrong or unknown. */
export function directionOfLanguage(tag: string): 'ltr' | 'rtl' {
  try {
    // In Node 24, but not yet in TypeScript's library.
    const { direction } = (new Intl.Locale(tag) as never as { getTextInfo(): { direction?: string } }).getTextInfo()
    return direction === 'rtl' ? 'rtl' : 'ltr'
  } catch {
    return 'ltr'
  }
}
