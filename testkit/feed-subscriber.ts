import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { serve } from './network.ts'
import { until } from './waiting.ts'

/** A subscriber to feeds, written from the specification (https://www.w3.org/TR/websub/) and nothing of the server. */

/** What a subscriber learns from a feed: where to subscribe, and to which address. */
interface Discovered {
  readonly hub: string
  readonly topic: string
}

/** A feed that a hub has sent. */
interface SentFeed {
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** A question about a subscription, with its parameters. */
type Question = Readonly<Record<string, string>>

interface Asked {
  readonly secret?: string
  readonly leaseSeconds?: number
}

export type Answer = (request: IncomingMessage, response: ServerResponse, body: Buffer) => void

interface FeedSubscription extends Discovered {
  readonly callback: string
  /** Feeds whose signature is right, or that need none. */
  readonly received: readonly SentFeed[]
  /** Those that the subscriber ignores, since their signature is wrong or missing. */
  readonly ignored: readonly SentFeed[]
  readonly questions: readonly Question[]
  /** Until when the hub says that it lasts, in seconds from then; undefined while it is not active. */
  leaseSeconds(): number | undefined
  isDenied(): boolean
  /** Asks the hub again, which must answer 202; also with another secret. */
  renew(asked?: Asked): Promise<void>
  unsubscribe(): Promise<void>
  active(): Promise<unknown>
  ended(): Promise<unknown>
  /** Once as many feeds have arrived. */
  feeds(count: number): Promise<SentFeed>
  /** Another behaviour of the callback from now on, instead of the specification's. */
  behave(answer: Answer | undefined): void
}

export interface FeedSubscriber {
  /** For OUTBOUND_ALLOW. */
  readonly host: string
  /** By the header of the feed, or by the document alone. */
  discover(feed: string, from?: 'headers' | 'document'): Promise<Discovered>
  /** Asks for a subscription, with a callback that nobody else knows. */
  subscribe(
    feed: string,
    asked?: Asked & { readonly query?: string; readonly answer?: Answer },
  ): Promise<FeedSubscription>
}

interface State {
  readonly topic: string
  pending: 'subscribe' | 'unsubscribe' | undefined
  lease: number | undefined
  isDenied: boolean
  secret: string | undefined
  /** From when it has agreed on. */
  nextSecret: string | undefined
  answer: Answer | undefined
  readonly received: SentFeed[]
  readonly ignored: SentFeed[]
  readonly questions: Question[]
}

export async function startFeedSubscriber(): Promise<FeedSubscriber> {
  const states = new Map<string, State>()
  const { base, port } = await serve(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const { pathname, searchParams } = new URL(request.url!, 'http://subscriber.test')
    const state = states.get(pathname)
    if (!state) return void response.writeHead(404).end()
    if (request.method === 'GET') state.questions.push(Object.fromEntries(searchParams))
    if (state.answer) return state.answer(request, response, body)
    if (request.method === 'GET') return answerQuestion(state, searchParams, response)
    receive(state, { headers: request.headers, body })
    response.writeHead(204).end()
  })

  return {
    host: `127.0.0.1:${port}`,
    discover,
    async subscribe(feed, { query = '', answer, ...asked } = {}) {
      const { hub, topic } = await discover(feed)
      const path = `/${randomBytes(16).toString('hex')}`
      const callback = `${base}${path}${query}`
      const state: State = {
        topic,
        pending: undefined,
        lease: undefined,
        isDenied: false,
        secret: undefined,
        nextSecret: undefined,
        answer,
        received: [],
        ignored: [],
        questions: [],
      }
      states.set(path, state)
      const one = subscription(state, { hub, topic, callback })
      await one.renew(asked)
      return one
    },
  }
}

