import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'

/** Keys of actors: RSA-2048, the only kind that all servers of the fediverse verify. */

const generate = promisify(generateKeyPair)

/** SPKI and PKCS8 as PEM; takes some 0.1 s of a thread. */
export const makeActorKeys = (): Promise<{ publicKey: string; privateKey: string }> =>
  generate('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })

/** A private key can be decrypted for its actor only. */
export const actorKeyContext = (actor: string): string => `fediverse actor ${actor}`
