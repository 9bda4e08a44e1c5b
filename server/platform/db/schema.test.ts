import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { testDatabase } from '../../../testkit/database.ts'
import { generatedTypes, typesOptions } from '../../../testkit/db/schema-files.ts'

test('the table types are those of the migrated database', async () => {
  const { url } = await testDatabase()
  const file = fileURLToPath(generatedTypes)
  const { status, stdout, stderr } = spawnSync(
    'npx',
    ['kysely-codegen', '--url', url, '--out-file', file, '--verify', ...typesOptions],
    { encoding: 'utf8' },
  )
  assert.equal(status, 0, `run npm run db:types\n${stdout}${stderr}`)
})
