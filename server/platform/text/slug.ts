/** Slugs. Those of authors are lower-case ASCII, without look-alikes; pieces and listings have any script's characters. */

const shape = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/

/** Words that are, or may become, addresses of the service. The database has the same list as a check constraint. */
export const reservedSlugs: readonly string[] = [
  'about',
  'admin',
  'api',
  'author',
  'desk',
  'developers',
  'embed',
  'feed',
  'llms',
  'login',
  'me',
  'p',
  'products',
  'recent',
  'search',
  'shop',
  'sign-in',
  'trending',
  'well-known',
]

export const hasSlugShape = (text: string): boolean => shape.test(text)

export const isSlug = (text: string): boolean => hasSlugShape(text) && !reservedSlugs.includes(text)

const spelled: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  ħ: 'h',
  ŋ: 'ng',
}

/** Latin characters without their accents, in lower case: addresses in French or Turkish stay short and easy to type. */
export const withoutAccents = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[ßæœøđðþłıħŋ]/g, (letter) => spelled[letter] ?? '')
    .normalize('NFKD')
    .replace(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFC')
    // Again: characters such as 𝒯 became capitals.
    .toLowerCase()
    .replace(/['’]/g, '')

/** "Müller & Söhne, 2026" -> "muller-sohne-2026"; `fallback` if nothing Latin is left. */
export const slugFrom = (text: string, longest: number, fallback: string): string =>
  joined(withoutAccents(text).split(/[^a-z0-9]+/), longest) || fallback

/** The same with the characters and digits of every script: "关于茶" stays "关于茶". */
export const slugInAnyScript = (text: string, longest: number, fallback: string): string =>
  joined(withoutAccents(text).split(/[^\p{L}\p{M}\p{Nd}]+/u), longest) || fallback

/** As many whole words as fit, if they are more than half; else the characters that fit. */
function joined(words: readonly string[], longest: number): string {
  const whole = words.filter(Boolean).join('-')
  if (whole.length <= longest) return whole
  const cut = whole.slice(0, longest + 1)
  const word = cut.lastIndexOf('-')
  return word > longest / 2 ? cut.slice(0, word) : wholeCharacters(whole, longest).replace(/-+$/, '')
}

const graphemes = new Intl.Segmenter()

/** Never half of a surrogate pair, and no character without its vowel signs. */
function wholeCharacters(text: string, longest: number): string {
  let kept = ''
  for (const { segment } of graphemes.segment(text)) {
    if (kept.length + segment.length > longest) break
    kept += segment
  }
  return kept
}

const addressShape = /^[\p{L}\p{M}\p{Nd}-]{1,90}$/u

/** Whether a piece or listing may have this slug. */
export const isAddress = (text: string): boolean => addressShape.test(text)
