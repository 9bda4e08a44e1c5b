import { writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { testDatabase } from '../database.ts'
import { rightsFile, rightsOf } from './rights.ts'

// Inside a test, so that the database is dropped at once.
test('rights.txt is written', async () => {
  const { admin } = await testDatabase()
  await writeFile(rightsFile, await rightsOf(admin))
})
