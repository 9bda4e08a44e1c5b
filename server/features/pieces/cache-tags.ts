import { tagOfWork, tagsOfAuthorLists, tagsOfByline, tagsOfPieceLists } from '#features/authors/cache-tags.ts'

export { tagsOfPieceLists }

const tagOfPiece = (id: string): string => `piece-${id.toLowerCase()}`

/** Cache tags (surrogate keys) of responses that show a piece. */
export const tagsOfPiece = (id: string, authorSlug: string): string[] => [tagOfPiece(id), ...tagsOfByline(authorSlug)]

/** Tags to purge when a piece is published, changed or removed: whatever shows, could list or counts it; no other piece. */
export const purgedWithPiece = (id: string, authorSlug: string): string[] => [
  tagOfPiece(id),
  tagOfWork(authorSlug),
  ...tagsOfPieceLists,
  ...tagsOfAuthorLists,
]
