/** Characters that a person reads in a minute: some 220 words, or the 500 characters of scripts that have no spaces. */
const letters = 1_300
const ideographs = 500

const written = /^(?:zh|ja|yue|wuu)\b/i

export const readingMinutes = (text: string, locale: string): number =>
  Math.max(1, Math.round(text.length / (written.test(locale) ? ideographs : letters)))
