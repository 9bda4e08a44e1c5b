import { shortened } from '#platform/text/normalise.ts'

/** What the page of a piece is called: by search engines, and by sites that links to it are shared on. */
export interface PageMeta {
  readonly title: string
  readonly description: string
  readonly social_title: string
  readonly social_description: string
}

export const metaMembers = ['title', 'description', 'social_title', 'social_description'] as const
export type MetaMember = (typeof metaMembers)[number]

/** Its writer's own texts, as far as there are any. */
export type WrittenMeta = { readonly [Member in MetaMember]?: string }

/** Characters; search engines show some 160. */
const longestDescription = 200

type Named = { readonly title: string; readonly summary: string }

/** Shared links say what search results do, unless there are texts for them; both, what the piece itself says. */
export function pageMeta({ title, summary }: Named, written: WrittenMeta | null = null): PageMeta {
  return withWritten({ title, description: shortened(summary, longestDescription) }, written)
}

/** The same of what the piece itself says. */
export function withWritten(
  { title, description }: Pick<PageMeta, 'title' | 'description'>,
  written: WrittenMeta | null,
): PageMeta {
  const found = { title: written?.title ?? title, description: written?.description ?? description }
  return {
    ...found,
    social_title: written?.social_title ?? found.title,
    social_description: written?.social_description ?? found.description,
  }
}
