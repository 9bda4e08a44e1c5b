import { tagOfWork, tagsOfAuthorLists, tagsOfByline } from '#features/authors/cache-tags.ts'

const tagOfPiece = (id: string): string => `piece-${id.toLowerCase()}`

/** What an edge cache calls the answers that show a piece. */
export const tagsOfPiece = (id: string, authorSlug: string): string[] => [tagOfPiece(id), ...tagsOfByline(authorSlug)]

/** Every list and every search: any of them may show, or lack, a piece that just went public. */
export const tagsOfPieceLists: readonly string[] = ['pieces']

/** What goes when a piece comes, changes or goes: what shows it, could list it, or counts it; no other piece. */
export const purgedWithPiece = (id: string, authorSlug: string): string[] => [
  tagOfPiece(id),
  tagOfWork(authorSlug),
  ...tagsOfPieceLists,
  ...tagsOfAuthorLists,
]
