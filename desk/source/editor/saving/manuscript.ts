import type { DeskPiece } from '../../../../server/features/pieces/desk-schema.ts'
import type { DeskEditBody } from '../../../../server/features/pieces/draft-schema.ts'
import { type Cover, coverOf } from '../../components/cover.ts'
import { untitled } from '../../components/piece.ts'

/** The editable fields of a piece, in the editor, the journal and the API. */
export interface Manuscript {
  readonly headline: string
  readonly sub: string
  readonly body_md: string
  /** Empty until it is chosen. */
  readonly category: string
  readonly tags: readonly string[]
  /** Empty until it is chosen; it need not be. */
  readonly frame: string
  readonly style: string
  readonly locale: string
  readonly external_url: string
  /** The UUID of the original, if it is a translation; otherwise empty. */
  readonly translation_of: string
  readonly cover: Cover | null
}

export type Member = keyof Manuscript

export const emptyManuscript: Manuscript = {
  headline: '',
  sub: '',
  body_md: '',
  category: '',
  tags: [],
  frame: '',
  style: 'essay',
  locale: 'en',
  external_url: '',
  translation_of: '',
  cover: null,
}

export const members = Object.keys(emptyManuscript) as Member[]

export function manuscriptOf(piece: DeskPiece): Manuscript {
  const { headline, sub, body_md, tags, style, locale, external_url, translation_of } = piece
  return {
    headline: headline === untitled ? '' : headline,
    sub: sub ?? '',
    body_md,
    // An answer that this device kept from an earlier release does not say.
    category: piece.is_category_chosen === false ? '' : piece.category,
    tags,
    frame: piece.is_frame_chosen === false ? '' : piece.frame,
    style,
    locale,
    external_url: external_url ?? '',
    translation_of: translation_of?.id ?? '',
    cover: coverOf(piece),
  }
}

const isSame = (one: Manuscript, other: Manuscript, member: Member): boolean =>
  member === 'tags'
    ? one.tags.join('\n') === other.tags.join('\n')
    : member === 'cover'
      ? coverText(one.cover) === coverText(other.cover)
      : one[member] === other[member]

const coverText = (cover: Cover | null): string =>
  cover === null
    ? ''
    : JSON.stringify([cover.image, cover.alt, cover.caption, cover.credit, cover.focus.x, cover.focus.y])

export const changedMembers = (before: Manuscript, after: Manuscript): Member[] =>
  members.filter((member) => !isSame(before, after, member))

/** All that a new piece says: nobody has to choose a frame. */
export const chosenMembers = ({ frame }: Manuscript): Member[] =>
  members.filter((member) => member !== 'frame' || frame !== '')

/** Letters, digits and symbols, except those that render as nothing. */
const visibleCharacter = /[[\p{L}\p{N}\p{P}\p{S}]--[\u115F\u1160\u17B4\u17B5\u2800\u3164\uFFA0]]/v

/** The server refuses a piece without a visible character. */
export const hasVisibleText = ({ body_md }: Manuscript): boolean => visibleCharacter.test(body_md)

/** As the API has it: empty lines are null, but the headline is required. */
export function toApiBody(manuscript: Manuscript, which: readonly Member[] = members): DeskEditBody {
  const { headline, sub, external_url, translation_of, tags } = manuscript
  const whole = {
    ...manuscript,
    headline: headline.trim() === '' ? untitled : headline,
    sub: sub.trim() === '' ? null : sub,
    external_url: external_url.trim() === '' ? null : external_url.trim(),
    translation_of: translation_of === '' ? null : translation_of,
    tags: [...tags],
    frame: manuscript.frame === '' ? null : manuscript.frame,
  }
  const sent = which.filter((member) => member !== 'category' || whole.category !== '')
  return Object.fromEntries(sent.map((member) => [member, whole[member]])) as DeskEditBody
}

const normalizedLine = (line: string): string => line.normalize('NFC').replace(/\s+/gu, ' ').trim()

/** The server normalizes one-line fields, so they are compared normalized. */
function normalizedField(manuscript: Manuscript, member: Exclude<Member, 'tags' | 'body_md' | 'cover'>): string {
  const line = normalizedLine(manuscript[member])
  if (member === 'external_url') return URL.parse(line)?.href ?? line
  return line === '' && (member === 'style' || member === 'locale') ? emptyManuscript[member] : line
}

const normalizedCover = (cover: Cover | null): Cover | null =>
  cover && {
    ...cover,
    alt: normalizedLine(cover.alt),
    caption: normalizedLine(cover.caption),
    credit: normalizedLine(cover.credit),
  }

export function isEquivalent(one: Manuscript, other: Manuscript, which: readonly Member[] = members): boolean {
  return which.every((member) =>
    member === 'body_md'
      ? one.body_md === other.body_md
      : member === 'tags'
        ? normalizedLine(one.tags.join(' , ')) === normalizedLine(other.tags.join(' , '))
        : member === 'cover'
          ? coverText(normalizedCover(one.cover)) === coverText(normalizedCover(other.cover))
          : normalizedField(one, member) === normalizedField(other, member),
  )
}

/** The server's limits, in code points. */
export const maxLength = {
  headline: 200,
  sub: 400,
  body_md: 100_000,
} as const

/**
 * By how much a text exceeds the limit; negative if it does not. Counting code points is expensive, so only long texts
 * are counted.
 */
export const excess = (text: string, limit: number): number =>
  text.length <= limit ? text.length - limit : [...text].length - limit

/** A field that is not sent because it is too long, and by how many characters. */
export interface TooLong {
  readonly member: 'headline' | 'sub' | 'body_md'
  readonly over: number
}

interface Sendable {
  /** What can be sent: fields that are too long keep their saved value. */
  readonly sendable: Manuscript
  readonly tooLong: readonly TooLong[]
}

/** A field that is too long blocks only itself; everything else is saved. */
export function sendablePart(manuscript: Manuscript, before: Manuscript = emptyManuscript): Sendable {
  let sendable = manuscript
  const tooLong: TooLong[] = []
  for (const member of ['headline', 'sub', 'body_md'] as const) {
    const over = excess(manuscript[member], maxLength[member])
    if (over <= 0) continue
    sendable = { ...sendable, [member]: before[member] }
    tooLong.push({ member, over })
  }
  return { sendable, tooLong }
}
