/** The headline that the desk and imports send for a piece that has none yet. The database refuses to publish it. */
export const untitled = 'Untitled'

export const hasHeadline = ({ headline }: { readonly headline: string }): boolean =>
  headline.toLowerCase() !== untitled.toLowerCase()
