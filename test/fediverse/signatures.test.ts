import assert from 'node:assert/strict'
import { createPrivateKey } from 'node:crypto'
import { test } from 'node:test'
import { verifyRequest } from '@fedify/fedify/sig'
import { makeActorKeys } from '../../server/features/fediverse/keys.ts'
import { signedHeaders } from '../../server/features/fediverse/signatures.ts'

/** Fedify verifies what we sign: Ghost and others read with it. Of an address with a query it reads the newer kind only. */

const { publicKey, privateKey } = await makeActorKeys()
const actor = 'https://site.test/fediverse/actors/ada'
const url = 'https://one.test/users/bo/inbox'
const body = Buffer.from(JSON.stringify({ type: 'Create', actor }))

const documentLoader = async (address: string) => ({
  contextUrl: null,
  documentUrl: address,
  document: {
    '@context': ['https://www.w3.org/ns/activitystreams', 'https://w3id.org/security/v1'],
    id: actor,
    type: 'Person',
    inbox: `${actor}/inbox`,
    outbox: `${actor}/outbox`,
    publicKey: { id: `${actor}#main-key`, owner: actor, publicKeyPem: publicKey },
  },
})

for (const kind of ['draft-cavage', 'rfc9421'] as const) {
  const request = (sent: Buffer) => {
    const key = createPrivateKey(privateKey)
    const signed = signedHeaders(kind, { url, body, keyId: `${actor}#main-key`, key, at: new Date() })
    return new Request(url, { method: 'POST', headers: { host: 'one.test', ...signed }, body: new Uint8Array(sent) })
  }

  test(`Fedify accepts a signature of the kind ${kind}, and of another body none`, async () => {
    const found = await verifyRequest(request(body), { documentLoader })
    assert.equal(found?.ownerId?.href, actor)
    const other = Buffer.from(String(body).replace('Create', 'Delete'))
    assert.equal(await verifyRequest(request(other), { documentLoader }), null)
  })
}
