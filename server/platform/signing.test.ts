import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSigner, isSignedBy, keyIdOf } from './crypto.ts'

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
