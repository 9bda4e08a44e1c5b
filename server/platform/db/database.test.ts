import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '#testing/database.ts'
import { ServiceError } from '../errors.ts'
import { Database } from './database.ts'

const { url } = await testDatabase()

const failing = (code: string) => ({
  text: `do $$ begin raise exception 'as if' using errcode = '${code}'; end $$`,
})

test('what a database lacks for a moment, while it fails over or its disk is full, is told as 503', async () => {
  const db = new Database({ name: 'test', url, connections: 1, statementTimeout: 1000 })
  for (const code of ['53100', '53300', '57P01', '57P03', '55P03', '25006'])
    await assert.rejects(
      db.run(failing(code)),
      (error) => error instanceof ServiceError && error.status === 503,
      `${code} is not`,
    )
  await assert.rejects(db.run(failing('XX000')), (error) => !(error instanceof ServiceError))
  await db.close()
})
