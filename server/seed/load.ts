import pg from 'pg'
import { bulkAuthors, bulkDrafts, bulkPieces } from './bulk.ts'
import { authorAt, draftAt, draftsOf, pieceAt, type SitePlan } from './site-plan.ts'

const batchSize = 2_000

/** Yields batches of the items `from` to `to`, one at a time, so that a million pieces are never in memory at once. */
function* batches<Item>(from: number, to: number, make: (index: number) => Item): Generator<Item[]> {
  for (let start = from; start < to; start += batchSize) {
    const length = Math.min(batchSize, to - start)
    yield Array.from({ length }, (_, offset) => make(start + offset))
  }
}

export async function loadAuthors(client: pg.ClientBase, plan: SitePlan): Promise<void> {
  for (const authors of batches(0, plan.authors, (index) => authorAt(plan, index))) await bulkAuthors(client, authors)
}

export async function loadDrafts(client: pg.ClientBase, plan: SitePlan): Promise<void> {
  for (const drafts of batches(0, draftsOf(plan), (index) => draftAt(plan, index))) await bulkDrafts(client, drafts)
}

/** Loads pieces `from` to `to` of the plan on a separate connection. */
export async function loadPieces(
  databaseUrl: string,
  plan: SitePlan,
  from: number,
  to: number,
  onBatch: (rows: number) => void,
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    // A seed can be repeated, so there is no need to wait for the disk at each batch.
    await client.query('set synchronous_commit = off')
    for (const pieces of batches(from, to, (index) => pieceAt(plan, index))) {
      await bulkPieces(client, pieces)
      onBatch(pieces.length)
    }
  } finally {
    await client.end()
  }
}
