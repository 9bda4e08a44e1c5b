import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { after } from 'node:test'
import { freePort } from './network.ts'
import { until } from './waiting.ts'

/**
 * Servers of the fediverse that get activities, written from the specifications and nothing of the server: ActivityPub,
 * draft-cavage-http-signatures-12, RFC 9421 and RFC 9530.
 */

interface ReceivedActivity {
  readonly inbox: string
  readonly signature: 'draft-cavage' | 'rfc9421'
  readonly activity: {
    readonly id: string
    readonly type: string
    readonly actor: string
    readonly object: {
      readonly id: string
      readonly type: string
      readonly name: string
      readonly preferredUsername?: string
    }
  }
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void

export interface FediverseServers {
  /** For OUTBOUND_ALLOW. */
  readonly hosts: readonly string[]
  /** The address of an inbox on one of them. */
  inbox(name: string, host?: number): string
  /** What arrived, signed as it must be, and was taken. */
  readonly received: ReceivedActivity[]
  /** What was refused, since it was not. */
  readonly refused: string[]
  of(inbox: string): ReceivedActivity[]
  /** Once an inbox has as many activities. */
  activities(inbox: string, count: number): Promise<readonly ReceivedActivity[]>
  /** Signatures that a host accepts from now on. */
  accept(host: number, kinds: readonly ReceivedActivity['signature'][]): void
  /** Another behaviour of an inbox from now on. */
  behave(inbox: string, answer: Answer | undefined): void
}

/** `keyAt` looks up the public key at an address, as PEM: a server fetches it from there. */
export async function startFediverseServers(
  keyAt: (address: string) => Promise<string | undefined>,
  count = 1,
): Promise<FediverseServers> {
  const port = await freePort()
  const hosts = Array.from(
    { length: count },
    (_, place) => `127.0.${1 + Math.floor(place / 200)}.${1 + (place % 200)}:${port}`,
  )
  const received: ReceivedActivity[] = []
  const refused: string[] = []
  const answers = new Map<string, Answer>()
  const accepted = new Map<string, readonly ReceivedActivity['signature'][]>()

  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const inbox = `http://${request.headers.host}${request.url}`
    const answer = answers.get(inbox)
    if (answer) return answer(request, response)
    const signature = request.headers['signature-input'] ? 'rfc9421' : 'draft-cavage'
    const kinds = accepted.get(request.headers.host!)
    if (kinds && !kinds.includes(signature)) return void response.writeHead(401).end()
    const problem = await (signature === 'rfc9421' ? standardProblem : draftProblem)(request, inbox, body, keyAt)
    if (problem) {
      refused.push(problem)
      return void response.writeHead(401).end(problem)
    }
    received.push({ inbox, signature, activity: JSON.parse(String(body)) })
    response.writeHead(202).end()
  }

  for (const host of hosts) {
    const server = createServer((request, response) => void take(request, response))
    server.listen(port, host.split(':')[0])
    await once(server, 'listening')
    after(() => {
      server.closeAllConnections()
      server.close()
    })
  }
  const of = (inbox: string) => received.filter((one) => one.inbox === inbox)
  return {
    hosts,
    inbox: (name, host = 0) => `http://${hosts[host]}/${name}`,
    received,
    refused,
    of,
    activities: (inbox, wanted) =>
      until(() => (of(inbox).length >= wanted ? of(inbox) : undefined), `${wanted} activities at ${inbox}`),
    accept: (host, kinds) => void accepted.set(hosts[host]!, kinds),
    behave: (inbox, answer) => void (answer ? answers.set(inbox, answer) : answers.delete(inbox)),
  }
}

type KeyAt = (address: string) => Promise<string | undefined>

/** The key must be that of the activity's actor, on the same host. */
async function keyOf(address: string | undefined, body: Buffer, keyAt: KeyAt): Promise<KeyObject | string> {
  const { actor } = JSON.parse(String(body))
  if (!address || address.split('#')[0] !== actor) return `the key ${address} is not that of ${actor}`
  const pem = await keyAt(address)
  return pem === undefined ? `there is no key at ${address}` : createPublicKey(pem)
}

const sha256 = (body: Buffer): string => createHash('sha256').update(body).digest('base64')
const isNow = (at: number): boolean => Math.abs(Date.now() - at) < 3_600_000

/** https://datatracker.ietf.org/doc/html/draft-cavage-http-signatures-12, with what Mastodon demands. */
async function draftProblem(request: IncomingMessage, _inbox: string, body: Buffer, keyAt: KeyAt) {
  const { headers, method, url } = request
  const given = new Map(
    [...String(headers.signature ?? '').matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name!, value!]),
  )
  const names = (given.get('headers') ?? 'date').split(' ')
  for (const name of ['(request-target)', 'host', 'date', 'digest'])
    if (!names.includes(name)) return `${name} is not signed`
  if (!['rsa-sha256', 'hs2019'].includes(given.get('algorithm') ?? 'hs2019')) return 'an unknown algorithm'
  if (!isNow(Date.parse(headers.date ?? ''))) return 'the date is not today'
  if (headers.digest !== `SHA-256=${sha256(body)}`) return 'the digest is of another body'
  const key = await keyOf(given.get('keyId'), body, keyAt)
  if (typeof key === 'string') return key
  const text = names
    .map((name) =>
      name === '(request-target)' ? `${name}: ${method!.toLowerCase()} ${url}` : `${name}: ${valueIn(headers, name)}`,
    )
    .join('\n')
  const signature = Buffer.from(given.get('signature') ?? '', 'base64')
  return verify('RSA-SHA256', Buffer.from(text), key, signature) ? undefined : 'the signature is wrong'
}

/** RFC 9421, section 3.2, and RFC 9530, section 2. */
async function standardProblem(request: IncomingMessage, inbox: string, body: Buffer, keyAt: KeyAt) {
  const { headers, method, url } = request
  const [, label = '', parameters = '', list = ''] =
    /^([a-z][a-z0-9_-]*)=((\((?:"[^"]*"[ ]?)*\))(?:;[^,]*)*)$/.exec(String(headers['signature-input'])) ?? []
  const names = [...list.matchAll(/"([^"]*)"/g)].map(([, name]) => name!)
  for (const name of ['@method', '@target-uri', 'content-digest'])
    if (!names.includes(name)) return `${name} is not signed`
  const parameter = (name: string) => new RegExp(`;${name}="?([^";]*)"?`).exec(parameters)?.[1]
  if (!isNow(Number(parameter('created')) * 1000)) return 'it was not created today'
  if ((parameter('alg') ?? 'rsa-v1_5-sha256') !== 'rsa-v1_5-sha256') return 'an unknown algorithm'
  if (headers['content-digest'] !== `sha-256=:${sha256(body)}:`) return 'the digest is of another body'
  const key = await keyOf(parameter('keyid'), body, keyAt)
  if (typeof key === 'string') return key
  const components: Record<string, string> = {
    '@method': method!,
    '@target-uri': inbox,
    '@authority': headers.host!,
    '@path': url!.split('?')[0]!,
  }
  const lines = names.map((name) => `"${name}": ${components[name] ?? valueIn(headers, name)}`)
  const text = [...lines, `"@signature-params": ${parameters}`].join('\n')
  const [, signature = ''] = new RegExp(`(?:^|, *)${label}=:([^:]*):`).exec(String(headers.signature)) ?? []
  return verify('sha256', Buffer.from(text), key, Buffer.from(signature, 'base64'))
    ? undefined
    : 'the signature is wrong'
}

const valueIn = (headers: IncomingHttpHeaders, name: string): string => String(headers[name]).trim()
