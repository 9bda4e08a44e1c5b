import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { allRows } from '../../testkit/attacks.ts'
import { spawnCli, standfirst } from '../../testkit/cli.ts'
import { temporaryFolder } from '../../testkit/files.ts'
import { deleteNow } from '../../testkit/jobs.ts'
import { freePort } from '../../testkit/network.ts'
import { until } from '../../testkit/waiting.ts'
import { openWebhookSite, type Subscriber, secretsKey } from '../../testkit/webhook-site.ts'

/** What the operator sees of webhooks. */

const { url, app, admin, subscribe, addWebhook, receiver } = await openWebhookSite()
const env = { DATABASE_URL: url, BASE_URL: 'https://site.test', AUTH_SECRET: secretsKey, SECRETS_KEY: secretsKey }
const status = async () => (await standfirst(env, 'webhook', 'status')).out

async function pileUp(one: Subscriber, count: number, due: string): Promise<void> {
  await admin.query(
    `insert into app.deliveries (writer_id, event, piece_id, sequence, state, body, due_at)
     select $1, 'piece.published', gen_random_uuid(), n, 'pending', '{}', now() + $3::interval
       from generate_series(1, $2::integer) n`,
    [one.writer.id, count, due],
  )
  await admin.query('update app.webhooks set ready_at = clock_timestamp() where writer_id = $1', [one.writer.id])
  await admin.query('notify deliveries')
}

const emptyLine = () =>
  admin.query('with gone as (delete from app.deliveries) update app.webhooks set ready_at = null, failures = 0')

/** As if no worker ran: no delivery can be claimed. */
async function withoutWork(act: () => Promise<void>): Promise<void> {
  await admin.query('revoke execute on function app.claim_deliveries(integer, boolean) from svc_worker')
  try {
    await act()
  } finally {
    await emptyLine()
    await admin.query('grant execute on function app.claim_deliveries(integer, boolean) to svc_worker')
  }
}

async function waitInLine(one: Subscriber, since: string): Promise<void> {
  await one.publish()
  await admin.query('update app.webhooks set ready_at = clock_timestamp() - $2::interval where writer_id = $1', [
    one.writer.id,
    since,
  ])
}

/** A metric's value in the Prometheus text format. */
function lineIn(text: string, line: 'answering' | 'failing') {
  const output = text.split('\n').map((one) => one.split(' '))
  const of = (name: string, more = '') =>
    Number(output.find(([named]) => named === `standfirst_${name}{endpoints="${line}"${more}}`)?.[1])
  return {
    seconds: of('webhook_ready_seconds'),
    ready: of('webhook_queue_length', ',state="ready"'),
    later: of('webhook_queue_length', ',state="later"'),
    underWay: of('deliveries_under_way'),
  }
}

const untilLine = (line: 'answering' | 'failing', isIt: (output: ReturnType<typeof lineIn>) => boolean) =>
  until(async () => {
    const output = lineIn((await app.admin.inject('/metrics')).body, line)
    return isIt(output) ? output : undefined
  }, `the line of those ${line}: ${isIt}`)

