import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { examplePiece } from '../../server/features/pieces/schema.ts'
import { readSamples } from '../../server/features/webhooks/samples.ts'
import { signatures } from '../../server/features/webhooks/sign.ts'
import { freePort } from '../../testkit/network.ts'
import { until } from '../../testkit/waiting.ts'

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

interface Receiver {
  readonly port: number
  readonly child: ChildProcess
  said(): string
}

const started: ChildProcess[] = []
after(() => {
  for (const child of started) child.kill()
})

async function start(language: string, file: string, WEBHOOK_SECRET: string): Promise<Receiver> {
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
async function ready({ port, child }: Receiver): Promise<void> {
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
    let receiver: Receiver
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
