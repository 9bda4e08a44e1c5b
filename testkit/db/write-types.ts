import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { testDatabase } from '../database.ts'
import { generatedTypes, typesOptions } from './types.ts'

/** `npm run db:types`: the table types, from a freshly migrated database. */
test('writes schema.generated.ts', async () => {
  const { url } = await testDatabase()
  execFileSync('npx', ['kysely-codegen', '--url', url, '--out-file', fileURLToPath(generatedTypes), ...typesOptions])
})
