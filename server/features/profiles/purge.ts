import { purgedWithAuthor } from '#features/authors/cache-tags.ts'
import { enqueue } from '#platform/jobs/jobs.ts'

/**
 * Every cached answer that shows the writer: their pages, feeds and badges, each of their pieces (all of which carry the
 * tag of their byline), and the lists that may name them. Of a writer who moves, with the address they leave.
 */
export async function purgeAuthor(tx: Parameters<typeof enqueue>[0], ...slugs: readonly string[]): Promise<void> {
  await enqueue(tx, 'cache.purge', { tags: purgedWithAuthor(...slugs) })
}
