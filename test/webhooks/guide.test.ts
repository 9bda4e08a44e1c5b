import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import { verifyWebhook } from '@standfirst/sdk'
import { Webhook } from 'standardwebhooks'
import { retryDelays } from '../../server/features/webhooks/retry-policy.ts'
import { readSamples } from '../../server/features/webhooks/samples.ts'
import { startWorker } from '../../server/main/worker.ts'
import { checkOutboundUrl } from '../../server/platform/outbound/rules.ts'
import { testApp } from '../../testkit/app.ts'
import { cli } from '../../testkit/cli.ts'
import { testConfig, testDatabase } from '../../testkit/database.ts'
import { type Desk, deskOf } from '../../testkit/desk.ts'
import { makeWriter } from '../../testkit/factories.ts'
import { silentLog } from '../../testkit/log.ts'
import { type Receiver, startReceiver } from '../../testkit/receivers.ts'
import { until } from '../../testkit/waiting.ts'

/** /developers/webhooks matches what a real site does, checked with real deliveries. */

const { url, admin } = await testDatabase()
const receiver: Receiver = await startReceiver()
const listening = await listen()
const OUTBOUND_ALLOW = `${receiver.host},${listening.host}`
const app = await testApp(url, { OUTBOUND_ALLOW })
const key = 'a-secret-of-tests-that-everybody-knows'
const settings = { DATABASE_URL: url, BASE_URL: 'https://site.test', AUTH_SECRET: key, SECRETS_KEY: key }
const worker = await startWorker(testConfig({ ...settings, OUTBOUND_ALLOW }), silentLog())
after(async () => {
  await worker.stop()
  listening.child.kill()
})

const guide = (await app.inject('/developers/webhooks.md')).body
const blocks = (language: string): string[] =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, code = '']) => code)
const section = (title: string): string => new RegExp(`^## ${title}\n([\\s\\S]*?)^## `, 'm').exec(guide)![1]!

interface Listening {
  readonly host: string
  readonly child: ChildProcess
  said(what: RegExp): Promise<string>
}

/** `standfirst webhook listen`, as at the end of the guide. */
async function listen(): Promise<Listening> {
  const child = spawn(process.execPath, [cli, 'webhook', 'listen', '--port', '0'])
  let words = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    words += part
  })
  const said = async (what: RegExp): Promise<string> => {
    await until(() => what.test(words), `it says ${what}`)
    return words
  }
  const host = /OUTBOUND_ALLOW=([^,]+),/.exec(await said(/OUTBOUND_ALLOW=[^,]+,/))![1]!
  return { host, child, said }
}

async function liveWebhook(address: string): Promise<{ desk: Desk; secret: string }> {
  const desk = deskOf(app, await makeWriter(admin))
  const saved = await desk.ask('PUT', 'webhook', { url: address })
  assert.equal(saved.statusCode, 200, saved.body)
  await until(async () => (await desk.ask('GET', 'webhook')).json().webhook.state === 'live', 'the webhook is live')
  return { desk, secret: saved.json().secret }
}

async function publish(desk: Desk, headline: string): Promise<string> {
  const id = await desk.begin({ headline, body_md: 'Hot *water*.', tags: ['tea'], category: 'life' })
  assert.equal((await desk.act('publish', id)).statusCode, 200)
  return id
}

describe('a delivery', () => {
  let secret: string
  const arrived = (event: string) => receiver.expect((one) => one.headers['x-service-event'] === event)
  before(async () => {
    const live = await liveWebhook(receiver.url)
    secret = live.secret
    await publish(live.desk, 'On tea')
  })

  test('has every header the guide names, and names the guide', async () => {
    const { headers } = await arrived('piece.published')
    const [request = ''] = blocks('http')
    const shown = [...request.matchAll(/^([\w-]+): (.+)$/gm)]
    assert.equal(shown.length, 8)
    for (const [, name = '', value = ''] of shown) {
      const sent = headers[name.toLowerCase()]
      const form = value
        .replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
        .replace(/msg_\w+|(?<=v1[,=]).+|17672\d+/g, '[\\w=+/-]+')
      assert.match(String(sent), new RegExp(`^${form}$`), name)
    }
    for (const [, name = ''] of section('What is sent').matchAll(/^\| `([\w-]+)` \|/gm)) {
      if (name in { event: 1, sequence: 1, truncated: 1 }) continue
      assert.ok(headers[name.toLowerCase()], name)
    }
    const { statusCode } = await app.inject(/\+https:\/\/site\.test([^)]+)/.exec(headers['user-agent']!)![1]!)
    assert.equal(statusCode, 200)
  })

  test('has the body the guide shows, member by member, and so has a ping', async () => {
    const [shownPiece, shownPing] = blocks('json').map((text) => JSON.parse(text))
    const sentPiece = JSON.parse((await arrived('piece.published')).body.toString())
    const sentPing = JSON.parse((await arrived('webhook.ping')).body.toString())
    for (const [shown, sent] of [
      [shownPiece, sentPiece],
      [shownPing, sentPing],
    ]) {
      assert.deepEqual(Object.keys(shown).toSorted(), Object.keys(sent).toSorted())
      assert.deepEqual(Object.keys(shown._service), Object.keys(sent._service))
      assert.equal(shown._service.event, sent._service.event)
    }
    assert.equal(shownPing.challenge.length, sentPing.challenge.length)
    assert.match(secret, /^whsec_.{44}$/)
  })

  test('verifies with @standfirst/sdk and with the library of Standard Webhooks', async () => {
    for (const event of ['piece.published', 'webhook.ping'] as const) {
      const { headers, body } = await arrived(event)
      assert.equal((await verifyWebhook({ headers, body, secret })).event, event)
      new Webhook(secret).verify(body, headers as Record<string, string>)
    }
  })
})

