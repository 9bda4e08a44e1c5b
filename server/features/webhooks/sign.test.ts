import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signatures } from './sign.ts'

/** The test vector in docs/webhooks.md; `standardwebhooks` 1.1.1 agrees with it. */
const secret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='
const id = 'msg_0193f1c2a0007000a000000000000001'
const seconds = 1767225600
const body = Buffer.from('{"id":"https://example.test/p/1","title":"Grüße 😀"}')

test('the published vector is what the site signs, in both spellings', () => {
  assert.deepEqual(signatures([secret], id, seconds, body), {
    'webhook-signature': 'v1,4fM9JEdtMgqce2uBpQ/geeO46hTUrDPZaC8i4zSG7DE=',
    'x-service-signature':
      't=1767225600,id=msg_0193f1c2a0007000a000000000000001,v1=e1f33d24476d320a9c7b6b81a50fe079e3b8ea14d4ac33d9682f22e33486ec31',
  })
})

test('while two secrets live, both sign, the newest first', () => {
  const newest = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const [first, second] = [newest, secret].map((one) => signatures([one], id, seconds, body))
  const both = signatures([newest, secret], id, seconds, body)
  assert.equal(both['webhook-signature'], `${first!['webhook-signature']} ${second!['webhook-signature']}`)
  assert.equal(
    both['x-service-signature'],
    `${first!['x-service-signature']},${second!['x-service-signature'].split(',')[2]}`,
  )
})

test('what is no secret signs nothing, and the error does not show it', () => {
  for (const wrong of ['', 'whsec_', secret.slice(6), `${secret}=`, 'whsec_c2hvcnQ=', ` ${secret}`]) {
    assert.throws(() => signatures([wrong], id, seconds, body), { message: 'no secret of a webhook' })
  }
})
