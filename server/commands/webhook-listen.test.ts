import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { examplePiece } from '#features/pieces/schema.ts'
import { signatures } from '#features/webhooks/sign.ts'
import { standfirst, startWebhookListener } from '../../testkit/cli.ts'

/** `standfirst webhook listen` as a process: its output and its responses. */

const secret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='
const published = (title: string) => ({ ...examplePiece, title, _service: { event: 'piece.published', sequence: 12 } })

function deliver(port: string, json: object, { attempt = 1, id = `msg_${'0'.repeat(31)}1` } = {}): Promise<Response> {
  const body = Buffer.from(JSON.stringify(json))
  const seconds = Math.floor(Date.now() / 1000)
  return fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    headers: {
      'webhook-id': id,
      'webhook-timestamp': `${seconds}`,
      'x-service-attempt': `${attempt}`,
      ...signatures([secret], id, seconds, body),
    },
    body,
  })
}

const withSecret = await startWebhookListener('--secret', secret)

describe('with the secret', () => {
  const { port, said } = withSecret

  test('says what to set, verifies a delivery, shows it and answers 204', async () => {
    assert.equal((await deliver(port, published('On tea'))).status, 204)
    const words = await said(/answered with 204\n/)
    assert.ok(words.includes(`OUTBOUND_ALLOW=127.0.0.1:${port},`))
    assert.ok(words.includes('/desk/edit/online-presence'))
    assert.doesNotMatch(words, /Without --secret|whsec_MDEy/)
    const block =
      /^\d\d:\d\d:\d\d {2}piece\.published: verified\n +On tea\n +msg_0+1, attempt 1\n +Sequence 12\n +[\d,]+ bytes, /m
    assert.match(words, block)
  })

  test('answers a ping with its challenge', async () => {
    const answer = await deliver(port, { challenge: 'c-19', _service: { event: 'webhook.ping', sequence: 0 } })
    assert.deepEqual([answer.status, await answer.text()], [200, 'c-19'])
    await said(/webhook\.ping: verified\n +msg_/)
  })

  test('says of a second attempt that it was seen before', async () => {
    const id = `msg_${'0'.repeat(31)}2`
    for (const attempt of [1, 2]) await deliver(port, published('On tea'), { attempt, id })
    assert.match(
      await said(/attempt 2/),
      /msg_0+2, attempt 1\n[\s\S]+msg_0+2, attempt 2\n +Received before: process it only once\n/,
    )
  })

  test('says why a delivery is not to be believed, and answers 400', async () => {
    const { port, said } = await startWebhookListener('--secret', `whsec_${Buffer.alloc(32, 9).toString('base64')}`)
    const answer = await deliver(port, published('On tea'))
    assert.equal(answer.status, 400)
    assert.match(await answer.text(), /^No signature is by this secret/)
    await said(/INVALID \(no_match\): No signature is by this secret over this id, time and body\.\n/)
  })

  test('a title cannot move the cursor', async () => {
    await deliver(port, published('On\u001b[2J\u0007\r\nteacups'))
    assert.doesNotMatch(await said(/teacups/), /[\u0000-\u0009\u000b-\u001f]/)
  })
})

test('without a secret it says that nothing is verified and how to, and still answers a ping', async () => {
  const { port, said } = await startWebhookListener()
  const answer = await deliver(port, { challenge: 'c-20', _service: { event: 'webhook.ping', sequence: 0 } })
  assert.equal(await answer.text(), 'c-20')
  const words = await said(/not verified \(no secret\)/)
  assert.match(words, /start this command again with --secret whsec_…/)
  assert.match(words, /Without --secret, deliveries are accepted without being verified/)
})

test('--answer is the status of every answer', async () => {
  const { port, said } = await startWebhookListener('--secret', secret, '--answer', '503')
  assert.equal((await deliver(port, published('On tea'))).status, 503)
  assert.equal((await deliver(port, { challenge: 'c', _service: { event: 'webhook.ping' } })).status, 503)
  await said(/verified[\s\S]+answered with 503\n/)
})

test('what is no delivery is answered, and ends nothing', async () => {
  const { port, said } = await startWebhookListener()
  const ask = (init: RequestInit) => fetch(`http://127.0.0.1:${port}/`, init)
  assert.equal((await ask({})).status, 405)
  assert.equal((await ask({ method: 'POST', body: 'x'.repeat(2 ** 21 + 1) })).status, 413)
  for (const body of ['', 'null', '[]', '{"_service":4,"title":{"a":1}}', '\u0000'])
    assert.equal((await ask({ method: 'POST', body })).status, 204)
  const socket = connect(Number(port), '127.0.0.1')
  socket.end('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\nhalf')
  await once(socket.resume(), 'close')
  assert.equal((await deliver(port, published('still here'))).status, 204)
  await said(/still here/)
})

test('a port that is taken, a secret that is none and a status there is not are told in a sentence', async () => {
  const { port } = await startWebhookListener()
  const ends = async (...args: string[]) => {
    const { code, error } = await standfirst({}, 'webhook', 'listen', ...args)
    return `${code} ${error}`
  }
  const [taken, noSecret, noStatus] = await Promise.all([
    ends('--port', port),
    ends('--port', '0', '--secret', 'whsec_short'),
    ends('--answer', '99'),
  ])
  assert.match(taken, new RegExp(`^1 Port ${port} is already in use\\. Choose another one: --port \\d+\n$`))
  assert.match(noSecret, /^1 A secret is whsec_ and base64, .+\n$/)
  assert.match(noStatus, /^1 [\s\S]*whole number from 200 to 599/)
})

test('Ctrl+C ends it well', async () => {
  const { child } = await startWebhookListener()
  child.kill('SIGINT')
  assert.deepEqual(await once(child, 'close'), [0, null])
})
