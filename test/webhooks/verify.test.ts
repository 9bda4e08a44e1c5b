import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Delivery, type Piece, type Refusal, verifyWebhook, WebhookError } from '@standfirst/sdk'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { examplePiece, type Piece as WirePiece } from '../../server/features/pieces/schema.ts'
import { signatures } from '../../server/features/webhooks/sign.ts'
import { type Random, randomFrom } from '../../server/seed/random.ts'

/** Receivers can verify our signatures, with our verifier and with the Standard Webhooks library. */

const vector = {
  secret: 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=',
  id: 'msg_0193f1c2a0007000a000000000000001',
  seconds: 1767225600,
  body: '{"id":"https://example.test/p/1","title":"Grüße 😀"}',
  base64: 'v1,4fM9JEdtMgqce2uBpQ/geeO46hTUrDPZaC8i4zSG7DE=',
  hex: 'v1=e1f33d24476d320a9c7b6b81a50fe079e3b8ea14d4ac33d9682f22e33486ec31',
}
const { secret, id, seconds } = vector
const now = new Date(seconds * 1000)
const another = `whsec_${Buffer.alloc(24, 7).toString('base64')}`

const standard = { 'webhook-id': id, 'webhook-timestamp': `${seconds}`, 'webhook-signature': vector.base64 }
const own = { 'x-service-signature': `t=${seconds},id=${id},${vector.hex}` }

/** Headers as the site sends them. */
const headersOf = (secrets: readonly string[], body: Buffer, at = seconds) => ({
  'webhook-id': id,
  'webhook-timestamp': `${at}`,
  ...signatures(secrets, id, at, body),
})

/** The test vector, with these changes. */
const verify = (given: Partial<Delivery>) =>
  verifyWebhook({ body: vector.body, headers: standard, secret, now, ...given })
const refused = (given: Partial<Delivery>, reason: Refusal) =>
  assert.rejects(verify(given), (error: WebhookError) => {
    assert.ok(error instanceof WebhookError, String(error))
    assert.equal(error.reason, reason, `${error.message} ${JSON.stringify(given)}`)
    return true
  })

describe('the published vector', () => {
  test('is verified by our verifier from either family of headers, and from both', async () => {
    for (const headers of [standard, own, { ...standard, ...own }]) {
      assert.deepEqual(await verify({ headers }), {
        event: 'unknown',
        id,
        timestamp: now,
        body: { id: 'https://example.test/p/1', title: 'Grüße 😀' },
      })
    }
  })

  test('is verified by the library of Standard Webhooks', (t) => {
    t.mock.timers.enable({ apis: ['Date'], now })
    assert.deepEqual(new Webhook(secret).verify(vector.body, { ...standard, ...own }), JSON.parse(vector.body))
  })

  test('is verified from every form that headers and bodies come in', async () => {
    const shouted = Object.fromEntries(Object.entries(standard).map(([name, value]) => [name.toUpperCase(), value]))
    const inArrays = Object.fromEntries(Object.entries(standard).map(([name, value]) => [name, [value]]))
    for (const headers of [
      new Headers(standard),
      new Headers(own),
      shouted,
      inArrays,
      { 'X-Service-Signature': [own['x-service-signature']], 'webhook-signature': undefined },
      { ...standard, 'content-type': 'application/json', 'set-cookie': ['a', 'b'] },
    ])
      assert.equal((await verify({ headers })).id, id)

    const bytes = new TextEncoder().encode(vector.body)
    const inside = Buffer.concat([Buffer.from('before'), bytes, Buffer.from('after')]).subarray(6, 6 + bytes.length)
    for (const body of [bytes, bytes.buffer, Buffer.from(bytes), inside]) assert.equal((await verify({ body })).id, id)
  })
})

test('every body the site could sign verifies with both verifiers', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now })
  const anySecret = fc
    .uint8Array({ minLength: 24, maxLength: 64 })
    .map((key) => `whsec_${Buffer.from(key).toString('base64')}`)
  const json = fc.json({ stringUnit: 'binary' }).filter((text) => text.isWellFormed())
  await fc.assert(
    fc.asyncProperty(anySecret, json, fc.integer({ min: -300, max: 300 }), async (key, body, age) => {
      const at = seconds - age
      const { 'x-service-signature': alone, ...trio } = headersOf([key], Buffer.from(body), at)
      new Webhook(key).verify(body, trio)
      await verifyWebhook({ body, headers: trio, secret: key })
      await verifyWebhook({ body, headers: { 'x-service-signature': alone }, secret: key })
    }),
    { numRuns: 300 },
  )
})

