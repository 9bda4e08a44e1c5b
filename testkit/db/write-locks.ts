import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { scratchDatabase } from '../database.ts'
import { locksFile, measureLocks } from './locks.ts'

/** `npm run db:locks`: what each migration locks, from applying all of them to an empty database. */
test('writes migration-locks.json', async () => {
  const { url } = await scratchDatabase()
  writeFileSync(locksFile, JSON.stringify(await measureLocks(url)))
  execFileSync('npx', ['biome', 'format', '--write', fileURLToPath(locksFile)])
})
