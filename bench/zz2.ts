import pg from 'pg'
import { readConfig } from '../server/platform/config.ts'
import { publicPools } from '../server/platform/db/pools.ts'
import { findPieces } from '../server/features/pieces/search/find.ts'
import { refreshSample } from '../server/features/pieces/search/sample.ts'
import { databaseUrl } from './cluster.ts'
import { drawClasses, drawCorpus } from './words.ts'
import { randomFrom } from '../server/seed/random.ts'
import { narrowingsOf, termOf } from '../server/features/pieces/search/term.ts'
const [name, rng, n, ...classes] = process.argv.slice(2)
const { searchDb, db } = publicPools(readConfig({ DATABASE_URL: databaseUrl(name!) }))
const client = new pg.Client({ connectionString: databaseUrl(name!) }); await client.connect()
const corpus = await drawCorpus(client, randomFrom(Number(rng), 1))
const sample = await refreshSample(searchDb)
const log: string[] = []
const run = searchDb.run.bind(searchDb)
searchDb.run = async (q) => { const t = performance.now(); const r = await run(q as never); const c = q as {text:string; values?: unknown[]}; log.push(`${/candidates/.test(c.text) ? 'L' : 'W'}${String(c.values?.[4] ?? '').slice(0,24)}:${(performance.now()-t).toFixed(1)}(${(r as unknown[]).length})`); return r as never }
for (const cl of drawClasses(corpus, Number(rng), Number(n))) {
  if (classes.length && !classes.some((c) => cl.name.startsWith(c))) continue
  const rows = []
  for (const { q, limit, category } of cl.asks) { await findPieces(searchDb, { q, limit: limit+1, category, budget: 500 }); log.length=0; const t=performance.now(); await findPieces(searchDb, { q, limit: limit+1, category, budget: 500 }); rows.push([performance.now()-t, q, log.join(' ')] as const) }
  rows.sort((a,b)=>b[0]-a[0])
  console.log('==', cl.name); for (const [ms, q, l] of rows.slice(0,6)) console.log(ms.toFixed(1), JSON.stringify(q), l.slice(0,330), narrowingsOf(termOf(q),'body',sample).map(n=>n.by+n.share.toFixed(3)).join(','))
}
await client.end(); await db.close(); await searchDb.close()
