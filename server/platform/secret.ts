import { createHash, randomBytes } from 'node:crypto'

/** A secret that is stored only as a hash. It has 256 random bits, so a plain hash is enough. */
export function secretToken(): { token: string; hash: Buffer } {
  const token = randomBytes(32).toString('base64url')
  return { token, hash: hashOf(token) }
}

export const hashOf = (token: string | Buffer): Buffer => createHash('sha256').update(token).digest()
