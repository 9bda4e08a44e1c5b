import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createDatabase, databaseUrl, renameDatabase } from './cluster.ts'
import { migrate, migrationsHash } from '../server/platform/db/migrate.ts'
import { seedHouse } from '../server/seed/seed.ts'
import { keep } from './report.ts'
const layout = createHash('sha256').update(await migrationsHash()).update(readFileSync(new URL('../server/features/pieces/search/keys.ts', import.meta.url))).digest('hex').slice(0, 8)
console.log(layout)
for (const n of process.argv.slice(2).map(Number)) {
const name = `pieces_${n}_${layout}`
await createDatabase(name + '_unfinished'); await migrate(databaseUrl(name + '_unfinished'))
const { rowSeconds, indexSeconds } = await seedHouse(databaseUrl(name + '_unfinished'), { authors: Math.ceil(n/100), pieces: n, rng: 1, until: new Date('2026-11-15T00:00:00Z') })
await renameDatabase(name + '_unfinished', name)
console.log(n, rowSeconds, indexSeconds)
}
void keep
