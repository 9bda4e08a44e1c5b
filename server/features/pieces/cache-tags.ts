import { tagOfWork, tagsOfAuthorLists, tagsOfByline, tagsOfPieceLists } from '#features/authors/cache-tags.ts'

export { tagsOfPieceLists }

const tagOfPiece = (id: string): string => `piece-${id.toLowerCase()}`

/** What an edge cache calls the answers that show a piece. */
export const tagsOfPiece = (id: string, authorSlug: string): string[] => [tagOfPiece(id), ...tagsOfByline(authorSlug)]

/** What goes when a piece comes, changes or goes: what shows it, could list it, or counts it; no other piece. */
export const purgedWithPiece = (id: string, authorSlug: string): string[] => [
  tagOfPiece(id),
  tagOfWork(authorSlug),
  ...tagsOfPieceLists,
  ...tagsOfAuthorLists,
]
