import { createHmac } from 'node:crypto'

/** Type and not interface: an interface would not pass as a record of headers. */
export type Signatures = { readonly 'webhook-signature': string; readonly 'x-service-signature': string }

/**
 * One MAC in two spellings: the header of Standard Webhooks, for the libraries there are, and a header that holds time
 * and id as well, so that it alone is enough. Secrets come newest first; while an old one lives, it signs too.
 */
export function signatures(secrets: readonly string[], id: string, seconds: number, body: Buffer): Signatures {
  const macs = secrets.map((secret) => createHmac('sha256', keyOf(secret)).update(`${id}.${seconds}.`).update(body))
  const digests = macs.map((mac) => mac.digest())
  return {
    'webhook-signature': digests.map((digest) => `v1,${digest.toString('base64')}`).join(' '),
    'x-service-signature': `t=${seconds},id=${id}${digests.map((digest) => `,v1=${digest.toString('hex')}`).join('')}`,
  }
}

/** `whsec_` and the base64 of the key's bytes. */
function keyOf(secret: string): Buffer {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  // Never the secret itself in an error: errors are logged.
  if (`whsec_${key.toString('base64')}` !== secret || key.length < 24) throw new Error('no secret of a webhook')
  return key
}
