import { createHash, type KeyObject, sign } from 'node:crypto'

/** HTTP signatures of what an actor sends, with its RSA key: as most servers check them, and as the standard has them. */

export type SignatureKind = 'draft-cavage' | 'rfc9421'

/**
 * draft-cavage-http-signatures-12 is what every server of the fediverse accepts; RFC 9421 is accepted by few, some of which accept
 * nothing else. A host's kind is kept once it has accepted one.
 */
export const firstKind: SignatureKind = 'draft-cavage'

export const otherKind = (kind: SignatureKind): SignatureKind => (kind === 'draft-cavage' ? 'rfc9421' : 'draft-cavage')

interface Signed {
  readonly url: string
  readonly body: Buffer
  /** The address at which the public key is. */
  readonly keyId: string
  readonly key: KeyObject
  readonly at: Date
}

/** The headers of a POST, its host excepted. */
export const signedHeaders = (kind: SignatureKind, request: Signed): Record<string, string> =>
  kind === 'rfc9421' ? asStandard(request) : asDraft(request)

const rsa = (text: string, key: KeyObject): string => sign('sha256', Buffer.from(text), key).toString('base64')
const sha256 = (body: Buffer): string => createHash('sha256').update(body).digest('base64')

function asDraft({ url, body, keyId, key, at }: Signed): Record<string, string> {
  const { host, pathname, search } = new URL(url)
  const headers = { host, date: at.toUTCString(), digest: `SHA-256=${sha256(body)}` }
  const lines = [
    `(request-target): post ${pathname}${search}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  const names = ['(request-target)', ...Object.keys(headers)].join(' ')
  // Servers read `rsa-sha256`, and few `hs2019`, which names no method.
  const signature = `keyId="${keyId}",algorithm="rsa-sha256",headers="${names}",signature="${rsa(lines.join('\n'), key)}"`
  return { date: headers.date, digest: headers.digest, signature }
}

function asStandard({ url, body, keyId, key, at }: Signed): Record<string, string> {
  const { href, host } = new URL(url)
  const digest = `sha-256=:${sha256(body)}:`
  const components = { '@method': 'POST', '@target-uri': href, '@authority': host, 'content-digest': digest }
  const names = Object.keys(components).map((name) => `"${name}"`)
  const seconds = Math.floor(at.getTime() / 1000)
  const parameters = `(${names.join(' ')});created=${seconds};keyid="${keyId}";alg="rsa-v1_5-sha256"`
  const base = [
    ...Object.entries(components).map(([name, value]) => `"${name}": ${value}`),
    `"@signature-params": ${parameters}`,
  ].join('\n')
  return {
    date: at.toUTCString(),
    'content-digest': digest,
    'signature-input': `sig1=${parameters}`,
    signature: `sig1=:${rsa(base, key)}:`,
  }
}
