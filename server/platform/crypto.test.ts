import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalJson, createSealer, createSigner, isSignedBy, keyIdOf } from './crypto.ts'

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

const signer = createSigner('a-secret-of-tests-that-everybody-knows')

test('the same secret makes the same key, and another secret another', () => {
  assert.equal(createSigner('a-secret-of-tests-that-everybody-knows').keyId, signer.keyId)
  assert.notEqual(createSigner('another-secret-that-everybody-knows!').keyId, signer.keyId)
})

test('a key is called by its thumbprint, as RFC 8037 shows it', () => {
  const publicKey = Buffer.from('11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo', 'base64url')
  assert.equal(keyIdOf(publicKey), 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k')
})

test('the test of RFC 8032 verifies, and with any bit of its signature changed it does not', () => {
  const publicKey = Buffer.from('3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c', 'hex')
  const signature = Buffer.from(
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    'hex',
  )
  assert.ok(isSignedBy(publicKey, 'r', signature))
  for (let bit = 0; bit < signature.length * 8; bit += 1) {
    const changed = Buffer.from(signature)
    changed[bit >> 3]! ^= 1 << (bit & 7)
    assert.ok(!isSignedBy(publicKey, 'r', changed), `bit ${bit}`)
  }
})

test('what it signs verifies with its own key alone', () => {
  const signature = signer.sign('A text.')
  assert.ok(isSignedBy(signer.publicKey, 'A text.', signature))
  assert.ok(!isSignedBy(signer.publicKey, 'A text!', signature))
  assert.ok(!isSignedBy(createSigner('another-secret-that-everybody-knows!').publicKey, 'A text.', signature))
  assert.ok(!isSignedBy(Buffer.alloc(31), 'A text.', signature))
})

test('the example of RFC 8785 has the bytes that RFC 8785 gives', () => {
  const value = JSON.parse(String.raw`{
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
    "literals": [null, true, false]
  }`)
  const expected =
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
    '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'
  assert.equal(canonicalJson(value), expected)
})

test('members are sorted by their UTF-16 units, at every depth', () => {
  const value = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': { b: 1, a: 2 }, '\u{1f600}': 4, '\u0080': 5, '\u00f6': 6 }
  assert.deepEqual(
    [...canonicalJson(value).matchAll(/:(\d)/g)].map(([, digit]) => digit),
    ['2', '2', '1', '5', '6', '1', '4', '3'],
  )
})

test('what has no canonical form is refused', () => {
  for (const value of [undefined, Number.NaN, Number.POSITIVE_INFINITY, '\ud800', 1n, { a: undefined }])
    assert.throws(() => canonicalJson(value), TypeError)
})