describe('the guide', () => {
  test('has the attempts of the schedule in its table', () => {
    const unit = { s: 1, min: 60, h: 3600 } as const
    const secondsIn = (text: string): number =>
      [...text.matchAll(/(\d+) (s|min|h)/g)].reduce((sum, [, n, of]) => sum + Number(n) * unit[of as 's'], 0)
    const rows = [...section('When it fails').matchAll(/^\| (\d+) \|([^|]*)\| ([^|]+) \|$/gm)]
    assert.deepEqual(
      rows.map(([, attempt]) => Number(attempt)),
      Array.from({ length: retryDelays.length + 1 }, (_, at) => at + 1),
    )
    assert.deepEqual(
      rows.slice(1).map(([, , wait = '']) => secondsIn(wait)),
      retryDelays,
    )
    for (const [at, [, , , since = '']] of rows.entries()) {
      const whole = retryDelays.slice(0, at).reduce((sum, wait) => sum + wait, 0)
      // The text omits seconds once there are minutes.
      assert.equal(secondsIn(since), whole < 60 ? whole : whole - (whole % 60), `attempt ${at + 1}`)
    }
  })

  test('has every receiver as it is tested', () => {
    const shown = [...guide.matchAll(/^```(\w+) serve\n([\s\S]*?)^```$/gm)].map(([, language, code]) => [
      language,
      code,
    ])
    assert.deepEqual(
      shown,
      readSamples().map(({ language, code }) => [language, code]),
    )
  })

  test('names the addresses that are refused, and they are', () => {
    const rules = { ownHosts: new Set(['site.test']), allow: new Set<string>() }
    const refused = section('Addresses that are not called')
    const endings = [...refused.matchAll(/`(\.[\w.]+)`/g)].map(([, ending]) => ending)
    assert.equal(endings.length, 6)
    for (const address of [
      ...endings.map((ending) => `https://hook.example${ending}/`),
      ...['http://hook.example.org/', 'https://hook.example.org:8443/', 'https://me:you@hook.example.org/'],
      ...['https://93.184.216.34/', 'https://[2606:2800::1]/', 'https://hook/', 'https://site.test/'],
      `https://hook.example.org/${'x'.repeat(2048)}`,
    ])
      assert.ok('problem' in checkOutboundUrl(address, rules), address)
    assert.ok('url' in checkOutboundUrl(`https://hook.example.org/${'x'.repeat(2023)}`, rules))
  })

  test('is a page on which every table has a scroller of its own', async () => {
    const html = (await app.inject('/developers/webhooks')).body
    assert.equal((html.match(/<table>/g) ?? []).length, (html.match(/<div class="wide"/g) ?? []).length)
  })
})

test('on one machine: what listen prints is what a site needs, and it sees the ping and the piece', async () => {
  const { desk } = await liveWebhook(`http://${listening.host}/`)
  assert.ok((await desk.ask('GET', 'webhook')).json().webhook.owner_proven_at, 'the challenge came back')
  await publish(desk, 'Seen from here')
  const words = await listening.said(/Seen from here[\s\S]+answered 204\n/)
  assert.match(words, /webhook\.ping, not verified: there is no secret\n +msg_[0-9a-f]{32}, attempt 1\n/)
  assert.match(words, /piece\.published, not verified: there is no secret\n +Seen from here\n/)
})
