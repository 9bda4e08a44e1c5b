import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { allRows } from '../../testkit/attacks.ts'
import { deleteNow } from '../../testkit/jobs.ts'
import { until } from '../../testkit/waiting.ts'
import { openWebhookSite, type Subscriber } from '../../testkit/webhook-site.ts'

/** Webhooks in an export, and when their writer's account is deleted. */

const { url, admin, app, receiver, subscribe } = await openWebhookSite()

/** The files of an export, by name. */
async function exported(one: Subscriber): Promise<Record<string, string>> {
  const headers = { cookie: `__Host-desk=${one.writer.sessionToken}` }
  const { rawPayload, statusCode } = await app.inject({ url: '/desk/api/account/export', headers })
  assert.equal(statusCode, 200)
  const folder = await mkdtemp(join(tmpdir(), 'export-'))
  try {
    await writeFile(join(folder, 'all.zip'), rawPayload)
    const reader = fileURLToPath(new URL('../../testkit/unzip.py', import.meta.url))
    const { stdout } = await promisify(execFile)('python3', [reader, join(folder, 'all.zip'), 'texts'])
    return JSON.parse(stdout)
  } finally {
    await rm(folder, { recursive: true })
  }
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
