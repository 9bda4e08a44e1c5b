/** Limits of the specification, and of what is like its headline and its standfirst, in characters. */
export const longest = {
  headline: 200,
  sub: 400,
  body: 100_000,
  tag: 32,
  alt: 400,
  caption: 400,
  credit: 200,
  metaTitle: 200,
  metaDescription: 400,
} as const
export const mostTags = 8

/** How many imported drafts are listed and confirmed at once, and how much is kept of what was not carried over. */
export const importLimits = { batch: 500, notes: 50, note: 500 } as const
