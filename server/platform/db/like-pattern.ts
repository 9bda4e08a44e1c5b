/** A LIKE pattern for text that contains `term`, whatever characters it is made of. */
export const containing = (term: string): string => `%${term.replace(/[\\%_]/g, '\\$&')}%`
