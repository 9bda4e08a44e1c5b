import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { testSite } from '../../testkit/app.ts'
import { makePiece, makeWriter } from '../../testkit/factories.ts'
import { browserAgent, countsOf } from '../../testkit/read-counts.ts'

/** Many readers at once, over real sockets; `npm run bench -- --only pixel` is the long form, with a clock. */

test('every reader of a crowd is counted once, while others read, and the last of them as the server stops', async () => {
  const { admin, app } = await testSite({ TRUST_PROXY: '127.0.0.1' })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })

  async function ask(path: string, headers: Record<string, string> = {}): Promise<void> {
    const asked = request({ agent, host: '127.0.0.1', port, path, headers }).end()
    const [answer] = await once(asked, 'response')
    await once(answer.resume(), 'end')
    assert.equal(answer.statusCode, 200, path)
  }

  const writer = await makeWriter(admin, { slug: 'ada' })
  const ids: string[] = []
  for (let number = 0; number < 8; number += 1) ids.push(await makePiece(admin, writer, { headline: `N ${number}` }))
  const readers = 200
  const hits: Promise<void>[] = []
  for (let reader = 0; reader < readers; reader += 1) {
    const headers = {
      'user-agent': browserAgent,
      'x-forwarded-for': `10.1.${reader}.1`,
    }
    for (const id of ids) hits.push(ask(`/r/${id}.gif`, headers))
    // A reload, and a concurrent read.
    hits.push(ask(`/r/${ids[0]}.gif`, headers), ask(`/api/public/pieces/${ids[reader % ids.length]}`))
    if (reader % 50 === 49) await Promise.all(hits.splice(0))
  }
  await Promise.all(hits)
  agent.destroy()
  await app.close()
  assert.deepEqual(await countsOf(admin), Object.fromEntries(ids.map((id) => [id, readers])))
})