describe('a verified delivery', () => {
  const send = (json: object) => {
    const body = Buffer.from(JSON.stringify(json))
    return verify({ body, headers: headersOf([secret], body) })
  }

  test('hands out the Piece as the API has it, and what the site says about it', async () => {
    const event = await send({ ...examplePiece, _service: { event: 'piece.published', sequence: 12 } })
    assert.ok(event.event === 'piece.published')
    // In both directions, so that the compiler fails when the two types differ.
    const wire: WirePiece = structuredClone(event.piece) as { -readonly [Name in keyof Piece]: WirePiece[Name] }
    const piece: Piece = wire
    assert.deepEqual(piece, examplePiece)
    assert.deepEqual([event.id, event.timestamp, event.sequence, event.truncated], [id, now, 12, false])
  })

  test('says when the text was too large to send', async () => {
    const short = { ...examplePiece, content_html: null }
    const event = await send({ ...short, _service: { event: 'piece.published', sequence: 1, truncated: true } })
    assert.ok(event.event === 'piece.published' && event.truncated && event.piece.content_html === null)
  })

  test('of a ping hands out the challenge to answer with', async () => {
    const event = await send({ challenge: 'c-1', _service: { event: 'webhook.ping', sequence: 0 } })
    assert.deepEqual(event, { event: 'webhook.ping', id, timestamp: now, challenge: 'c-1' })
  })

  test('of an event that came later is handed out whole', async () => {
    for (const body of [{ _service: { event: 'piece.sung' } }, { _service: null }, [], {}]) {
      assert.deepEqual(await send(body), { event: 'unknown', id, timestamp: now, body })
    }
  })

  test('is what was verified, even if the caller writes over the bytes meanwhile', async () => {
    const body = Buffer.from(vector.body)
    const verifying = verify({ body })
    body.fill('x')
    assert.equal((await verifying).id, id)
  })
})

describe('while a secret is changed', () => {
  const body = Buffer.from(vector.body)
  const headers = headersOf([another, secret], body)

  test('either secret verifies alone, and both together, in every family', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now })
    const { 'x-service-signature': alone, ...trio } = headers
    for (const given of [headers, trio, { 'x-service-signature': alone }]) {
      for (const known of [another, secret, [another, secret], [secret, another]]) {
        assert.equal((await verify({ body, headers: given, secret: known })).id, id)
      }
    }
    for (const known of [another, secret]) new Webhook(known).verify(vector.body, trio)
  })

  test('a receiver that has the new secret already takes what the old one signed', async () => {
    assert.equal((await verify({ secret: [another, secret] })).id, id)
    await refused({ secret: another }, 'no_match')
  })
})

