/** Slugs: lower-case ASCII, no look-alikes. */

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

/** "Müller & Söhne, 2026" -> "muller-sohne-2026"; `fallback` if nothing Latin is left. */
export function slugFrom(text: string, longest: number, fallback: string): string {
  const latin = text
    .toLowerCase()
    .replace(/[ßæœøđðþłıħŋ]/g, (letter) => spelled[letter] ?? '')
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  if (latin.length <= longest) return latin || fallback
  const cut = latin.slice(0, longest + 1)
  const word = cut.lastIndexOf('-')
  return (word > longest / 2 ? cut.slice(0, word) : latin.slice(0, longest)).replace(/-+$/, '') || fallback
}
