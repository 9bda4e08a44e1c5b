/** On every answer that shows an author's name, portrait or mark: it goes when they change, and with them. */
export const tagsOfByline = (slug: string): string[] => [`byline-${slug}`]

/** On what is made of all they published: their lists, counts and shelves. It goes with each publication too. */
export const tagOfWork = (slug: string): string => `author-${slug}`

/** What shows an author whole. */
export const tagsOfAuthor = (slug: string): string[] => [tagOfWork(slug), ...tagsOfByline(slug)]

export const tagsOfAuthorLists: readonly string[] = ['authors']

/** Every list and every search of pieces: any of them may show, or lack, one that just went public, and names authors. */
export const tagsOfPieceLists: readonly string[] = ['pieces']

/** What goes when an author is shown otherwise, under each of these slugs. */
export const purgedWithAuthor = (...slugs: readonly string[]): string[] => [
  ...slugs.flatMap(tagsOfAuthor),
  ...tagsOfPieceLists,
  ...tagsOfAuthorLists,
]
