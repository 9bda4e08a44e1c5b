import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { newSecret } from '../../server/features/webhooks/secrets.ts'
import { createSealer } from '../../server/platform/crypto.ts'
import { testApp } from '../../testkit/app.ts'
import { testDatabase } from '../../testkit/database.ts'
import { deskOf } from '../../testkit/desk.ts'
import { makeWriter } from '../../testkit/factories.ts'
import { until } from '../../testkit/waiting.ts'
import { secretsKey } from '../../testkit/webhook-site.ts'
import { type Inside, startInNamespace } from '../netns/namespace.ts'
import type { Seen } from '../netns/worker.ts'
import { bypassForms, forbiddenTargets, manners, outside, targetName, unreachable } from '../netns/zone.ts'

/** Webhooks cannot reach internal addresses: the worker as shipped, in a network where every address answers. */

const { url, admin } = await testDatabase()
const BASE_URL = 'https://standfirst.example'
const app = await testApp(url, { BASE_URL })

/** Unix sockets work across namespaces: the database is reachable only through one. */
async function openRelay(): Promise<string> {
  const { hostname, port, username, password, pathname } = new URL(url)
  const folder = await mkdtemp(join(tmpdir(), 'relay-'))
  const server = createServer((near) => {
    const far = connect(Number(port || 5432), hostname)
    near.pipe(far).pipe(near)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      one.on('error', () => other.destroy())
  })
  server.listen(join(folder, '.s.PGSQL.5432'))
  await once(server, 'listening')
  after(() => {
    server.close()
    return rm(folder, { recursive: true })
  })
  return `postgres://${username}${password ? `:${password}` : ''}@${encodeURIComponent(folder)}${pathname}`
}

interface Attempted {
  readonly url: string
  readonly problem: string | null
  readonly status: number | null
  readonly address: string | null
  readonly detail: string | null
}

/** Webhooks inserted directly into the database, past all validation, each with one delivery. */
async function plant(urls: readonly string[]): Promise<Attempted[]> {
  const sealer = createSealer([secretsKey])
  const planted = urls.map((one) => {
    const id = randomUUID()
    return { id, url: one, secret: sealer.seal(newSecret().secret, id) }
  })
  const ids = planted.map(({ id }) => id)
  const columns = [ids, urls, planted.map(({ secret }) => secret)]
  await admin.query(
    `insert into app.writers (id, slug, name, search_text) select i, 'w-' || i, 'Planted', '' from unnest($1::uuid[]) i`,
    [ids],
  )
  await admin.query(
    `insert into app.webhooks (writer_id, url, secret, secret_hint, state, live_since)
     select i, u, s, '…', 'live', now() from unnest($1::uuid[], $2::text[], $3::bytea[]) as p (i, u, s)`,
    columns,
  )
  await admin.query(
    `insert into app.deliveries (writer_id, event, piece_id, sequence, state, body)
     select i, 'piece.published', gen_random_uuid(), 1, 'pending', '{}' from unnest($1::uuid[]) i`,
    [ids],
  )
  // Only now, since a worker removes a webhook without deliveries from the queue.
  await admin.query('update app.webhooks set ready_at = now() where writer_id = any ($1)', [ids])
  await admin.query('notify deliveries')
  const attempts = await until(async () => {
    const { rows } = await admin.query<Attempted>(
      `select w.url, a.problem, a.status, host(a.address) as address, a.detail
         from app.delivery_attempts a join app.webhooks w using (writer_id) where writer_id = any ($1) and attempt = 1`,
      [ids],
    )
    return rows.length === urls.length ? rows : undefined
  }, 'each was tried')
  // No retries while the others are checked.
  await admin.query('delete from app.writers where id = any ($1)', [ids])
  return attempts
}

let inside: Inside | undefined
let lines: AsyncIterator<string>
before(async () => {
  const file = fileURLToPath(new URL('../netns/worker.ts', import.meta.url))
  inside = await startInNamespace(file, unreachable, {
    DATABASE_URL: await openRelay(),
    BASE_URL,
    AUTH_SECRET: secretsKey,
    SECRETS_KEY: secretsKey,
    SMTP_URL: '',
    OUTBOUND_ALLOW: '',
  })
  let errors = ''
  inside.process.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text
  })
  lines = createInterface(inside.process.stdout)[Symbol.asyncIterator]()
  assert.equal((await lines.next()).value, 'ready', errors)
})
after(() => inside?.leave())

async function look(): Promise<Seen> {
  inside!.process.stdin.write('\n')
  return JSON.parse((await lines.next()).value)
}
const problems = (attempts: readonly Attempted[]) => [...new Set(attempts.map(({ problem }) => problem))]
function assertNothingSent(attempts: readonly Attempted[]): void {
  for (const { address, detail } of attempts) {
    assert.equal(address, null)
    assert.doesNotMatch(detail!, /\d+\.\d+|::|[0-9a-f]{4}:/, 'an address is told')
  }
}