describe('refused as', () => {
  const { base64, hex } = vector
  const signature = (value: string) => ({ ...standard, 'webhook-signature': value })
  const alone = (value: string) => ({ 'x-service-signature': value })
  const good = own['x-service-signature']

  test('missing_header: what has no signature, or a signature without its id or time', async () => {
    const { 'webhook-id': _id, ...withoutId } = standard
    const { 'webhook-timestamp': _time, ...withoutTime } = standard
    const { 'webhook-signature': _signature, ...withoutSignature } = standard
    for (const headers of [{}, new Headers(), withoutId, withoutTime, withoutSignature, { ...withoutId, ...own }])
      await refused({ headers }, 'missing_header')
  })

  test('malformed: any second way to spell a signature', async () => {
    for (const value of [
      '',
      ` ${base64}`,
      `${base64} `,
      `${base64}  ${base64}`,
      `${base64}\t${base64}`,
      `${base64}, ${base64}`,
      `${base64}\n`,
      base64.replace('v1,', 'v1, '),
      base64.replace('v1,', 'V1,'),
      base64.replace('v1,', 'v1='),
      base64.replace('v1,', ''),
      base64.slice(0, -1),
      `${base64}=`,
      // The two unused bits of base64: the same bytes in another spelling.
      base64.replace('DE=', 'DF='),
      base64.replace('/', '_'),
      `v1,${Buffer.from(base64.slice(3), 'base64').subarray(1).toString('base64')}`,
      `${base64} v1,`,
      `${base64} v1`,
      `${base64} garbage`,
    ])
      await refused({ headers: signature(value) }, 'malformed')
    for (const value of [
      '',
      ` ${good}`,
      `${good} `,
      `${good}\n`,
      `${good},`,
      good.toUpperCase(),
      good.replace(hex, hex.toUpperCase()),
      good.replace(hex, hex.replace('e1f3', 'E1F3')),
      good.replace(',id', ', id'),
      good.replace('t=', 't ='),
      good.replace(/^(t=[^,]+),(id=[^,]+)/, '$2,$1'),
      good.replace('v1=', 'v1=0x'),
      good.slice(0, -1),
      `${good}0`,
      `t=${seconds},id=${id},${good}`,
      `${good}, ${good}`,
      hex,
    ])
      await refused({ headers: alone(value) }, 'malformed')
  })

  test('malformed: a time that is not plain digits, an id that could be read in two ways', async () => {
    const times = [
      '',
      `+${seconds}`,
      `${seconds}.0`,
      ` ${seconds}`,
      `0${seconds}`,
      `${seconds}e0`,
      '0x6955b900',
      '-1',
      '١',
      '9'.repeat(13),
    ]
    for (const time of times) {
      await refused({ headers: { ...standard, 'webhook-timestamp': time } }, 'malformed')
      await refused({ headers: alone(good.replace(`${seconds}`, time)) }, 'malformed')
    }
    for (const wrong of ['', `${id}.1`, `${id} `, `${id}\n`, 'msg_é', 'm'.repeat(129), `${id}=`]) {
      await refused({ headers: { ...standard, 'webhook-id': wrong } }, 'malformed')
      await refused({ headers: alone(good.replace(id, wrong)) }, 'malformed')
    }
  })

  test('malformed: a header that is there twice, or two families that disagree', async () => {
    const { 'webhook-signature': mac } = standard
    for (const headers of [
      { ...standard, 'Webhook-Signature': mac },
      { ...standard, 'webhook-signature': [mac, mac] },
      { ...standard, 'webhook-id': [id, id] },
      new Headers([...Object.entries(standard), ['webhook-signature', mac]]),
      { ...standard, ...alone(good.replace(`${seconds}`, `${seconds + 1}`)) },
      { ...standard, ...alone(good.replace(id, `${id}x`)) },
    ])
      await refused({ headers }, 'malformed')
  })

  test('malformed: a body that is signed and is no JSON in UTF-8', async () => {
    for (const body of ['', 'tea', '\ufeff{}', '{"a":1}}']
      .map((text) => Buffer.from(text))
      .concat(Buffer.from([0x22, 0xff, 0x22])))
      await refused({ body, headers: headersOf([secret], body) }, 'malformed')
  })

  test('too_old and too_new: more than five minutes either way, to the second', async () => {
    const at = (offset: number) => new Date((seconds + offset) * 1000)
    for (const headers of [standard, own]) {
      for (const offset of [-300, 300]) assert.equal((await verify({ headers, now: at(offset) })).id, id)
      await refused({ headers, now: at(301) }, 'too_old')
      await refused({ headers, now: at(-301) }, 'too_new')
    }
    await refused({ now: at(11), tolerance: 10 }, 'too_old')
    await refused({ now: at(1), tolerance: 0 }, 'too_old')
    assert.equal((await verify({ now: at(1e6), tolerance: Number.POSITIVE_INFINITY })).id, id)
  })

  test('no_match: another secret, another body, no v1, or one family spoilt beside a good one', async () => {
    await refused({ secret: another }, 'no_match')
    await refused({ body: `${vector.body}\n` }, 'no_match')
    await refused({ body: JSON.stringify(JSON.parse(vector.body), null, 2) }, 'no_match')
    await refused({ headers: signature('v1a,AAAA v2,BBBB') }, 'no_match')
    await refused({ headers: alone(`t=${seconds},id=${id}`) }, 'no_match')
    await refused({ headers: { ...standard, ...alone(good.replace('e1f3', 'e1f4')) } }, 'no_match')
    await refused({ headers: { ...signature(base64.replace('4f', '4g')), ...own } }, 'no_match')
  })

  test('nothing: signatures of versions to come are passed over beside a good one', async () => {
    assert.equal((await verify({ headers: signature(`v1a,AAAA ${base64} v2,x=`) })).id, id)
    assert.equal((await verify({ headers: alone(`${good},v2=abc`) })).id, id)
  })
})

