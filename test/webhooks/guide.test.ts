import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { verifyWebhook } from '@standfirst/sdk'
import { Webhook } from 'standardwebhooks'
import { examplePiece } from '../../server/features/pieces/schema.ts'
import { retryDelays } from '../../server/features/webhooks/retry-policy.ts'
import { readSamples } from '../../server/features/webhooks/samples.ts'
import { signatures } from '../../server/features/webhooks/sign.ts'
import { checkOutboundUrl } from '../../server/platform/outbound/rules.ts'
import { testApp } from '../../testkit/app.ts'
import { startWebhookListener } from '../../testkit/cli.ts'
import { testDatabase } from '../../testkit/database.ts'
import { type Desk, deskOf } from '../../testkit/desk.ts'
import { makeWriter } from '../../testkit/factories.ts'
import { testWorker } from '../../testkit/jobs.ts'
import { freePort } from '../../testkit/network.ts'
import { startReceiver } from '../../testkit/receivers.ts'
import { until } from '../../testkit/waiting.ts'

/** /developers/webhooks matches what a real site does, checked with real deliveries. */

const { url, admin } = await testDatabase()
const receiver = await startReceiver()
const listening = await startWebhookListener()
const OUTBOUND_ALLOW = `${receiver.host},${listening.host}`
const app = await testApp(url, { OUTBOUND_ALLOW })
await testWorker(url, { OUTBOUND_ALLOW })

const guide = (await app.inject('/developers/webhooks.md')).body
const blocks = (language: string): string[] =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, code = '']) => code)
const section = (title: string): string => new RegExp(`^## ${title}\n([\\s\\S]*?)^## `, 'm').exec(guide)![1]!

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
    const rows = [...section('Retries').matchAll(/^\| (\d+) \|([^|]*)\| ([^|]+) \|$/gm)]
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
    const refused = section('Allowed addresses')
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
  const words = await listening.said(/Seen from here[\s\S]+answered with 204\n/)
  assert.match(words, /webhook\.ping: not verified \(no secret\)\n +msg_[0-9a-f]{32}, attempt 1\n/)
  assert.match(words, /piece\.published: not verified \(no secret\)\n +Seen from here\n/)
})

/** The sample receivers, each run in its language, with valid and invalid deliveries. */

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const secretOf = (filling: number): string => `whsec_${Buffer.alloc(32, filling).toString('base64')}`
const [secret, another] = [secretOf(1), secretOf(2)]

/** Full paths of Python and PHP, since a version manager's shim adds half a second to each start. */
const launch: Readonly<Record<string, (file: string, port: number) => readonly [string, ...string[]]>> = {
  js: (file) => [process.execPath, file],
  python: (file) => ['/usr/bin/python3', file],
  ruby: (file) => ['ruby', pathOf('rack.rb'), file],
  php: (file, port) => ['php', '-d', 'display_errors=0', '-S', `127.0.0.1:${port}`, file],
}

interface SampleServer {
  readonly port: number
  readonly child: ChildProcess
  said(): string
}

const started: ChildProcess[] = []
after(() => {
  for (const child of started) child.kill()
})

async function start(language: string, file: string, WEBHOOK_SECRET: string): Promise<SampleServer> {
  const port = await freePort()
  const [program, ...args] = launch[language]!(pathOf(`../../server/features/webhooks/samples/${file}`), port)
  const env = { PATH: process.env['PATH'], LANG: 'C.UTF-8', PORT: `${port}`, WEBHOOK_SECRET }
  const child = spawn(program, args, { env })
  started.push(child)
  let words = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      words += part
    })
  }
  return { port, child, said: () => words }
}

/** Waits until it answers anything, or exits, as it should without a secret. */
async function ready({ port, child }: SampleServer): Promise<void> {
  const ask = () => fetch(`http://127.0.0.1:${port}/`, { method: 'POST' }).catch(() => undefined)
  await until(async () => child.exitCode !== null || (await ask()), `${child.spawnfile} answers`)
}

interface Sending {
  readonly secrets?: readonly string[]
  /** Seconds since it was signed. */
  readonly age?: number
  readonly id?: string
  /** Sent instead of the signed body. */
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Omits this header, and the alternative one. */
  readonly without?: string
}

const plain = `msg_${'a'.repeat(32)}`