test('a public server is asked, proves itself and is told, over TLS and under its own name', async () => {
  const writer = await makeWriter(admin)
  const desk = deskOf(app, writer)
  const saved = await desk.ask('PUT', 'webhook', { url: 'https://good.outside.example/hook' })
  assert.equal(saved.statusCode, 200, saved.body)
  await until(async () => (await desk.ask('GET', 'webhook')).json().webhook.state === 'live', 'it is live')
  assert.equal((await desk.act('publish', await desk.begin())).statusCode, 200)
  const id = await until(async () => {
    const [newest] = (await desk.ask('GET', 'webhook/deliveries')).json().deliveries
    return newest.state === 'delivered' && newest.event === 'piece.published' ? newest.id : undefined
  }, 'it is told')
  const [attempt] = (await desk.ask('GET', `webhook/deliveries/${id}`)).json().attempts
  assert.deepEqual([attempt.address, attempt.status, attempt.answer], [outside.v4, 200, 'hello'])
  const { connections, begun } = await look()
  assert.deepEqual([connections.map(({ to }) => to), begun], [[`${outside.v4} 443`, `${outside.v4} 443`], 2])
})

test('no spelling of a forbidden address can be saved', async (t) => {
  const desk = deskOf(app, await makeWriter(admin))
  for (const form of bypassForms) {
    const answer = await desk.ask('PUT', 'webhook', { url: form })
    assert.equal(answer.statusCode, 400, `${form}: ${answer.body}`)
    assert.equal(answer.json().errors[0].pointer, '/url')
  }
  assert.equal((await desk.ask('GET', 'webhook')).json().webhook, null)
  t.diagnostic(`${bypassForms.length} forms`)
})

test('nor is one called that got into the database by another way: its name is not even asked for', async () => {
  const before = await look()
  // PostgreSQL keeps no NUL.
  const attempts = await plant(bypassForms.filter((form) => !form.includes('\0')))
  assert.deepEqual(problems(attempts), ['forbidden_url'])
  assertNothingSent(attempts)
  assert.deepEqual(await look(), before)
})

test('no name that leads to a forbidden address is called, and the log does not tell which that is', async () => {
  const before = await look()
  const attempts = await plant(forbiddenTargets.map((_, place) => `https://${targetName(place)}/`))
  assert.deepEqual(problems(attempts), ['forbidden_address'])
  assertNothingSent(attempts)
  const { connections, begun } = await look()
  assert.deepEqual([connections, begun], [before.connections, before.begun])
})

test('one forbidden address among several, in either family or behind an alias, is enough', async () => {
  const before = await look()
  const labels = ['inside', 'many', 'mixed', 'mapped', 'alias', 'aliases', 'strange-owner']
  const attempts = await plant(labels.map((label) => `https://${label}.outside.example/`))
  assert.deepEqual(problems(attempts), ['forbidden_address'])
  assertNothingSent(attempts)
  assert.equal((await look()).begun, before.begun)
})

test('a name that flips between public and private is called on its public side alone', async () => {
  const before = await look()
  const attempts = await plant(Array.from({ length: 40 }, () => 'https://flip.outside.example/'))
  assert.deepEqual(problems(attempts).sort(), ['forbidden_address', null])
  const { connections, begun } = await look()
  const answered = attempts.filter(({ status }) => status === 200)
  const fresh = connections.slice(before.connections.length)
  assert.deepEqual([...new Set(fresh.map(({ to }) => to))], [`${outside.v4} 443`])
  assert.deepEqual([fresh.length, begun - before.begun], [answered.length, answered.length])
})

test('a redirect into the network is a failure, and nobody goes there', async () => {
  const before = await look()
  const statuses = ['301', '302', '303', '307', '308']
  const attempts = await plant(statuses.map((status) => `https://good.outside.example/${status}`))
  assert.deepEqual(problems(attempts), ['status'])
  assert.deepEqual(attempts.map(({ status }) => `${status}`).sort(), statuses)
  assert.equal((await look()).begun, before.begun + statuses.length)
})

test('a certificate that nobody vouches for is refused, whatever the environment says', async () => {
  const attempts = await plant(['https://untrusted.outside.example/', 'https://plain.outside.example/'])
  assert.deepEqual(problems(attempts), ['tls'])
})

test('of all connections of the worker, none went to a forbidden address', async (t) => {
  const { connections, begun } = await look()
  const known = Object.keys(manners).map((address) => `${address} 443`)
  assert.deepEqual(
    connections.filter(({ to }) => !known.includes(to)),
    [],
  )
  assert.equal(connections.length, begun, 'the kernel began what the receiver did not see')
  t.diagnostic(`${begun} connections, all to public addresses`)
})
