/** Tags responses that show an author's name, portrait or verified mark; purged when these change. */
export const tagsOfByline = (slug: string): string[] => [`byline-${slug}`]

/** Tags what is derived from everything they published: lists, counts and products; purged with each publication too. */
export const tagOfWork = (slug: string): string => `author-${slug}`

/** Tags of an author's page and profile. */
export const tagsOfAuthor = (slug: string): string[] => [tagOfWork(slug), ...tagsOfByline(slug)]

export const tagsOfAuthorLists: readonly string[] = ['authors']

/** Tags every list and search of pieces: each may gain or lose a piece with any publication, and names authors. */
export const tagsOfPieceLists: readonly string[] = ['pieces']

/** Tags to purge when an author's profile changes, for each of these slugs. */
export const purgedWithAuthor = (...slugs: readonly string[]): string[] => [
  ...slugs.flatMap(tagsOfAuthor),
  ...tagsOfPieceLists,
  ...tagsOfAuthorLists,
]
