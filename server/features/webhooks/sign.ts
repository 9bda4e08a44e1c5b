import { createHmac } from 'node:crypto'

/** A type, not an interface: an interface is not assignable to a record of headers. */
export type Signatures = { readonly 'webhook-signature': string; readonly 'x-service-signature': string }

/**
 * One MAC in two headers: that of Standard Webhooks, for existing libraries, and one that also contains time and id, so
 * that it is sufficient alone. Secrets come newest first; a former secret signs too until it expires.
 */
export function signatures(secrets: readonly string[], id: string, seconds: number, body: Buffer): Signatures {
  const macs = secrets.map((secret) => createHmac('sha256', keyOf(secret)).update(`${id}.${seconds}.`).update(body))
  const digests = macs.map((mac) => mac.digest())
  return {
    'webhook-signature': digests.map((digest) => `v1,${digest.toString('base64')}`).join(' '),
    'x-service-signature': `t=${seconds},id=${id}${digests.map((digest) => `,v1=${digest.toString('hex')}`).join('')}`,
  }
}

/** Decodes `whsec_` and base64. */
function keyOf(secret: string): Buffer {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  // The error must not contain the secret: errors are logged.
  if (`whsec_${key.toString('base64')}` !== secret || key.length < 24) throw new Error('no secret of a webhook')
  return key
}

/** `msg_` and 32 hexadecimal digits. It contains no dot, since dots separate the parts of what is signed. */
export const messageId = (id: string): string => `msg_${id.replaceAll('-', '')}`

/** The inverse of `messageId`. */
export const deliveryId = (message: string): string =>
  message.slice('msg_'.length).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
