import { pointerTo } from '#platform/errors.ts'
import { fold } from '#platform/text/fold.ts'
import { hasVisible, normaliseLine, normaliseLineWithin, webAddress } from '#platform/text/normalise.ts'
import { type CreatePieceBody, type DeskEditBody, longestWord, type Warning } from './draft-schema.ts'
import { longest } from './limits.ts'
import { metaMembers, type WrittenMeta } from './page-meta.ts'

/** Columns of app.pieces: single lines are normalised, the body is stored as sent. */
export interface StoredManuscript {
  readonly headline: string
  readonly sub: string | null
  readonly body_md: string
  readonly category: string
  readonly tags: readonly string[]
  readonly frame: string
  readonly style: string
  readonly locale: string
  readonly fields: StoredFields
}

export interface StoredFields {
  readonly external_url?: string
  /** The UUID of the original. */
  readonly translation_of?: string
  readonly cover?: StoredCover
  readonly meta?: WrittenMeta
  /** Nobody has chosen the category: it is the default of the API. */
  readonly is_category_default?: true
  /** The same of `frame`. */
  readonly is_frame_default?: true
}

/** The picture that stands for a piece. `x` and `y` are what must stay visible when it is cropped, in per cent. */
export interface StoredCover {
  readonly hash: string
  readonly alt: string
  readonly caption?: string
  readonly credit?: string
  readonly x: number
  readonly y: number
}

export function normalizeManuscript(input: CreatePieceBody): StoredManuscript {
  return {
    headline: normaliseLineWithin(input.headline, longest.headline),
    sub: cleanSub(input.sub ?? null),
    body_md: input.body_md,
    category: input.category ?? 'building',
    tags: cleanTags(input.tags ?? []),
    frame: input.frame ?? defaults.frame,
    style: cleanWord(input.style ?? '', defaults.style),
    locale: cleanWord(input.locale ?? '', defaults.locale),
    fields: withoutNulls({
      ...cleanFields(input),
      ...(input.category === undefined ? { is_category_default: true } : {}),
      ...(input.frame === undefined ? { is_frame_default: true } : {}),
    }),
  }
}

/** Of `fields` only what was sent: null removes. */
type ManuscriptChanges = Partial<Omit<StoredManuscript, 'fields'>> & { readonly fields?: FieldChanges }
type FieldChanges = { readonly [Name in keyof StoredFields]: StoredFields[Name] | null }

/** Only the fields that were sent. */
export function normalizeChanges(input: DeskEditBody): ManuscriptChanges {
  const fields = cleanFields(input)
  return {
    ...(input.headline === undefined ? {} : { headline: normaliseLineWithin(input.headline, longest.headline) }),
    ...(input.sub === undefined ? {} : { sub: cleanSub(input.sub) }),
    ...(input.body_md === undefined ? {} : { body_md: input.body_md }),
    ...(input.category === undefined ? {} : { category: input.category }),
    ...(input.tags === undefined ? {} : { tags: cleanTags(input.tags) }),
    ...(input.frame === undefined ? {} : { frame: input.frame ?? defaults.frame }),
    ...(input.style === undefined ? {} : { style: cleanWord(input.style, defaults.style) }),
    ...(input.locale === undefined ? {} : { locale: cleanWord(input.locale, defaults.locale) }),
    ...(Object.keys(fields).length === 0 ? {} : { fields }),
  }
}

const defaults = { frame: 'lesson', style: 'essay', locale: 'en' } as const

/** A blank value becomes the default. Cut before normalising too, since the input may be as long as a body. */
function cleanWord(input: string, fallback: string): string {
  const line = normaliseLine(input.slice(0, 20 * longestWord))
  return hasVisible(line) ? firstOf(line, longestWord) : fallback
}

const firstOf = (line: string, count: number): string => [...line.slice(0, 2 * count)].slice(0, count).join('').trim()

const cleanSub = (sub: string | null): string | null =>
  sub && hasVisible(sub) ? normaliseLineWithin(sub, longest.sub) : null

/** Drops empty tags and duplicates (case-insensitive). */
function cleanTags(tags: readonly string[]): string[] {
  const byFolded = new Map<string, string>()
  for (const tag of tags.map((one) => normaliseLineWithin(one, longest.tag)))
    if (hasVisible(tag) && !byFolded.has(fold(tag))) byFolded.set(fold(tag), tag)
  return [...byFolded.values()]
}

const cleanFields = ({ external_url, translation_of, cover, meta, category, frame }: DeskEditBody): FieldChanges => ({
  ...(external_url === undefined ? {} : { external_url: (external_url && webAddress(external_url)) || null }),
  ...(translation_of === undefined ? {} : { translation_of: translation_of?.trim().slice(-36).toLowerCase() ?? null }),
  ...(cover === undefined ? {} : { cover: cover && cleanCover(cover) }),
  ...(meta === undefined ? {} : { meta: meta && cleanMeta(meta) }),
  ...(category === undefined ? {} : { is_category_default: null }),
  ...(frame === undefined ? {} : { is_frame_default: frame === null ? true : null }),
})

const line = (given: string | null | undefined, length: number): string | undefined =>
  given && hasVisible(given) ? normaliseLineWithin(given, length) : undefined

function cleanCover({ image, alt, caption, credit, focus = middle }: NonNullable<DeskEditBody['cover']>): StoredCover {
  const written = { caption: line(caption, longest.caption), credit: line(credit, longest.credit) }
  return {
    hash: image.trim().slice(-64),
    alt: line(alt, longest.alt) ?? '',
    ...(written.caption === undefined ? {} : { caption: written.caption }),
    ...(written.credit === undefined ? {} : { credit: written.credit }),
    x: Math.round(focus.x),
    y: Math.round(focus.y),
  }
}

const middle = { x: 50, y: 50 }

/** Null if nothing is written. */
function cleanMeta(meta: NonNullable<DeskEditBody['meta']>): WrittenMeta | null {
  const lines = metaMembers.map((member) => [
    member,
    line(meta[member], member.endsWith('title') ? longest.metaTitle : longest.metaDescription),
  ])
  const written = lines.filter(([, text]) => text !== undefined)
  return written.length === 0 ? null : (Object.fromEntries(written) as WrittenMeta)
}

const withoutNulls = (fields: FieldChanges): StoredFields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))

/** Fields that clients send in the hope of publishing. */
export const publishingFields: readonly string[] = ['status', 'editor_status', 'published', 'published_at']

/** At most this many unknown fields are named, so that the response stays short. */
const maxWarnings = 20

/** Tells the client what was cut or ignored. */
export const warningsFor = (input: CreatePieceBody, known: object): Warning[] => [
  ...cutWords(input),
  ...ignoredFields(input, known),
]

const cutWords = (input: CreatePieceBody): Warning[] =>
  (['style', 'locale'] as const)
    .filter((name) => [...(input[name] ?? '').slice(0, 2 * longestWord + 1)].length > longestWord)
    .map((name) => ({ pointer: `/${name}`, detail: `was cut to ${longestWord} characters.` }))

/** Unknown fields are ignored, so that clients may be newer than the service. */
function ignoredFields(input: object, known: object): Warning[] {
  const unknown = Object.keys(input).filter((name) => !Object.hasOwn(known, name))
  return unknown.slice(0, maxWarnings).map((name) => ({
    pointer: pointerTo(name),
    detail: publishingFields.includes(name)
      ? 'was ignored: only the writer publishes, at the desk. This piece is a draft.'
      : 'was ignored: it is not part of a piece.',
  }))
}