function deliver(port: number, json: object, sending: Sending = {}): Promise<Response> {
  const { secrets = [secret], age = 0, id = plain, headers: more, without } = sending
  const bytes = Buffer.from(JSON.stringify(json))
  const seconds = Math.floor(Date.now() / 1000) - age
  const headers = new Headers({
    'content-type': 'application/json; charset=utf-8',
    'webhook-id': id,
    'webhook-timestamp': `${seconds}`,
    ...signatures(secrets, id, seconds, bytes),
    ...more,
  })
  for (const name of without ? [without, 'x-service-signature'] : []) headers.delete(name)
  return fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: sending.body ?? bytes })
}

const published = { ...examplePiece, title: 'Grüße 😀', _service: { event: 'piece.published', sequence: 3 } }
const ping = { id: plain, challenge: '4f1d', _service: { event: 'webhook.ping', sequence: 0 } }

for (const { name, language, file } of readSamples()) {
  describe(`the receiver in ${name}`, () => {
    let receiver: SampleServer
    before(async () => {
      receiver = await start(language, file, secret)
      await ready(receiver)
    })
    const send = (json: object, sending?: Sending) => deliver(receiver.port, json, sending)

    test('takes a piece and has read it', async () => {
      const id = `msg_${'b'.repeat(32)}`
      assert.equal((await send(published, { id })).status, 204, receiver.said())
      await until(() => receiver.said().includes(`${id} Grüße 😀`), 'it says what it read')
    })

    test('answers a ping with its challenge', async () => {
      const answer = await send(ping)
      assert.deepEqual([answer.status, (await answer.text()).trim()], [200, '4f1d'], receiver.said())
    })

    test('takes an event it does not know, and lets it be', async () => {
      assert.equal((await send({ _service: { event: 'piece.sung', sequence: 1 } })).status, 204, receiver.said())
    })

    test('takes what two secrets signed, whichever comes first', async () => {
      for (const secrets of [
        [another, secret],
        [secret, another],
      ])
        assert.equal((await send(published, { secrets })).status, 204, receiver.said())
    })

    test('takes what was signed a little less than five minutes ago, or ahead', async () => {
      // Retried if the machine used up the remaining ten seconds.
      for (const age of [290, -290])
        await until(async () => (await send(published, { age })).status === 204, `it takes what is ${age} s old`)
    })

    test('refuses everything else', async () => {
      const wrong: readonly Sending[] = [
        { secrets: [another] },
        { secrets: [another, secretOf(3)] },
        { age: 310 },
        { body: JSON.stringify({ ...published, title: 'Another' }) },
        { body: '' },
        { body: JSON.stringify(published, null, 1) },
        { headers: { 'webhook-id': `msg_${'c'.repeat(32)}` } },
        { headers: { 'webhook-timestamp': `${Math.floor(Date.now() / 1000) + 7}` } },
        { headers: { 'webhook-timestamp': 'now' } },
        { headers: { 'webhook-signature': 'v1,' } },
        { headers: { 'webhook-signature': 'v1' } },
        { headers: { 'webhook-signature': 'v1,é' } },
        ...['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((without) => ({ without })),
      ]
      for (const sending of wrong) {
        const { status } = await send(published, sending)
        assert.equal(status, 400, `${JSON.stringify(sending)} ${receiver.said()}`)
      }
      await until(async () => (await send(published, { age: -310 })).status === 400, 'it refuses what is 310 s ahead')
    })

    test('believes nothing while it has no secret', async () => {
      const seconds = Math.floor(Date.now() / 1000)
      const body = JSON.stringify(published)
      const tryWithout = async (none: string) => {
        const careless = await start(language, file, none)
        await ready(careless)
        const mac = createHmac('sha256', '').update(`${plain}.${seconds}.${body}`).digest('base64')
        const headers = { 'webhook-signature': `v1,${mac}`, 'webhook-timestamp': `${seconds}` }
        const status = await deliver(careless.port, published, { headers }).then(
          (answer) => answer.status,
          () => 'not running',
        )
        assert.ok([400, 500, 'not running'].includes(status), `${JSON.stringify(none)}: ${status} ${careless.said()}`)
        careless.child.kill()
      }
      await Promise.all(['', 'whsec_', '"whsec_AAAA"'].map(tryWithout))
    })
  })
}
