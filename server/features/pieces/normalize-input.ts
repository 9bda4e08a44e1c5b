import { pointerTo } from '#platform/errors.ts'
import { fold } from '#platform/text/fold.ts'
import { hasVisible, normaliseLine, normaliseLineWithin } from '#platform/text/normalise.ts'
import { webAddress } from '#platform/text/web-address.ts'
import { type CreatePieceBody, type EditPieceBody, longest, longestWord, type Warning } from './draft-schema.ts'

/** A piece as it is stored: lines made clean, the body as sent. Columns of app.pieces. */
export interface StoredManuscript {
  readonly headline: string
  readonly sub: string | null
  readonly body_md: string
  readonly category: string
  readonly tags: readonly string[]
  readonly frame: string
  readonly style: string
  readonly locale: string
  readonly fields: { readonly external_url?: string }
}

export function manuscriptOf(given: CreatePieceBody): StoredManuscript {
  return {
    headline: normaliseLineWithin(given.headline, longest.headline),
    sub: cleanSub(given.sub ?? null),
    body_md: given.body_md,
    category: given.category ?? 'building',
    tags: cleanTags(given.tags ?? []),
    frame: given.frame ?? 'lesson',
    style: cleanWord(given.style ?? '', defaults.style),
    locale: cleanWord(given.locale ?? '', defaults.locale),
    fields: cleanFields(given.external_url ?? null),
  }
}

/** Only what was sent. */
export function changesOf(given: EditPieceBody): Partial<StoredManuscript> {
  return {
    ...(given.headline === undefined ? {} : { headline: normaliseLineWithin(given.headline, longest.headline) }),
    ...(given.sub === undefined ? {} : { sub: cleanSub(given.sub) }),
    ...(given.body_md === undefined ? {} : { body_md: given.body_md }),
    ...(given.category === undefined ? {} : { category: given.category }),
    ...(given.tags === undefined ? {} : { tags: cleanTags(given.tags) }),
    ...(given.frame === undefined ? {} : { frame: given.frame }),
    ...(given.style === undefined ? {} : { style: cleanWord(given.style, defaults.style) }),
    ...(given.locale === undefined ? {} : { locale: cleanWord(given.locale, defaults.locale) }),
    ...(given.external_url === undefined ? {} : { fields: cleanFields(given.external_url) }),
  }
}

const defaults = { style: 'essay', locale: 'en' } as const

/** One that says nothing is the default. Cut before it is cleaned too, since it may be as long as a body. */
function cleanWord(given: string, fallback: string): string {
  const line = normaliseLine(given.slice(0, 20 * longestWord))
  return hasVisible(line) ? firstOf(line, longestWord) : fallback
}

const firstOf = (line: string, count: number): string => [...line.slice(0, 2 * count)].slice(0, count).join('').trim()

const cleanSub = (sub: string | null): string | null =>
  sub && hasVisible(sub) ? normaliseLineWithin(sub, longest.sub) : null

/** Empty ones and repetitions (in any letter case) say nothing. */
function cleanTags(tags: readonly string[]): string[] {
  const byFolded = new Map<string, string>()
  for (const tag of tags.map((one) => normaliseLineWithin(one, longest.tag)))
    if (hasVisible(tag) && !byFolded.has(fold(tag))) byFolded.set(fold(tag), tag)
  return [...byFolded.values()]
}

const cleanFields = (address: string | null): { external_url?: string } => {
  const external_url = address === null ? undefined : webAddress(address)
  return external_url ? { external_url } : {}
}

/** What somebody sends who hopes that this publishes. */
export const publishingMembers: readonly string[] = ['status', 'editor_status', 'published', 'published_at']

/** At most this many unknown members are named: the answer stays short whatever was sent. */
const mostWarnings = 20

/** What was not taken as it was sent; saying so spares a search. */
export const warningsFor = (given: CreatePieceBody, known: object): Warning[] => [
  ...cutWords(given),
  ...ignoredMembers(given, known),
]

const cutWords = (given: CreatePieceBody): Warning[] =>
  (['style', 'locale'] as const)
    .filter((name) => [...(given[name] ?? '').slice(0, 2 * longestWord + 1)].length > longestWord)
    .map((name) => ({ pointer: `/${name}`, detail: `was cut: ${longestWord} characters of it are kept.` }))

/** Members we do not know are ignored, so that clients may be newer than the service. */
function ignoredMembers(given: object, known: object): Warning[] {
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(known, name))
  return unknown.slice(0, mostWarnings).map((name) => ({
    pointer: pointerTo(name),
    detail: publishingMembers.includes(name)
      ? 'was ignored: only the writer publishes, at the desk. This piece is a draft.'
      : 'was ignored: it is not part of a piece.',
  }))
}
