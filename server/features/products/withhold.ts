import type pg from 'pg'
import { enqueue } from '#platform/jobs/jobs.ts'
import { purgeProduct } from './purge.ts'

/**
 * Takes a listing out of the shop, by the last part of its address, and keeps it out: its writer reads the reason at the
 * desk and in an email, and can appeal. Without a reason they may list it again. Whether there is such a listing.
 */
export async function withholdProduct(owner: pg.ClientBase, slug: string, reason: string | null): Promise<boolean> {
  const { rows } = await owner.query<{ product_id: string; seller: string; decision: string | null }>(
    'select * from app.withhold_product($1, $2)',
    [slug, reason],
  )
  const [withheld] = rows
  if (withheld) await purgeProduct(owner, withheld.product_id, withheld.seller)
  if (withheld?.decision) await enqueue(owner, 'decision.email', { decision: withheld.decision, to: 'writer' })
  return withheld !== undefined
}
