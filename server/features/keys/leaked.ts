import type { WriteContext } from '#platform/context.ts'
import { hashOf } from '#platform/secret.ts'
import type { LeakedKeys } from './schema.ts'

/** Revokes those that are keys of ours. What was reported with them is not kept. */
export async function reportLeakedKeys({ db }: WriteContext, found: LeakedKeys): Promise<void> {
  await db.run({
    text: 'select app.report_leaked_keys($1)',
    values: [found.map(({ token }) => hashOf(token))],
  })
}
