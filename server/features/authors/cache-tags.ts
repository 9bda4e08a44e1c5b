export const tagsOfAuthor = (slug: string): string[] => [`author-${slug}`]

export const tagsOfAuthorLists: readonly string[] = ['authors']
