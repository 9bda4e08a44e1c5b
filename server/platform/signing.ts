import { createHash, createPrivateKey, createPublicKey, hkdfSync, type KeyObject, sign, verify } from 'node:crypto'

/** Signs what the site vouches for: Ed25519 (RFC 8032), so that anybody can verify it and nobody else can make it. */
export interface Signer {
  readonly keyId: string
  /** 32 bytes. */
  readonly publicKey: Buffer
  sign(text: string): Buffer
}

/** What comes before the 32 bytes of a key: PKCS #8 and SPKI as RFC 8410 has them. */
const privateHead = Buffer.from('302e020100300506032b657004220420', 'hex')
const publicHead = Buffer.from('302a300506032b6570032100', 'hex')

export function createSigner(secret: string): Signer {
  const seed = Buffer.from(hkdfSync('sha256', secret, 'standfirst receipts', 'signing', 32))
  const key = createPrivateKey({ key: Buffer.concat([privateHead, seed]), format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(publicHead.length)
  return { keyId: keyIdOf(publicKey), publicKey, sign: (text) => sign(null, Buffer.from(text), key) }
}

/** The thumbprint of RFC 7638: anybody can make it from the key. */
export const keyIdOf = (publicKey: Buffer): string =>
  createHash('sha256')
    .update(`{"crv":"Ed25519","kty":"OKP","x":"${publicKey.toString('base64url')}"}`)
    .digest('base64url')

export function isSignedBy(publicKey: Buffer, text: string, signature: Buffer): boolean {
  return publicKey.length === 32 && verify(null, Buffer.from(text), keyOf(publicKey), signature)
}

const keyOf = (publicKey: Buffer): KeyObject =>
  createPublicKey({ key: Buffer.concat([publicHead, publicKey]), format: 'der', type: 'spki' })
