import { createHash, createPrivateKey, sign } from 'node:crypto'
import type { Urls } from '#features/urls.ts'
import type { Sealer } from '#platform/crypto.ts'
import type { Database } from '#platform/db/database.ts'
import { createLru } from '#platform/lru.ts'
import { OutboundError } from '#platform/outbound/connect.ts'
import type { Outbound, OutboundLimits } from '#platform/outbound/outbound.ts'
import { hostOf, idOf } from './activities.ts'
import { actorKeyContext } from './keys.ts'
import type { PublicKey } from './verify.ts'
import { keyAddress } from './vocabulary.ts'

/** Accounts of other servers: their keys and inboxes, fetched from the address that they act under and nowhere else. */

export interface RemoteActor {
  readonly inbox: string
  readonly sharedInbox: string | null
  readonly keys: readonly PublicKey[]
}

/** `gone`: its server says that there is no such account any more. `busy`: too many are being fetched. */
type Fetched = { readonly actor: RemoteActor; readonly isKept: boolean } | 'gone' | 'busy' | undefined

export interface RemoteActors {
  /** Signed by our actor `as`, if it is known: some servers answer nobody else. With `isRenewed`, what is kept does not count. */
  get(address: string, as: string | undefined, isRenewed?: boolean): Promise<Fetched>
}

/** The key of an actor of ours to sign with: of `actor`, if it is known. */
export type SignerOf = (
  actor: string | undefined,
) => Promise<{ readonly keyId: string; readonly pem: string } | undefined>

interface SignerContext {
  readonly db: Database
  readonly urls: Urls
  readonly sealer: Sealer
}

export const signerOf =
  ({ db, urls, sealer }: SignerContext): SignerOf =>
  async (actor) => {
    const [signer] = await db.run<{ id: string; private_key: Buffer }>({
      text: 'select id, private_key from app.fediverse_signer($1)',
      values: [actor ?? null],
    })
    const pem = signer && sealer.open(signer.private_key, actorKeyContext(signer.id))
    return pem === undefined ? undefined : { keyId: keyAddress(signer!.id, urls), pem }
  }

/** Of one answer. An account with its description takes a few kilobytes. */
export const actorLimits: Partial<OutboundLimits> = { connect: 4_000, whole: 8_000, answer: 81_920, keep: 65_536 }

/** Fetches at once in a process, and from one server. */
const most = 16
const mostOfServer = 2

const keptAccounts = 2_000
const keptFor = 600_000
const userAgent = 'Standfirst-Fediverse/1'

export function createRemoteActors(outbound: Outbound, signer: SignerOf): RemoteActors {
  const kept = createLru<{ actor: RemoteActor; until: number }>(keptAccounts)
  const underWay = new Map<string, number>()
  let all = 0

  async function ask(address: string, as: string | undefined): Promise<RemoteActor | 'gone' | undefined> {
    const headers = { accept: 'application/activity+json', 'user-agent': userAgent, ...(await signed(address, as)) }
    try {
      const { status, head, truncated } = await outbound.call(address, { headers })
      if (status === 410) return 'gone'
      return status === 200 && !truncated ? readActor(address, head, outbound) : undefined
    } catch (error) {
      if (error instanceof OutboundError) return undefined
      throw error
    }
  }

  async function signed(address: string, as: string | undefined): Promise<Record<string, string>> {
    const own = await signer(as)
    if (!own) return {}
    const { host, pathname, search } = new URL(address)
    const date = new Date().toUTCString()
    const text = `(request-target): get ${pathname}${search}\nhost: ${host}\ndate: ${date}`
    const made = sign('sha256', Buffer.from(text), createPrivateKey(own.pem)).toString('base64')
    return {
      date,
      signature: `keyId="${own.keyId}",algorithm="rsa-sha256",headers="(request-target) host date",signature="${made}"`,
    }
  }

  return {
    async get(address, as, isRenewed = false) {
      const key = createHash('sha256').update(address).digest('base64url')
      const known = isRenewed ? undefined : kept.get(key)
      if (known && known.until > Date.now()) return { actor: known.actor, isKept: true }
      const server = hostOf(address)
      const ofServer = underWay.get(server) ?? 0
      if (all >= most || ofServer >= mostOfServer) return 'busy'
      all += 1
      underWay.set(server, ofServer + 1)
      try {
        const actor = await ask(address, as)
        if (!actor || actor === 'gone') return actor
        kept.set(key, { actor, until: Date.now() + keptFor }, 1)
        return { actor, isKept: false }
      } finally {
        all -= 1
        const left = underWay.get(server)! - 1
        if (left > 0) underWay.set(server, left)
        else underWay.delete(server)
      }
    },
  }
}

const longestKey = 4_000

/** Undefined unless it is that account, with an inbox on its own server. */
function readActor(address: string, bytes: Buffer, { check }: Pick<Outbound, 'check'>): RemoteActor | undefined {
  const document = parsed(bytes)
  if (!document || document['id'] !== address) return undefined
  const inServer = (given: unknown): string | undefined => {
    const url = idOf(given)
    return url !== undefined && hostOf(url) === hostOf(address) && 'url' in check(url) ? url : undefined
  }
  const inbox = inServer(document['inbox'])
  if (!inbox) return undefined
  const { endpoints, publicKey } = document as { endpoints?: { sharedInbox?: unknown } | null; publicKey?: unknown }
  const keys = (Array.isArray(publicKey) ? publicKey : [publicKey]).flatMap((key): PublicKey[] => {
    const { id, owner, publicKeyPem: pem } = (key ?? {}) as Record<string, unknown>
    const isTheirs = typeof id === 'string' && owner === address && typeof pem === 'string' && pem.length <= longestKey
    return isTheirs ? [{ id, pem }] : []
  })
  return { inbox, sharedInbox: inServer(endpoints?.sharedInbox) ?? null, keys }
}

/** An object of JSON. */
export function parsed(bytes: Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