test('a mistake of the receiver is a TypeError that says what to do, and never shows the secret', async () => {
  const secrets = ['', 'whsec_', secret.slice(6), `${secret}\n`, ` ${secret}`, `"${secret}"`, 'whsec_c2hvcnQ=', []]
  for (const wrong of [...secrets, undefined as never, [secret, 'old'], `whsec_${'A'.repeat(88)}`]) {
    await assert.rejects(verify({ secret: wrong }), (error: Error) => {
      assert.ok(error instanceof TypeError)
      assert.match(error.message, /secret/)
      assert.doesNotMatch(error.message, /MDEy|c2hv/)
      return true
    })
  }
  await assert.rejects(verify({ body: JSON.parse(vector.body) as never }), { name: 'TypeError', message: /raw bytes/ })
  for (const wrong of [Number.NaN, -1]) await assert.rejects(verify({ tolerance: wrong }), TypeError)
  await assert.rejects(verify({ now: new Date('never') }), TypeError)
})

/** A delivery with one flipped bit anywhere relevant must not verify. */

const flips = Number(process.env['FLIPS'] ?? 4_000)
/** Enough at once to keep WebCrypto's threads busy without filling the memory. */
const atOnce = 256

const body = Buffer.from(JSON.stringify({ ...examplePiece, _service: { event: 'piece.published', sequence: 7 } }))
const { 'webhook-signature': signature, 'x-service-signature': ownSignature } = signatures([secret], id, seconds, body)

const trio = { 'webhook-id': id, 'webhook-timestamp': `${seconds}`, 'webhook-signature': signature }
const families = [trio, { 'x-service-signature': ownSignature }, { ...trio, 'x-service-signature': ownSignature }]
const parts = ['id', 'time', 'body', 'signature'] as const
type Part = (typeof parts)[number]

/** The positions of each part within a header. */
const places: Readonly<Record<string, Partial<Record<Part, readonly [from: number, to: number]>>>> = {
  'webhook-id': { id: [0, id.length] },
  'webhook-timestamp': { time: [0, `${seconds}`.length] },
  'webhook-signature': { signature: [0, signature.length] },
  'x-service-signature': {
    time: [0, ownSignature.indexOf(',id=')],
    id: [ownSignature.indexOf(',id='), ownSignature.indexOf(',v1=')],
    signature: [ownSignature.indexOf(',v1='), ownSignature.length],
  },
}

function flipped(random: Random, part: Part) {
  const headers: Record<string, string> = { ...random.pick(families) }
  const bytes = Buffer.from(body)
  if (part === 'body') bytes[random.integer(bytes.length)]! ^= 1 << random.integer(8)
  else {
    const name = random.pick(Object.keys(headers).filter((header) => places[header]![part]))
    const [from, to] = places[name]![part]!
    const signs = Buffer.from(headers[name]!, 'latin1')
    signs[from + random.integer(to - from)]! ^= 1 << random.integer(8)
    headers[name] = signs.toString('latin1')
  }
  return { body: bytes, headers, secret, now }
}

test('every family verifies before a bit is turned over', async () => {
  for (const headers of families) assert.equal((await verifyWebhook({ body, headers, secret, now })).id, id)
})

test(`of ${flips} deliveries with one bit turned over none verifies`, async () => {
  const random = randomFrom(20260101, 0)
  const refusals = new Map<string, number>()
  for (let done = 0; done < flips; done += atOnce) {
    const some = Array.from({ length: Math.min(atOnce, flips - done) }, (_, at) => parts[(done + at) % parts.length]!)
    await Promise.all(
      some.map(async (part) => {
        const delivery = flipped(random, part)
        const refusal = await verifyWebhook(delivery).then(
          () => assert.fail(`accepted: ${JSON.stringify(delivery.headers)} ${delivery.body.toString('latin1')}`),
          (error: unknown) => error,
        )
        assert.ok(refusal instanceof WebhookError, String(refusal))
        const kind = `${part} ${refusal.reason}`
        refusals.set(kind, (refusals.get(kind) ?? 0) + 1)
      }),
    )
  }
  const counts = [...refusals].sort().map(([kind, count]) => `${kind} ${count}`)
  console.log(`refused ${flips} of ${flips}: ${counts.join(', ')}`)
  // Enough flips reached the MAC check, and were not refused by syntax alone.
  for (const part of parts) assert.ok(refusals.get(`${part} no_match`)! > flips / 100, part)
})
