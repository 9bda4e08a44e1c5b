import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastify from 'fastify'
import { Registry } from 'prom-client'
import type { Database } from '#platform/db/database.ts'
import { overloaded } from '#platform/errors.ts'
import { handleErrors } from '#platform/http/errors.ts'
import { healthRoutes } from './routes.ts'

test('a context is ready when its own databases are, whatever the others do, and their release fits', async () => {
  const away = new Set(['desk'])
  const fit = { missing: [] as string[], unknown: ['9999_of_later.sql'], needed: [] as string[] }
  const databases = ['public', 'search', 'api', 'desk', 'export'].map((name) => {
    const answer = async () => {
      if (away.has(name)) throw overloaded('away')
      return [fit]
    }
    return { name, run: answer, probe: answer }
  }) as unknown as Database[]
  const app = fastify()
  handleErrors(app)
  await app.register(healthRoutes, { databases, metrics: { registry: new Registry() }, isClosing: () => false })
  const statusOf = async (url: string) => (await app.inject(url)).statusCode
  assert.equal(await statusOf('/readyz'), 503)
  assert.equal(await statusOf('/readyz?surface=public'), 200)
  assert.equal(await statusOf('/readyz?surface=write'), 200)
  assert.equal(await statusOf('/readyz?surface=desk'), 503)
  away.clear()
  assert.equal(await statusOf('/readyz'), 200)
  assert.equal(await statusOf('/readyz?surface=desk'), 200)
  away.add('search')
  assert.equal(await statusOf('/readyz?surface=public'), 503)
  away.clear()
  const saysOf = async () => (await app.inject('/readyz')).json().detail
  fit.missing.push('9998_of_this.sql')
  assert.equal(await statusOf('/readyz?surface=desk'), 503)
  assert.match(await saysOf(), /Run: standfirst migrate/)
  fit.missing.pop()
  fit.needed.push('9999_of_later.sql')
  assert.match(await saysOf(), /too old for the database, which needs 9999_of_later\.sql/)
})
