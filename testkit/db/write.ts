import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { scratchDatabase, testDatabase } from '../database.ts'
import { generatedTypes, locksFile, measureLocks, rightsFile, rightsOf, typesOptions } from './schema-files.ts'

/** `npm run db:types`, `db:rights` and `db:locks`: write the files that describe the schema, from a freshly migrated database. */
const writers: Readonly<Record<string, () => Promise<void>>> = {
  types: async () => {
    const { url } = await testDatabase()
    execFileSync('npx', ['kysely-codegen', '--url', url, '--out-file', fileURLToPath(generatedTypes), ...typesOptions])
  },
  rights: async () => {
    const { admin } = await testDatabase()
    writeFileSync(rightsFile, await rightsOf(admin))
  },
  locks: async () => {
    const { url } = await scratchDatabase()
    writeFileSync(locksFile, JSON.stringify(await measureLocks(url)))
    execFileSync('npx', ['biome', 'format', '--write', fileURLToPath(locksFile)])
  },
}

const what = process.argv[2] ?? ''
const write = writers[what]
if (!write) throw new Error(`write.ts takes one of ${Object.keys(writers).join(', ')}`)
// Inside a test, so that the database is dropped at the end.
test(`writes the ${what} of the schema`, write)
