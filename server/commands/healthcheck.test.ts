import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { standfirst } from '../../testkit/cli.ts'

/** The health check of containers and supervisors. */

let status = 200
const asked: (string | undefined)[] = []
const server = createServer((request, response) => {
  asked.push(request.url)
  response.writeHead(status).end()
}).listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => server.close())
const port = String((server.address() as AddressInfo).port)

const healthcheck = async (env: Record<string, string>, ...args: string[]) => {
  const given = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', ...env }
  const { code, output } = await standfirst(given, 'healthcheck', ...args)
  return `${code} ${output}`
}

test('a process that answers is healthy, wherever it listens, and its database is not asked', async () => {
  for (const ADMIN_HOST of ['127.0.0.1', '0.0.0.0', '::'])
    assert.equal(await healthcheck({ ADMIN_PORT: port, ADMIN_HOST }), '0 ')
  assert.equal(await healthcheck({}, '--port', port), '0 ')
  assert.deepEqual(new Set(asked), new Set(['/healthz']))
})

test('one that answers with a failure, or not at all, is not, and it is said why', async () => {
  status = 500
  assert.match(await healthcheck({ ADMIN_PORT: port }), /^1 http:\/\/127\.0\.0\.1:\d+\/healthz answers 500\.\n$/)
  assert.match(await healthcheck({}, '--port', '1'), /^1 http:\/\/127\.0\.0\.1:1\/healthz does not answer: .+\n$/)
  assert.match(await healthcheck({ PORT: port }), /^1 Set ADMIN_PORT/, 'the readers’ port is not asked')
})
