import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSealer } from './crypto.ts'

const [first, second] = ['the first key of a site, long enough', 'the second key of a site, long too']

test('what was sealed opens again, also after a new key was put before the old', () => {
  const sealed = createSealer([first]).seal('whsec_secret', 'writer')
  assert.equal(createSealer([first]).open(sealed, 'writer'), 'whsec_secret')
  assert.equal(createSealer([second, first]).open(sealed, 'writer'), 'whsec_secret')
  assert.equal(createSealer([second]).open(sealed, 'writer'), undefined)
})

test('nothing of the secret shows, and two seals of one are not alike', () => {
  const sealer = createSealer([first])
  const [one, other] = [sealer.seal('whsec_secret', 'writer'), sealer.seal('whsec_secret', 'writer')]
  assert.ok(!one.includes('whsec') && !one.equals(other))
})

test('it opens neither for somebody else nor after any bit was changed', () => {
  const sealer = createSealer([first])
  const sealed = sealer.seal('whsec_secret', 'writer')
  assert.equal(sealer.open(sealed, 'another'), undefined)
  for (let bit = 0; bit < sealed.length * 8; bit += 1) {
    const changed = Buffer.from(sealed)
    changed[bit >> 3]! ^= 1 << (bit & 7)
    assert.equal(sealer.open(changed, 'writer'), undefined)
  }
  assert.equal(sealer.open(sealed.subarray(0, 20), 'writer'), undefined)
})
