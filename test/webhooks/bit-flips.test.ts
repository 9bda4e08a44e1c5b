import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyWebhook, WebhookError } from '@standfirst/sdk'
import { examplePiece } from '../../server/features/pieces/schema.ts'
import { signatures } from '../../server/features/webhooks/sign.ts'
import { type Random, randomFrom } from '../../server/seed/random.ts'

/** A delivery with one flipped bit anywhere relevant must not verify. */

const flips = Number(process.env['FLIPS'] ?? 4_000)
/** Enough at once to keep WebCrypto's threads busy without filling the memory. */
const atOnce = 256

const secret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='
const id = 'msg_0193f1c2a0007000a000000000000001'
const seconds = 1767225600
const now = new Date(seconds * 1000)
const body = Buffer.from(JSON.stringify({ ...examplePiece, _service: { event: 'piece.published', sequence: 7 } }))
const { 'webhook-signature': standard, 'x-service-signature': own } = signatures([secret], id, seconds, body)

const trio = { 'webhook-id': id, 'webhook-timestamp': `${seconds}`, 'webhook-signature': standard }
const families = [trio, { 'x-service-signature': own }, { ...trio, 'x-service-signature': own }]
const parts = ['id', 'time', 'body', 'signature'] as const
type Part = (typeof parts)[number]

/** The positions of each part within a header. */
const places: Readonly<Record<string, Partial<Record<Part, readonly [from: number, to: number]>>>> = {
  'webhook-id': { id: [0, id.length] },
  'webhook-timestamp': { time: [0, `${seconds}`.length] },
  'webhook-signature': { signature: [0, standard.length] },
  'x-service-signature': {
    time: [0, own.indexOf(',id=')],
    id: [own.indexOf(',id='), own.indexOf(',v1=')],
    signature: [own.indexOf(',v1='), own.length],
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
