import { enqueue } from '#platform/jobs/jobs.ts'
import { purgedWithProduct } from './cache-tags.ts'

/** Every cached answer that shows it, could list it, or shows its picture. */
export async function purgeProduct(tx: Parameters<typeof enqueue>[0], id: string, sellerSlug: string): Promise<void> {
  await enqueue(tx, 'cache.purge', { tags: purgedWithProduct(id, sellerSlug) })
}
