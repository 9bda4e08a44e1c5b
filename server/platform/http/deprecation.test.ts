import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastify from 'fastify'
import { deprecated } from './link-headers.ts'

test('a deprecated route says since when, until when and what instead', async () => {
  const app = fastify()
  const hook = deprecated(new Date('2027-01-01T00:00:00Z'), new Date('2028-01-01T00:00:00Z'), 'https://site.test/docs')
  app.get('/old', { onRequest: hook }, async () => 'still here')
  const { headers } = await app.inject('/old')
  assert.equal(headers['deprecation'], '@1798761600')
  assert.equal(headers['sunset'], 'Sat, 01 Jan 2028 00:00:00 GMT')
  assert.equal(headers['link'], '<https://site.test/docs>; rel="deprecation"')
})
