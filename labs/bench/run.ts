import { execFileSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { seedSite } from '../../server/seed/seed.ts'
import { migrate, migrationsHash } from '../../server/sql/migrate.ts'
import { createDatabase, databaseUrl, hasDatabase, renameDatabase, startCluster, stopCluster } from './cluster.ts'
import { benchCreating, benchFace, benchHttp } from './http.ts'
import { benchPeers } from './peers/install.ts'
import { benchPixel } from './pixel.ts'
import { benchBuffers } from './reads.ts'
import { keep } from './report.ts'
import { benchTools } from './tools.ts'
import { benchWebhooks } from './webhooks.ts'

/**
 * `npm run bench`: seeds 10 and 100 thousand pieces (once), measures, prints one table and writes docs/performance.md.
 *   --million      also a million; its rows take minutes, its indexes longer
 *   --only WHAT    buffers, http, creating, face, pixel, tools or webhooks
 *   --rounds N     rounds of the parts that compare (5)
 *   --size N       only this many pieces
 * `npm run bench:search` measures search, in a site of its own (bench/million).
 * `npm run bench -- peers`: Ghost and Directus beside us, by themselves; --size is of posts (1,000).
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    million: { type: 'boolean', default: false },
    only: { type: 'string' },
    rounds: { type: 'string', default: '5' },
    size: { type: 'string' },
  },
})
const parts = ['buffers', 'http', 'creating', 'face', 'pixel', 'tools', 'webhooks']
if (values.only !== undefined && !parts.includes(values.only))
  throw new Error(`There is no part "${values.only}"; there are ${parts.join(', ')}, and npm run bench:search.`)
const wanted = (part: string): boolean => values.only === undefined || values.only === part

/** Databases of another schema version, or half seeded, are never measured. */
const layout = await migrationsHash()

const source = { commit: execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).trim() }

async function seeded(pieces: number): Promise<string> {
  const name = `pieces_${pieces}_${layout}`
  if (await hasDatabase(name)) return name
  await createDatabase(`${name}_unfinished`)
  const url = databaseUrl(`${name}_unfinished`)
  await migrate(url)
  const { rowSeconds, indexSeconds } = await seedSite(url, {
    authors: Math.ceil(pieces / 100),
    pieces,
    rng: 1,
    until: new Date('2026-11-15T00:00:00Z'),
  })
  await renameDatabase(`${name}_unfinished`, name)
  keep(pieces, { seeding: { rowSeconds, indexSeconds } }, source)
  return name
}

const [alone] = positionals
if (alone !== undefined && alone !== 'peers') throw new Error(`There is no bench "${alone}"; try --only ${alone}.`)
if (alone) process.exit(await benchPeers(Number(values.rounds), Number(values.size ?? 1_000), source))

startCluster()
try {
  // Runs in a separate site without pieces.
  if (wanted('webhooks')) keep(0, { webhooks: await benchWebhooks(Number(values.rounds)) }, source)
  for (const pieces of [10_000, 100_000, ...(values.million ? [1_000_000] : [])]) {
    if (values.only === 'webhooks' || (values.size !== undefined && Number(values.size) !== pieces)) continue
    console.error(`\n${pieces.toLocaleString('en')} pieces`)
    const name = await seeded(pieces)
    if (wanted('buffers')) keep(pieces, { buffers: await benchBuffers(name) }, source)
    if (wanted('http') && pieces === 100_000)
      keep(pieces, { http: await benchHttp(name, Number(values.rounds)) }, source)
    if (wanted('creating') && pieces === 10_000)
      keep(pieces, { creating: await benchCreating(name, Number(values.rounds)) }, source)
    if (wanted('face') && pieces === 10_000)
      keep(pieces, { face: await benchFace(name, Number(values.rounds)) }, source)
    if (wanted('tools') && pieces === 10_000)
      keep(pieces, { tools: await benchTools(name, Number(values.rounds)) }, source)
    if (wanted('pixel') && pieces === 10_000) keep(pieces, { pixel: await benchPixel(name) }, source)
  }
} finally {
  stopCluster()
}