describe('standfirst webhook status', () => {
  test('of a site where nobody has one says so', async () => {
    assert.equal(
      await status(),
      [
        'Webhooks: 0 live, 0 unproven, 0 paused, 0 disabled',
        'Deliveries: 0 waiting, 0 being sent, 0 on hold',
        'Late: none',
        'Last hour: no attempts',
        '',
      ].join('\n'),
    )
  })

  test('counts webhooks by state, what is to send, and attempts by outcome; and names who fails, without their address', async () => {
    const [good, paused, bad, gone] = [await subscribe(), await subscribe(), await subscribe(500), await subscribe(410)]
    const unproven = await addWebhook(404)
    await unproven.untilWebhook(({ ping }) => ping!.state === 'exhausted')
    await paused.desk.ask('POST', 'webhook/pause')
    for (const one of [good, paused, bad, gone]) await one.publish()
    await good.until(({ state }) => state === 'delivered')
    await bad.until(({ last }) => last?.status === 500)
    await gone.untilWebhook(({ state }) => state === 'disabled')
    // Not tried again while we look.
    await admin.query("update app.deliveries set due_at = now() + interval '1 hour' where state = 'pending'")
    const output = await status()
    const lines = output.split('\n')
    assert.deepEqual(lines.slice(0, 4), [
      'Webhooks: 2 live, 1 unproven, 1 paused, 1 disabled',
      'Deliveries: 1 waiting, 0 being sent, 2 on hold',
      'Late: none',
      // Four pings that were answered and one piece; a ping, a 500 and a 410.
      'Last hour: 5 delivered, 3 status',
    ])
    const row = (one: Subscriber) => lines.find((line) => line.startsWith(one.writer.slug))
    assert.match(
      row(bad)!,
      /\t127\.0\.0\.1:\d+\tlive\tsince 20\d\d-\d\d-\d\dT\d\d:\d\dZ\t1 failure in a row\tstatus 500$/,
    )
    assert.match(row(gone)!, /\tdisabled\t.*\tstatus 410$/)
    assert.equal(row(good), undefined)
    for (const one of [bad, gone]) assert.ok(!output.includes(one.path.slice(1)), 'the address is told')
  })

  test('says when webhooks that answer wait for a worker, and what to do', async () => {
    await emptyLine()
    const one = await subscribe()
    await withoutWork(async () => {
      await waitInLine(one, '5 minutes')
      const output = await status()
      assert.match(output, /^Deliveries: 1 waiting, 0 being sent, 0 on hold$/m)
      assert.match(output, /^Ready to send to answering endpoints: 1, the oldest for 5 minutes$/m)
      assert.match(output, /^Late: 1 delivery has been waiting .*Check that a worker is running; docs\/operations\.md/m)
    })
  })
})

describe('the metrics', () => {
  test('of a process with a worker tell who stands in line, and for how long the first has', async () => {
    await emptyLine()
    const one = await subscribe()
    await withoutWork(async () => {
      await waitInLine(one, '100 seconds')
      const { body } = await app.admin.inject('/metrics')
      const { seconds, ...counts } = lineIn(body, 'answering')
      assert.ok(seconds >= 100 && seconds < 3600, `${seconds}`)
      assert.deepEqual(counts, { ready: 1, later: 0, underWay: 0 })
      assert.deepEqual(lineIn(body, 'failing'), { seconds: 0, ready: 0, later: 0, underWay: 0 })
      assert.match(body, /^standfirst_delivery_attempt_seconds_count\{outcome="delivered"\} [1-9]/m)
    })
  })

  test('one slow server makes nothing late, however much waits for it', async () => {
    await emptyLine()
    const one = await subscribe()
    const answers: (() => void)[] = []
    one.behave((_request, response) => answers.push(() => response.end()))
    await pileUp(one, 20, '-100 seconds')
    const line = await untilLine('answering', ({ underWay, later }) => underWay > 0 && later === 1)
    assert.deepEqual([line.seconds, line.ready], [0, 0])
    assert.match(await status(), /^Late: none$/m)
    one.behave(200)
    for (const answer of answers) answer()
  })

  test('a server that rests is not in line', async () => {
    await emptyLine()
    const one = await subscribe()
    await admin.query(
      "update app.webhooks set failures = 12, rests_until = now() + interval '1 minute' where writer_id = $1",
      [one.writer.id],
    )
    await pileUp(one, 4, '-100 seconds')
    const { seconds, ready } = await untilLine('failing', ({ later }) => later === 1)
    assert.deepEqual([seconds, ready], [0, 0])
  })
})

describe('ADMIN_PORT', () => {
  test('a worker alone says there that it lives, that it can work, and what it does; when it is told to stop, no more', async () => {
    const port = await freePort()
    const child = spawnCli({ ...env, ADMIN_PORT: `${port}` }, 'worker')
    const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
    await until(() => ask('/healthz').catch(() => undefined), 'it listens')
    assert.deepEqual(await (await ask('/healthz')).json(), { ok: true })
    assert.equal((await ask('/readyz')).status, 200)
    const metrics = await ask('/metrics')
    assert.match(metrics.headers.get('content-type')!, /^text\/plain/)
    const text = await metrics.text()
    for (const name of ['standfirst_job_seconds', 'standfirst_delivery_attempt_seconds', 'process_cpu_seconds_total'])
      assert.match(text, new RegExp(`^# TYPE ${name} `, 'm'))
    assert.equal(lineIn(text, 'answering').underWay, 0)
    assert.equal((await ask('/desk')).status, 404)
    child.kill('SIGTERM')
    const [code] = await once(child, 'exit')
    assert.equal(code, 0)
    await assert.rejects(ask('/healthz'))
  })

  test('one that is taken ends the worker with a word about it', async () => {
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = new URL(address)
    const failed = await standfirst({ ...env, ADMIN_PORT: port }, 'worker')
    assert.equal(failed.code, 1)
    assert.match(failed.error, /EADDRINUSE|taken|in use/)
  })
})

