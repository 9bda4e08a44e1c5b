import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { startCli } from '../../testkit/cli.ts'
import { testDatabase } from '../../testkit/database.ts'
import { type MadeWriter, makeDraft, makeWriter } from '../../testkit/factories.ts'
import { hardBodies } from '../../testkit/hard-bodies.ts'
import { percentile } from '../../testkit/measure.ts'
import { mediaFolder, photograph } from '../../testkit/media.ts'

/** One account that uses all its limits beside a normal writer, on a server as shipped. ROUNDS=300 is the long form. */

const rounds = Number(process.env['ROUNDS'] ?? 100)
const { url, admin } = await testDatabase()
const [mallory, ada] = [await makeWriter(admin), await makeWriter(admin)]

const { says } = startCli(
  {
    DATABASE_URL: url,
    BASE_URL: 'https://site.test',
    AUTH_SECRET: 'a-secret-of-tests-that-everybody-knows',
    SECRETS_KEY: 'a-secret-of-tests-that-everybody-knows',
    MEDIA_URL: mediaFolder().url,
    // So that the two have different IP addresses.
    TRUST_PROXY: '127.0.0.1',
    PORT: '0',
    SHUTDOWN_DELAY: '0',
  },
  'serve',
)
const { address: base } = await says('listening')

const caller = ({ sessionToken }: MadeWriter, address: string) => {
  const headers = {
    cookie: `__Host-desk=${sessionToken}`,
    'sec-fetch-site': 'same-origin',
    'x-forwarded-for': address,
  }
  return async (method: string, path: string, body?: object | Buffer) => {
    const type = Buffer.isBuffer(body) ? 'image/jpeg' : 'application/json'
    const answer = await fetch(`${base}${path}`, {
      method,
      headers: { ...headers, ...(body ? { 'content-type': type } : {}) },
      ...(body ? { body: Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body) } : {}),
    })
    return { status: answer.status, text: await answer.text() }
  }
}

const paragraph = 'Tea is **slow**, and _that_ is [the point](https://example.org/tea) of it all. '.repeat(6)

/** The writer's work, repeatedly: draft, preview, publish. */
async function writing() {
  const ask = caller(ada, '192.0.2.1')
  const [previews, publications]: [number[], number[]] = [[], []]
  const refused: string[] = []
  const timed = async (times: number[], path: string, body?: object) => {
    const start = performance.now()
    const { status, text } = await ask('POST', path, body)
    times.push(performance.now() - start)
    if (status !== 200) refused.push(`${path}: ${text}`)
    return JSON.parse(text)
  }
  for (let round = 0; round < rounds; round += 1) {
    const draft = { headline: 'On tea', body_md: `${randomUUID()}\n\n${`${paragraph}\n\n`.repeat(8)}` }
    const made = await ask('POST', '/desk/api/pieces', draft)
    assert.equal(made.status, 201, made.text)
    const { id } = JSON.parse(made.text).piece
    const { nonce } = await timed(previews, `/desk/api/pieces/${id}/preview`)
    await timed(publications, `/desk/api/pieces/${id}/publish`, { nonce })
    // Three requests each round; a person may send 1,200 a minute.
    await pause(150)
  }
  return { preview: percentile(previews, 0.99), publish: percentile(publications, 0.99), refused }
}

/** Requests of each kind at the rate of their limits, whatever the answer. */
async function hostility() {
  const ask = caller(mallory, '192.0.2.2')
  const statuses = new Map<string, number>()
  const timers: NodeJS.Timeout[] = []
  const open = new Set<Promise<void>>()
  const send = (perMinute: number, kind: string, request: (number: number) => ReturnType<typeof ask>) => {
    let number = 0
    const timer = setInterval(() => {
      const asked = request(number++)
        .then(({ status }) => status)
        .catch(() => 'cut off')
        .then((status) => {
          const key = `${kind} ${status}`
          statuses.set(key, (statuses.get(key) ?? 0) + 1)
          open.delete(asked)
        })
      open.add(asked)
    }, 60_000 / perMinute)
    timers.push(timer)
  }
  const slow = ['lists ten deep', 'three hundred columns', 'items apart'].map((name) => new Map(hardBodies).get(name)!)
  const drafts: string[] = []
  // More than the render cache holds.
  for (let number = 0; number < 150; number += 1) {
    const body_md = `${slow[number % slow.length]!.slice(0, -100)}\n\n${randomUUID()}`
    drafts.push(await makeDraft(admin, mallory, { body_md }))
  }
  const pictures = await Promise.all(
    Array.from({ length: 20 }, (_, number) => photograph(number, { width: 4_000, height: 3_000 })),
  )
  return {
    start() {
      send(900, 'preview', (number) => ask('POST', `/desk/api/pieces/${drafts[number % drafts.length]}/preview`))
      send(290, 'upload', (number) => ask('POST', '/desk/api/media', pictures[number % pictures.length]!))
      send(290, 'search', (number) => ask('GET', `/api/public/pieces/search?q=e${number % 10}`))
      send(19, 'export', () => ask('GET', '/desk/api/account/export'))
    },
    async stop() {
      for (const timer of timers) clearInterval(timer)
      await Promise.all(open)
    },
    answered: () => [...statuses].sort().map(([kind, count]) => `${kind}: ${count}`),
  }
}

test('with one hostile account active, another writer’s previews and publications take at most twice as long (p99), and none is refused', async (t) => {
  const other = await hostility()
  await writing()
  const quiet = await writing()
  other.start()
  const beside = await writing().finally(other.stop)
  const said = (name: 'preview' | 'publish') =>
    `${name} p99 ${quiet[name].toFixed(0)} ms alone, ${beside[name].toFixed(0)} ms beside`
  t.diagnostic(`figure: ${said('preview')}; ${said('publish')}; the other: ${other.answered().join(', ')}`)
  assert.deepEqual(beside.refused, [])
  for (const name of ['preview', 'publish'] as const) assert.ok(beside[name] <= 2 * quiet[name], said(name))
})
