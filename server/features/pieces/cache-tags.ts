/** What an edge cache calls the answers that show a piece; purged by the same names when it changes. */
export const tagsOfPiece = (id: string, authorSlug: string): string[] => [
  `piece-${id.toLowerCase()}`,
  `author-${authorSlug}`,
]

/** Every list and every search: any of them may show, or lack, a piece that just went public. */
export const tagsOfPieceLists: readonly string[] = ['pieces']
