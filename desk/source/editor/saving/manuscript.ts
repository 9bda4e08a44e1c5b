import type { DeskPiece } from '../../../../server/features/pieces/desk-schema.ts'
import type { EditPieceBody } from '../../../../server/features/pieces/draft-schema.ts'

/** What a writer can change of a piece: as the editor holds it, the journal keeps it and the server stores it. */
export interface Manuscript {
  readonly headline: string
  readonly sub: string
  readonly body_md: string
  readonly category: string
  readonly tags: readonly string[]
  readonly frame: string
  readonly style: string
  readonly locale: string
  readonly external_url: string
}

export type Member = keyof Manuscript

const members = [
  'headline',
  'sub',
  'body_md',
  'category',
  'tags',
  'frame',
  'style',
  'locale',
  'external_url',
] as const satisfies readonly Member[]

export const blank: Manuscript = {
  headline: '',
  sub: '',
  body_md: '',
  category: 'building',
  tags: [],
  frame: 'lesson',
  style: 'essay',
  locale: 'en',
  external_url: '',
}

/** What stands at the server where the writer has not found a headline yet. */
const untitled = 'Untitled'

export function manuscriptOf(piece: DeskPiece): Manuscript {
  const { headline, sub, body_md, category, tags, frame, style, locale, external_url } = piece
  return {
    headline: headline === untitled ? '' : headline,
    sub: sub ?? '',
    body_md,
    category,
    tags,
    frame,
    style,
    locale,
    external_url: external_url ?? '',
  }
}

const isSame = (one: Manuscript, other: Manuscript, member: Member): boolean =>
  member === 'tags' ? one.tags.join('\n') === other.tags.join('\n') : one[member] === other[member]

export const changed = (before: Manuscript, after: Manuscript): Member[] =>
  members.filter((member) => !isSame(before, after, member))

/** Letters, digits, signs; not those that are only so by name. */
const visible = /[[\p{L}\p{N}\p{P}\p{S}]--[\u115F\u1160\u17B4\u17B5\u2800\u3164\uFFA0]]/v

/** The site keeps no piece without text: one character a reader would see. */
export const hasText = ({ body_md }: Manuscript): boolean => visible.test(body_md)

/** As the wire has it: an empty line is none, but a headline there must be. */
export function wireOf(manuscript: Manuscript, which: readonly Member[] = members): EditPieceBody {
  const { headline, sub, external_url, tags } = manuscript
  const whole = {
    ...manuscript,
    headline: headline.trim() === '' ? untitled : headline,
    sub: sub.trim() === '' ? null : sub,
    external_url: external_url.trim() === '' ? null : external_url.trim(),
    tags: [...tags],
  }
  return Object.fromEntries(which.map((member) => [member, whole[member]])) as EditPieceBody
}

const cleaned = (line: string): string => line.normalize('NFC').replace(/\s+/gu, ' ').trim()

/** One-line fields are made clean when they are saved, so they are compared as the server would have them. */
function asStored(manuscript: Manuscript, member: Exclude<Member, 'tags' | 'body_md'>): string {
  const line = cleaned(manuscript[member])
  if (member === 'external_url') return URL.parse(line)?.href ?? line
  return line === '' && (member === 'style' || member === 'locale') ? blank[member] : line
}

export function saysTheSame(one: Manuscript, other: Manuscript, which: readonly Member[] = members): boolean {
  return which.every((member) =>
    member === 'body_md'
      ? one.body_md === other.body_md
      : member === 'tags'
        ? cleaned(one.tags.join(' , ')) === cleaned(other.tags.join(' , '))
        : asStored(one, member) === asStored(other, member),
  )
}

/**
 * Both changes in one, where no member was changed on both sides in different ways; else undefined, and the writer
 * chooses.
 */
export function merged(base: Manuscript, mine: Manuscript, theirs: Manuscript): Manuscript | undefined {
  const ours = changed(base, mine)
  const kept = members.filter((member) => ours.includes(member) || saysTheSame(base, theirs, [member]))
  const both = ours.filter((member) => !saysTheSame(base, theirs, [member]))
  if (!saysTheSame(mine, theirs, both)) return undefined
  return { ...theirs, ...Object.fromEntries(kept.map((member) => [member, mine[member]])) }
}
