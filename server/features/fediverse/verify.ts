/**
 * Signatures of requests that other servers send: draft-cavage-http-signatures-12 and RFC 9421. Fedify verifies them; what they
 * must cover is checked here, since it also accepts those that leave out the body or the host. It takes 50 MB and seconds to
 * load, which a process spends when it gets its first signed request.
 */

export interface SignedRequest {
  /** Its path is as it was sent, its host is ours. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export interface PublicKey {
  readonly id: string
  readonly pem: string
}

interface Signature {
  readonly kind: 'draft-cavage-http-signatures-12' | 'rfc9421'
  readonly keyId: string
}

/** Undefined if there is none that covers method, host, path, body and time. */
export function readSignature({ headers }: Pick<SignedRequest, 'headers'>): Signature | undefined {
  const { signature, 'signature-input': input } = headers
  if (!signature) return undefined
  const found = input === undefined ? readDraft(signature) : readStandard(input)
  return found && URL.canParse(found.keyId) ? found : undefined
}

function readDraft(header: string): Signature | undefined {
  const fields = new Map<string, string>()
  for (const [, name, value] of header.matchAll(/(?:^|,)\s*([A-Za-z]+)="([^"]*)"/g)) {
    // Of two, nobody knows which one another reader takes.
    if (fields.has(name!)) return undefined
    fields.set(name!, value!)
  }
  const covered = fields.get('headers')?.split(' ') ?? []
  const isWhole = ['(request-target)', 'host', 'date', 'digest'].every((name) => covered.includes(name))
  return isWhole ? { kind: 'draft-cavage-http-signatures-12', keyId: fields.get('keyId') ?? '' } : undefined
}

/** One signature, whose components have no parameters: all that servers send. */
const standardInput = /^[a-z*][\w.*-]*=\(("[@a-z0-9-]+"(?: "[@a-z0-9-]+")*)\)((?:;[a-z]+=(?:"[^"\\]*"|\d+))+)$/

function readStandard(header: string): Signature | undefined {
  const [, list, parameters] = standardInput.exec(header) ?? []
  if (list === undefined || parameters === undefined) return undefined
  const covered = list.split(' ').map((quoted) => quoted.slice(1, -1))
  const covers = (...names: string[]) => names.every((name) => covered.includes(name))
  const isWhole =
    covers('@method', 'content-digest') &&
    (covers('@target-uri') || covers('@authority', '@path') || covers('@authority', '@request-target'))
  const [[, keyId] = []] = parameters.matchAll(/;keyid="([^"]*)"/g)
  return isWhole && keyId !== undefined ? { kind: 'rfc9421', keyId } : undefined
}

/** How far the clocks may be apart. */
const clocks = { hours: 1 }

const contexts = ['https://www.w3.org/ns/activitystreams', 'https://w3id.org/security/v1']

/** By a key that the server of `actor` says is theirs. */
export async function isSignedBy(
  { url, headers, body }: SignedRequest,
  { kind, keyId }: Signature,
  actor: string,
  keys: readonly PublicKey[],
): Promise<boolean> {
  const key = keys.find(({ id }) => id === keyId)
  if (!key) return false
  const { verifyRequest } = await import('@fedify/fedify/sig')
  // What it would fetch: the actor as we have read it, with contexts that the library has.
  const document = {
    '@context': contexts,
    id: actor,
    type: 'Person',
    publicKey: { id: keyId, type: 'CryptographicKey', owner: actor, publicKeyPem: key.pem },
  }
  const documentLoader = async (documentUrl: string) => ({ contextUrl: null, documentUrl, document })
  try {
    const request = new Request(url, { method: 'POST', headers, body: new Uint8Array(body) })
    return (await verifyRequest(request, { documentLoader, timeWindow: clocks, spec: kind })) !== null
  } catch {
    // A date, key or encoding that cannot be read.
    return false
  }
}
