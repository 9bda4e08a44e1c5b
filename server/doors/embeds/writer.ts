import { presentAuthor } from '#features/authors/present.ts'
import { findAuthor } from '#features/authors/queries.ts'
import type { Author } from '#features/authors/schema.ts'
import type { ReadContext } from '#platform/context.ts'
import { hasSlugShape } from '#platform/text/slug.ts'

export interface FoundWriter {
  readonly id: string
  readonly author: Author
}

/** By slug or former slug: what another site shows goes on showing the same person. */
export async function findWriter({ db, urls }: ReadContext, slug: string): Promise<FoundWriter | undefined> {
  const row = hasSlugShape(slug) ? await findAuthor(db, slug) : undefined
  return row && { id: row.id, author: presentAuthor(row, urls) }
}
