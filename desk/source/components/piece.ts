/** The headline of a piece that has none yet, by the desk or an import. The server does not publish it. */
export const untitled = 'Untitled'

export const hasHeadline = ({ headline }: { readonly headline: string }): boolean =>
  headline.toLowerCase() !== untitled.toLowerCase()

/** The editor with the headline focused, or with the details open. */
export const editorAt = (id: string, open: 'headline' | 'details'): string => `/desk/edit/pieces/${id}?open=${open}`
