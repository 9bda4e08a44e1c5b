import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spawnCli } from '../../testkit/cli.ts'
import { deskOf } from '../../testkit/desk.ts'
import { type MadeWriter, makeWriter } from '../../testkit/factories.ts'
import { followSite, makeFollower, secretsKey } from '../../testkit/followers.ts'
import { percentilesOf, watchStealTime } from '../../testkit/measure.ts'
import { until } from '../../testkit/waiting.ts'
import { openWebhookSite, type Subscriber } from '../../testkit/webhook-site.ts'

/** What publishing and webhooks notice of many followers. `FOLLOWERS=10000` is the long form. */

const followers = Number(process.env['FOLLOWERS'] ?? 1_000)
const { url, admin, app, mailbox, receiver, subscribe } = await openWebhookSite({ works: false })
const site = followSite({ url, admin })
const [read, unread] = [await makeWriter(admin), await makeWriter(admin)]
for (let number = 0; number < followers; number += 1)
  await makeFollower(site, `reader-${number}@domain-${number % 200}.test`, `author/${read.slug}`)
await admin.query('delete from app.reader_emails')
await admin.query('analyze')

const shown = (times: readonly number[]) =>
  Object.entries(percentilesOf(times))
    .map(([name, ms]) => `${name} ${ms.toFixed(1)}`)
    .join(', ')

test('publishing to many followers takes at most a tenth longer (p99) than to none', async (t) => {
  const publish = async (writer: MadeWriter): Promise<number> => {
    const desk = deskOf(app, writer)
    const piece = await desk.begin()
    const { nonce } = (await desk.ask('POST', `pieces/${piece}/preview`)).json()
    const start = performance.now()
    const { statusCode, body } = await desk.ask('POST', `pieces/${piece}/publish`, { nonce })
    const ms = performance.now() - start
    assert.equal(statusCode, 200, body)
    return ms
  }
  const steal = watchStealTime()
  for (let round = 0; round < 20; round += 1) for (const writer of [read, unread]) await publish(writer)
  const [many, none]: [number[], number[]] = [[], []]
  // In turns, so that what else the machine does meets both.
  for (let round = 0; round < 500; round += 1) {
    many.push(await publish(read))
    none.push(await publish(unread))
  }
  t.diagnostic(`${followers} followers: ${shown(many)}; none: ${shown(none)} ms. ${steal.summary()}`)
  assert.ok(percentilesOf(many).p99 <= 1.1 * percentilesOf(none).p99)
})

test('a webhook is as soon while emails are sent to many followers as before', async (t) => {
  await admin.query('delete from app.announcements')
  const worker = {
    DATABASE_URL: url,
    BASE_URL: 'https://site.test',
    AUTH_SECRET: secretsKey,
    SECRETS_KEY: secretsKey,
    SMTP_URL: mailbox.url,
    OUTBOUND_ALLOW: receiver.host,
    PORT: '0',
  }
  spawnCli(worker, 'worker')
  const quiet = await subscribe()
  const lateness = async (one: Subscriber): Promise<number> => {
    const before = one.received().length
    const start = performance.now()
    await one.publish()
    return (await until(() => one.received()[before], 'the webhook')).at - start
  }
  const measured = async (): Promise<number[]> => {
    const times: number[] = []
    for (let round = 0; round < 100; round += 1) times.push(await lateness(quiet))
    return times
  }
  const waiting = async () =>
    Number((await admin.query("select count(*) from app.reader_emails where state = 'pending'")).rows[0].count)
  const before = await measured()
  const desk = deskOf(app, read)
  assert.equal((await desk.act('publish', await desk.begin())).statusCode, 200)
  await until(async () => (await waiting()) > 0, 'emails wait')
  const steal = watchStealTime()
  const during = await measured()
  const left = await waiting()
  t.diagnostic(`before: ${shown(before)}; beside: ${shown(during)} ms, ${left} emails left. ${steal.summary()}`)
  assert.ok(left > 0, 'emails were being sent throughout')
  assert.ok(percentilesOf(during).p99 <= 1.1 * percentilesOf(before).p99)
})