function subscription(
  state: State,
  { hub, topic, callback }: Discovered & { readonly callback: string },
): FeedSubscription {
  const send = async (mode: 'subscribe' | 'unsubscribe', { secret, leaseSeconds }: Asked) => {
    state.pending = mode
    const status = await sendHubForm(hub, {
      'hub.mode': mode,
      'hub.topic': topic,
      'hub.callback': callback,
      ...(leaseSeconds === undefined ? {} : { 'hub.lease_seconds': String(leaseSeconds) }),
      ...(secret === undefined ? {} : { 'hub.secret': secret }),
    })
    if (status !== 202) throw new Error(`the hub answers ${status}`)
  }
  return {
    hub,
    topic,
    callback,
    received: state.received,
    ignored: state.ignored,
    questions: state.questions,
    leaseSeconds: () => state.lease,
    isDenied: () => state.isDenied,
    renew: (asked = {}) => {
      state.nextSecret = asked.secret
      return send('subscribe', asked)
    },
    unsubscribe: () => send('unsubscribe', {}),
    active: () =>
      until(() => state.pending === undefined && state.lease !== undefined, 'the hub has asked, and got the answer'),
    ended: () => until(() => state.pending === undefined && state.lease === undefined, 'the subscription has ended'),
    feeds: (count) => until(() => state.received[count - 1], `${count} feeds at ${callback}`),
    behave: (answer) => {
      state.answer = answer
    },
  }
}

export async function sendHubForm(hub: string, fields: Readonly<Record<string, string>>): Promise<number> {
  const answer = await fetch(hub, { method: 'POST', body: new URLSearchParams(fields) })
  await answer.text()
  return answer.status
}

/** Agrees to what it has asked for, and to nothing else. */
function answerQuestion(state: State, asked: URLSearchParams, response: ServerResponse): void {
  const mode = asked.get('hub.mode')
  if (mode === 'denied') {
    state.isDenied = true
    state.lease = undefined
    return void response.writeHead(200).end()
  }
  if (mode !== state.pending || asked.get('hub.topic') !== state.topic) return void response.writeHead(404).end()
  if (mode === 'subscribe') state.secret = state.nextSecret
  response.writeHead(200, { 'content-type': 'text/plain' }).end(asked.get('hub.challenge') ?? '')
  state.pending = undefined
  state.lease = mode === 'subscribe' ? Number(asked.get('hub.lease_seconds')) : undefined
}

function receive(state: State, sent: SentFeed): void {
  const { secret } = state
  const isGood = secret === undefined || isSigned(secret, sent)
  state[isGood ? 'received' : 'ignored'].push(sent)
}

/** By the method that the signature names. */
function isSigned(secret: string, { headers, body }: SentFeed): boolean {
  const [, method = '', signature = ''] =
    /^(sha(?:1|256|384|512))=([0-9a-f]+)$/.exec(String(headers['x-hub-signature'])) ?? []
  if (!method) return false
  const own = createHmac(method, secret).update(body).digest()
  const given = Buffer.from(signature, 'hex')
  return given.length === own.length && timingSafeEqual(given, own)
}

async function discover(feed: string, from: 'headers' | 'document' = 'headers'): Promise<Discovered> {
  const answer = await fetch(feed)
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`${feed} answers ${answer.status}`)
  const found = from === 'headers' ? inHeader(answer.headers.get('link') ?? '') : inDocument(text)
  if (!found.hub || !found.topic) throw new Error(`${feed} names no hub in its ${from}`)
  return { hub: found.hub, topic: found.topic }
}

function inHeader(header: string): Partial<Discovered> {
  const links = [...header.matchAll(/<([^>]*)>\s*;\s*rel="?([^",]+)"?/g)].map(([, target, rel]) => [rel, target])
  return named(links as [string, string][])
}

/** In RSS by links of Atom; in JSON Feed by its members. */
function inDocument(text: string): Partial<Discovered> {
  if (text.startsWith('{')) {
    const { hubs = [], feed_url } = JSON.parse(text)
    return { hub: hubs.find(({ type }: { type: string }) => type === 'WebSub')?.url, topic: feed_url }
  }
  const [head = ''] = text.split('<item>', 1)
  const links = [...head.matchAll(/<atom:link ([^>]*)\/>/g)].map(([, attributes]) => {
    const attribute = (name: string) =>
      new RegExp(`\\b${name}="([^"]*)"`).exec(attributes!)?.[1]?.replaceAll('&amp;', '&') ?? ''
    return [attribute('rel'), attribute('href')] as [string, string]
  })
  return named(links)
}

const named = (links: readonly (readonly [rel: string, target: string])[]): Partial<Discovered> => {
  const target = (name: string) => links.find(([rel]) => rel.split(' ').includes(name))?.[1]
  const [hub, topic] = [target('hub'), target('self')]
  return { ...(hub ? { hub } : {}), ...(topic ? { topic } : {}) }
}
