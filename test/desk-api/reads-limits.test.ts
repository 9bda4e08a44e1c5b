import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { before, test } from 'node:test'
import { testSite } from '../../testkit/app.ts'
import { makePiece, makeWriter } from '../../testkit/factories.ts'
import { listen } from '../../testkit/network.ts'
import { browserAgent, countsOf, readPixel, scoreNow, waitForCountedReads } from '../../testkit/read-counts.ts'

/** Reads cannot be inflated: a network counts at most 60 times a minute, and five times a day for rankings. */

const { admin, app } = await testSite()
const writer = await makeWriter(admin, { slug: 'ada' })
const marker = await makePiece(admin, writer, { headline: 'A marker' })
const piece = (headline: string) => makePiece(admin, writer, { headline })

/** The current minute by the database's clock, which counts reads. */
const minute = async (): Promise<number> =>
  (await admin.query("select (extract(epoch from date_trunc('minute', now())) / 60)::integer as minute")).rows[0].minute

const counted = async (id: string): Promise<number> => {
  await waitForCountedReads(app, admin, marker)
  return (await countsOf(admin))[id] ?? 0
}

const ranked = async (): Promise<string[]> => {
  await scoreNow(admin)
  const { items } = (await app.inject('/api/public/pieces/trending?window=24h')).json()
  return items.map(({ title }: { title: string }) => title).filter((title: string) => title !== 'A marker')
}

/** Reads by this many user agents, none used before. */
let agents = 0
async function readBy(count: number, id: string, from: (reader: number) => string): Promise<void> {
  for (let reader = 0; reader < count; reader += 50)
    await Promise.all(
      Array.from({ length: Math.min(50, count - reader) }, (_, one) => {
        agents += 1
        const headers = { 'user-agent': `${browserAgent} ${agents}` }
        return readPixel(app, id, { from: from(reader + one), headers }).then(({ statusCode }) =>
          assert.equal(statusCode, 200),
        )
      }),
    )
}

test('3,000 requests of one address with as many agents are answered, count 60 a minute and move no rank', async () => {
  const [honest, bought] = [await piece('Honest'), await piece('Bought')]
  await readBy(6, honest, (reader) => `10.1.${reader}.1`)
  const began = await minute()
  await readBy(3000, bought, () => '203.0.113.9')
  const reads = await counted(bought)
  const minutes = 1 + (await minute()) - began
  assert.ok(reads >= 60 && reads <= 60 * minutes, `${reads} counted in ${minutes} minutes`)
  assert.deepEqual(await ranked(), ['Honest', 'Bought'])
  const { rows } = await admin.query('select count(*)::integer as marks from app.read_marks')
  assert.ok(rows[0].marks < 60 * (minutes + 1), `${rows[0].marks} marks are kept`)
})

test('a network of 256 addresses, or of 80 bits of them, has no more than one address has', async () => {
  for (const from of [
    (reader: number) => `198.18.7.${reader % 256}`,
    (reader: number) => `2001:db8:7:${reader.toString(16)}::1`,
  ]) {
    const id = await piece(`Of ${from(0)}`)
    const began = await minute()
    await readBy(400, id, from)
    const reads = await counted(id)
    const minutes = 1 + (await minute()) - began
    assert.ok(reads >= 60 && reads <= 60 * minutes, `${reads} counted in ${minutes} minutes`)
  }
})

test('readers of 500 networks are all counted and ranked', async () => {
  const id = await piece('Loved')
  await readBy(250, id, (reader) => `10.2.${reader}.1`)
  await readBy(250, id, (reader) => `2001:db8:${(0x1000 + reader).toString(16)}::1`)
  assert.equal(await counted(id), 500)
  assert.equal((await ranked())[0], 'Loved')
})

test('a network moves the rank of a piece by five reads a day, and still tells its writer of the others', async () => {
  const [six, office] = [await piece('Six networks'), await piece('One office')]
  await readBy(6, six, (reader) => `10.3.${reader}.1`)
  await readBy(4, office, () => '10.4.1.1')
  await readBy(36, office, () => '10.4.1.2')
  assert.equal(await counted(office), 40)
  const order = await ranked()
  assert.ok(order.indexOf('Six networks') < order.indexOf('One office'), order.join(', '))
  await readBy(2, office, (reader) => `10.4.${2 + reader}.1`)
  assert.equal(await counted(office), 42)
  const afterwards = await ranked()
  assert.ok(afterwards.indexOf('One office') < afterwards.indexOf('Six networks'), afterwards.join(', '))
})

test('the next minute counts again, and a reader who was not counted is when they come back', async () => {
  const [first, second] = [await piece('Crowded'), await piece('Later')]
  await readBy(70, first, () => '10.5.1.1')
  await counted(first)
  const late = { from: '10.5.1.200' }
  await admin.query("update app.read_limits set since = since - interval '1 minute' where isfinite(since)")
  await readPixel(app, second, late)
  assert.equal(await counted(second), 1)
})

before(async () => {
  await waitForCountedReads(app, admin, marker)
})

/** Many readers at once, over real sockets; `npm run bench -- --only pixel` is the long form, with a clock. */

test('every reader of a crowd is counted once, while others read, and the last of them as the server stops', async () => {
  const { admin, app } = await testSite({ TRUST_PROXY: '127.0.0.1' })
  const { port } = await listen(app)
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