/** Webhooks in an export, and when their writer's account is deleted. */

/** The files of an export, by name. */
async function exported(one: Subscriber): Promise<Record<string, string>> {
  const headers = { cookie: `__Host-desk=${one.writer.sessionToken}` }
  const { rawPayload, statusCode } = await app.inject({ url: '/desk/api/account/export', headers })
  assert.equal(statusCode, 200)
  const file = join(temporaryFolder(), 'all.zip')
  await writeFile(file, rawPayload)
  const reader = fileURLToPath(new URL('../../testkit/unzip.py', import.meta.url))
  const { stdout } = await promisify(execFile)('python3', [reader, file, 'texts'])
  return JSON.parse(stdout)
}

test('an export holds the webhook and what it was told, and no secret, neither open nor sealed', async () => {
  const [one, other] = [await subscribe(500), await subscribe()]
  const fresh = (await one.desk.ask('POST', 'webhook/rotate', {})).json().secret
  const id = await one.publish()
  await one.until(({ last }) => last?.status === 500)
  await other.publish({ headline: 'Of somebody else' })
  const files = await exported(one)
  const webhook = JSON.parse(files['webhook.json']!)
  assert.deepEqual([webhook.url, webhook.state, webhook.secret_hint], [one.url, 'live', `…${fresh.slice(-5, -1)}`])
  const [newest, ping, ...more] = JSON.parse(files['deliveries.json']!)
  assert.deepEqual(more, [])
  assert.deepEqual([newest.event, newest.piece_id, newest.state], ['piece.published', id, 'pending'])
  assert.deepEqual(
    newest.attempts.map(({ attempt, status, answer }: Record<string, unknown>) => [attempt, status, answer]),
    [[1, 500, 'Noted.']],
  )
  assert.deepEqual([ping.event, ping.state], ['webhook.ping', 'delivered'])
  assert.equal(newest.message, one.received()[0]!.headers['webhook-id'])
  const { rows } = await admin.query<{ sealed: string[] }>(
    `select array[encode(secret, 'hex'), encode(former_secret, 'hex'), encode(secret, 'base64')] as sealed
       from app.webhooks where writer_id = $1`,
    [one.writer.id],
  )
  const all = Object.values(files).join('\n')
  for (const secret of [one.secret, fresh, ...rows[0]!.sealed])
    assert.ok(!all.includes(secret.slice(6, 40)), 'a secret is in it')
  assert.doesNotMatch(all, /whsec_|Of somebody else/)
})

test('whoever leaves takes their webhook along, what waits and what is under way; an answer that comes later is nobody’s', async () => {
  const waiting: ServerResponse[] = []
  const [one, other] = [await subscribe(), await subscribe()]
  await one.publish()
  await one.until(({ state }) => state === 'delivered')
  one.behave((_request, response) => void waiting.push(response))
  await one.publish()
  await receiver.expect(() => waiting.length === 1)
  const left = await one.desk.ask('DELETE', 'account', { name: 'A Writer' })
  assert.equal(left.statusCode, 202, left.body)
  await deleteNow(admin, url, one.writer.accountId)
  const [late] = waiting as [ServerResponse]
  late.writeHead(500).end()
  await until(() => late.closed, 'the late answer is with the worker')
  // A worker records answers in order of arrival: this one after the late one.
  await other.publish()
  await other.until(({ state }) => state === 'delivered')
  const tables = await allRows(admin)
  for (const table of ['app.webhooks', 'app.deliveries', 'app.delivery_attempts']) {
    assert.ok(tables[table]!.length > 0)
    const about = tables[table]!.filter((row) => row.includes(one.writer.id) || row.includes(one.path))
    assert.deepEqual(about, [], table)
  }
  assert.equal(one.received().length, 2)
})
