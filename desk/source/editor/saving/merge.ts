import type { Cover } from '../../components/cover.ts'
import { mostTags } from '../../components/piece.ts'
import { commonText, mergeTexts } from '../../diff/merge.ts'
import { isEquivalent, type Manuscript, type Member, members } from './manuscript.ts'
import type { SavedPiece, SaveStatus } from './save-status.ts'

/** Merges what this device and another one made of the same piece: each field on its own, texts by sentences. */

interface Merged {
  /** With this device's side of every conflict. */
  readonly ours: Manuscript
  /** With the other side of every conflict, and otherwise the same. */
  readonly theirs: Manuscript
  readonly conflicts: readonly Member[]
}

export function mergeManuscripts(base: Manuscript, ours: Manuscript, theirs: Manuscript): Merged {
  const merged = members.map((member) => ({ member, ...mergeMember(member, base, ours, theirs) }))
  const side = (one: 'ours' | 'theirs') =>
    Object.fromEntries(merged.map((found) => [found.member, found[one]])) as unknown as Manuscript
  const conflicts = merged.filter(({ isConflict }) => isConflict).map(({ member }) => member)
  return { ours: side('ours'), theirs: side('theirs'), conflicts }
}

interface MergedMember<T = Manuscript[Member]> {
  readonly ours: T
  readonly theirs: T
  readonly isConflict?: boolean
}

const agreed = <T>(value: T): MergedMember<T> => ({ ours: value, theirs: value })

function mergeMember(member: Member, base: Manuscript, ours: Manuscript, theirs: Manuscript): MergedMember {
  // What the server only normalized is no change.
  if (isEquivalent(base, theirs, [member]) || isEquivalent(ours, theirs, [member])) return agreed(ours[member])
  if (isEquivalent(base, ours, [member])) return agreed(theirs[member])
  if (member === 'body_md' || member === 'sub') return mergeText(base[member], ours[member], theirs[member])
  if (member === 'tags') {
    const tags = mergeTags(base.tags, ours.tags, theirs.tags)
    if (tags.length <= mostTags) return agreed(tags)
  }
  if (member === 'cover' && ours.cover && theirs.cover) return mergeCovers(base.cover, ours.cover, theirs.cover)
  return { ours: ours[member], theirs: theirs[member], isConflict: true }
}

function mergeText(base: string, ours: string, theirs: string): MergedMember<string> {
  const { text, conflicts } = mergeTexts(base, ours, theirs, 'ours')
  if (conflicts === 0) return agreed(text)
  return { ours: text, theirs: mergeTexts(base, ours, theirs, 'theirs').text, isConflict: true }
}

const hasTag = (tags: readonly string[], tag: string): boolean =>
  tags.some((one) => one.toLowerCase() === tag.toLowerCase())

/** Their tags without those removed here, and those added here. */
const mergeTags = (base: readonly string[], ours: readonly string[], theirs: readonly string[]): string[] => [
  ...theirs.filter((tag) => hasTag(ours, tag) || !hasTag(base, tag)),
  ...ours.filter((tag) => !hasTag(base, tag) && !hasTag(theirs, tag)),
]

/** The words under a picture belong to that picture; its focus, too. */
function mergeCovers(base: Cover | null, ours: Cover, theirs: Cover): MergedMember<Cover> {
  const conflict = { ours, theirs, isConflict: true }
  if (!base || ours.image !== base.image || theirs.image !== base.image) return conflict
  const merged: Partial<Record<keyof Cover, unknown>> = {}
  for (const part of ['image', 'alt', 'caption', 'credit', 'focus'] as const) {
    const [before, mine, other] = [base, ours, theirs].map((cover) => JSON.stringify(cover[part]))
    if (mine !== before && other !== before && mine !== other) return conflict
    merged[part] = mine === before ? theirs[part] : ours[part]
  }
  return agreed(merged as unknown as Cover)
}

type Contested = Extract<SaveStatus, { kind: 'contested' }>

export const conflictWith = (base: Manuscript | null, theirs: Manuscript, saved: SavedPiece): Contested => ({
  kind: 'contested',
  base,
  theirs,
  saved,
})

/** Both sides of each conflict, one after the other. What is no text is as on this device. */
export function keepBoth(ours: Manuscript, { base, theirs }: Contested): Manuscript {
  const before = base?.body_md ?? commonText(ours.body_md, theirs.body_md)
  return { ...ours, body_md: mergeTexts(before, ours.body_md, theirs.body_md, 'both').text }
}
