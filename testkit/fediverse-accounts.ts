import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { serve } from './network.ts'

/**
 * A server of the fediverse with accounts that send activities, signed by hand after draft-cavage-http-signatures-12 and RFC 9421,
 * with nothing of the server.
 */

type SignatureKind = 'draft-cavage' | 'rfc9421'

export interface Account {
  /** The address that it acts under. */
  readonly id: string
  readonly keyId: string
  key: KeyObject
  /** Another answer instead of its document. */
  answer: ((request: IncomingMessage, response: ServerResponse) => void) | undefined
  /** Members of its document that are otherwise. */
  changed: object
  /** From now on it signs with another key, and shows that. */
  renewKey(): void
}

export interface Sent {
  readonly kind?: SignatureKind
  readonly keyId?: string
  readonly key?: KeyObject
  readonly at?: Date
  /** What the signature covers, instead of what it should. */
  readonly covers?: readonly string[]
  /** Sent instead of the body that is signed. */
  readonly body?: string
  /** Sent instead of, or besides, what is signed. */
  readonly headers?: Readonly<Record<string, string>>
  readonly signedFor?: string
}

export interface AccountServer {
  /** For OUTBOUND_ALLOW. */
  readonly host: string
  readonly base: string
  account(name?: string): Account
  /** What was asked of it, besides what came to inboxes. */
  readonly asked: { readonly path: string; readonly headers: IncomingHttpHeaders }[]
  /** What came to inboxes. */
  readonly received: { readonly path: string; readonly activity: Readonly<Record<string, unknown>> }[]
}

export async function startAccountServer(): Promise<AccountServer> {
  const accounts = new Map<string, Account & { pem: string }>()
  const asked: AccountServer['asked'] = []
  const received: AccountServer['received'] = []
  const { base, port } = await serve(async (request, response) => {
    const { url: path = '', headers, method } = request
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (method === 'POST') {
      received.push({ path, activity: JSON.parse(String(Buffer.concat(chunks))) })
      return void response.writeHead(202).end()
    }
    asked.push({ path, headers })
    const account = accounts.get(path)
    if (!account) return void response.writeHead(404).end()
    if (account.answer) return account.answer(request, response)
    const { id, keyId, pem, changed } = account
    const document = {
      '@context': ['https://www.w3.org/ns/activitystreams', 'https://context.invalid/of/its/own'],
      ...{ id, type: 'Person', preferredUsername: path.slice(1), inbox: `${id}/inbox` },
      endpoints: { sharedInbox: `${base}/inbox` },
      publicKey: { id: keyId, owner: id, publicKeyPem: pem },
      ...changed,
    }
    response.writeHead(200, { 'content-type': 'application/activity+json' }).end(JSON.stringify(document))
  })
  return {
    host: `127.0.0.1:${port}`,
    base,
    asked,
    received,
    account(name: string = randomUUID()) {
      const id = `${base}/${name}`
      const made = newKey()
      const account = {
        ...{ id, keyId: `${id}#main-key`, ...made, answer: undefined, changed: {} },
        renewKey: () => void Object.assign(account, newKey()),
      }
      accounts.set(`/${name}`, account)
      return account
    },
  }
}

function newKey(): { key: KeyObject; pem: string } {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { key: privateKey, pem: publicKey.export({ type: 'spki', format: 'pem' }).toString() }
}

const sha256 = (body: string): string => createHash('sha256').update(body).digest('base64')

/** Posts what the account has signed; the answer's status and text. */
export async function sendSigned(
  account: Account,
  inbox: string,
  activity: object | string,
  sent: Sent = {},
): Promise<{ readonly status: number; readonly text: string }> {
  const text = typeof activity === 'string' ? activity : JSON.stringify(activity)
  const { kind = 'draft-cavage', key = account.key, keyId = account.keyId, at = new Date() } = sent
  const given = { text, key, keyId, at, covers: sent.covers, url: sent.signedFor ?? inbox }
  const headers = { ...(kind === 'rfc9421' ? asStandard(given) : asDraft(given)), ...sent.headers }
  const answer = await fetch(inbox, {
    method: 'POST',
    // An idle connection may just be ended by the server when it is taken up again.
    headers: { 'content-type': 'application/activity+json', connection: 'close', ...headers },
    body: sent.body ?? text,
  })
  return { status: answer.status, text: await answer.text() }
}

interface Given {
  readonly text: string
  readonly url: string
  readonly key: KeyObject
  readonly keyId: string
  readonly at: Date
  readonly covers: readonly string[] | undefined
}

function asDraft({ text, url, key, keyId, at, covers }: Given): Record<string, string> {
  const { host, pathname } = new URL(url)
  const headers: Record<string, string> = { host, date: at.toUTCString(), digest: `SHA-256=${sha256(text)}` }
  const names = covers ?? ['(request-target)', 'host', 'date', 'digest']
  const base = names.map((name) => `${name}: ${name === '(request-target)' ? `post ${pathname}` : headers[name]}`)
  const signature = sign('sha256', Buffer.from(base.join('\n')), key).toString('base64')
  const { date, digest } = headers as { date: string; digest: string }
  return {
    ...{ date, digest },
    signature: `keyId="${keyId}",algorithm="rsa-sha256",headers="${names.join(' ')}",signature="${signature}"`,
  }
}

function asStandard({ text, url, key, keyId, at, covers }: Given): Record<string, string> {
  const { href, host, pathname } = new URL(url)
  const digest = `sha-256=:${sha256(text)}:`
  const values: Record<string, string> = {
    '@method': 'POST',
    '@target-uri': href,
    '@authority': host,
    '@path': pathname,
    'content-digest': digest,
  }
  const names = covers ?? ['@method', '@target-uri', 'content-digest']
  const list = `(${names.map((name) => `"${name}"`).join(' ')})`
  const parameters = `${list};created=${Math.floor(at.getTime() / 1000)};keyid="${keyId}"`
  const base = [...names.map((name) => `"${name}": ${values[name]}`), `"@signature-params": ${parameters}`].join('\n')
  const signature = sign('sha256', Buffer.from(base), key).toString('base64')
  return { 'content-digest': digest, 'signature-input': `sig1=${parameters}`, signature: `sig1=:${signature}:` }
}
