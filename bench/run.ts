import { parseArgs } from 'node:util'
import { migrate } from '../server/platform/db/migrate.ts'
import { seedHouse } from '../server/seed/seed.ts'
import { createDatabase, databaseUrl, startCluster, stopCluster } from './cluster.ts'
import { benchHttp } from './http.ts'
import { benchBuffers } from './reads.ts'
import { keep } from './report.ts'
import { benchSearch } from './search.ts'

/**
 * `npm run bench`: seeds 10 and 100 thousand pieces (once), measures, prints one table and writes docs/performance.md.
 *   --million      also a million; its rows take minutes, its indexes longer
 *   --only WHAT    search, buffers or http
 *   --rng N        other questions (any number nobody tuned for)
 *   --queries N    questions of each class (100)
 *   --rounds N     rounds of the HTTP part (5)
 */
const { values } = parseArgs({
  options: {
    million: { type: 'boolean', default: false },
    only: { type: 'string' },
    rng: { type: 'string', default: '20261115' },
    queries: { type: 'string', default: '100' },
    rounds: { type: 'string', default: '5' },
  },
})
const wanted = (part: string): boolean => values.only === undefined || values.only === part

startCluster()
try {
  for (const pieces of [10_000, 100_000, ...(values.million ? [1_000_000] : [])]) {
    const name = `pieces_${pieces}`
    console.error(`\n${pieces.toLocaleString('en')} pieces`)
    if (await createDatabase(name)) {
      await migrate(databaseUrl(name))
      const seeded = await seedHouse(databaseUrl(name), {
        authors: Math.ceil(pieces / 100),
        pieces,
        rng: 1,
        until: new Date('2026-11-15T00:00:00Z'),
      })
      keep(pieces, { seeding: { rowSeconds: seeded.rowSeconds, indexSeconds: seeded.indexSeconds } })
    }
    if (wanted('buffers')) keep(pieces, { buffers: await benchBuffers(name) })
    if (wanted('search')) keep(pieces, { search: await benchSearch(name, Number(values.rng), Number(values.queries)) })
    if (wanted('http') && pieces === 100_000) keep(pieces, { http: await benchHttp(name, Number(values.rounds)) })
  }
} finally {
  stopCluster()
}
