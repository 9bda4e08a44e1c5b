import { Agent, get, type RequestOptions } from 'node:http'
import { get as getSecure, Agent as SecureAgent } from 'node:https'
import { dial, OutboundError } from '../../server/platform/outbound/connect.ts'
import { createOutbound, type OutboundRequest } from '../../server/platform/outbound/outbound.ts'
import { readAllowList } from '../../server/platform/outbound/rules.ts'
import { until } from '../../testkit/waiting.ts'
import { begunSoFar, behaviours, type Connection, startFakeInternet } from './fake-internet.ts'
import { bypassForms, forbiddenTargets, outside, targetName } from './zone.ts'

/** Runs inside a network namespace without a route out and prints what happened; test/system/outbound.test.ts checks it. */

interface Outcome {
  /** The kind of failure, or `answered`. */
  readonly kind: string
  readonly ms: number
  readonly message?: string
  readonly address?: string
  readonly status?: number
  readonly location?: string
  readonly retryAfter?: string
  readonly head?: string
  readonly truncated?: boolean
}

/** The outcome of calls, and what the receiver, the kernel and the name server recorded. */
export interface Watched {
  readonly outcomes: Readonly<Record<string, Outcome>>
  readonly connections: readonly Connection[]
  /** TCP connections that the kernel opened, to any address. */
  readonly begun: number
  readonly questions: readonly string[]
}

const { trusted, receiver, names } = await startFakeInternet()
const usual = { ownHosts: ['standfirst.example'], nameServers: [names.address], ca: trusted.cert }
const guarded = createOutbound(usual)
const hurried = createOutbound({ ...usual, limits: { dns: 300, connect: 400, whole: 700 } })
const slow = createOutbound({ ...usual, limits: { dns: 900, whole: 1_000 } })

type Attempts = Readonly<Record<string, () => Promise<Outcome>>>

async function watch(attempts: Attempts, atOnce = false): Promise<Watched> {
  const before = begunSoFar()
  const outcomes: Record<string, Outcome> = {}
  const running = Object.entries(attempts).map(([name, attempt]) => async () => {
    outcomes[name] = await attempt()
  })
  if (atOnce) await Promise.all(running.map((run) => run()))
  else for (const run of running) await run()
  await until(async () => (await receiver.open()) === 0, 'no connection is left open')
  const begun = begunSoFar() - before
  return { outcomes, connections: receiver.takeConnections(), begun, questions: names.takeQuestions() }
}

const call =
  (url: string, request?: OutboundRequest, outbound = guarded) =>
  async (): Promise<Outcome> => {
    try {
      const { head, headers, ...answer } = await outbound.call(url, request)
      const { location, 'retry-after': retryAfter } = headers
      return { kind: 'answered', ...answer, head: head.toString('latin1'), location, retryAfter } as Outcome
    } catch (error) {
      if (!(error instanceof OutboundError)) return { kind: `no OutboundError: ${error}`, ms: 0 }
      const { kind, ms, message, address } = error
      return { kind, ms, message, ...(address === undefined ? {} : { address }) }
    }
  }

const callAll = (urls: Iterable<string>, outbound = guarded) =>
  watch(Object.fromEntries([...urls].map((url) => [url, call(url, {}, outbound)])))

const at = (label: string) => `https://${label}.outside.example/`
const hook = (path: string) => `https://good.outside.example${path}`
/** These would run until the limit. */
const endless = ['/drip', '/drip-headers', '/never']

/** Calls without the guard, as a counter-check: if these went unnoticed, so would a hole in ours. */
const unguarded = (ask: typeof get, url: string, options: RequestOptions) => async (): Promise<Outcome> => {
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  const done = () => resolve({ kind: 'unguarded', ms: 0 })
  ask(url, { ...options, timeout: 1_000 }, done).on('error', done)
  return promise
}
const lookup: RequestOptions['lookup'] = (_name, _options, done) => done(new Error('forbidden'), '', 4)

const holes = await watch({
  'no guard': unguarded(get, 'http://169.254.169.254/', { agent: new Agent() }),
  'a guard in lookup only': unguarded(getSecure, 'https://10.0.0.1/', { agent: new SecureAgent(), lookup }),
  'a proxy from the environment': unguarded(getSecure, hook('/'), {}),
  'an address written as a number': unguarded(getSecure, 'https://2130706433/', { agent: new SecureAgent() }),
})

/** The final check of the peer address, after the earlier checks passed. */
async function refusePeer(): Promise<Outcome> {
  try {
    const { socket } = await dial(['127.0.0.1'], 443, 1_000, () => true)
    socket.destroy()
    return { kind: 'connected', ms: 0 }
  } catch (error) {
    return { kind: (error as OutboundError).kind, ms: 0 }
  }
}

const repeated = (times: number, url: string): Attempts =>
  Object.fromEntries(Array.from({ length: times }, (_, time) => [`${time}`, call(url)]))

const report = {
  holes,
  bypasses: await callAll(bypassForms),
  targets: await callAll(forbiddenTargets.map((_, place) => `https://${targetName(place)}/`)),
  tricks: await callAll(['many', 'mixed', 'alias', 'aliases', 'mapped', 'strange-owner'].map(at)),
  flips: await watch(repeated(40, at('flip'))),
  crowd: await watch(repeated(60, at('flip')), true),
  rebinding: await callAll([at('rebind')]),
  own: await watch({ address: call(hook('/'), {}, createOutbound({ ...usual, ownAddresses: [outside.v4] })) }),
  peer: await watch({ peer: refusePeer }),
  redirects: await callAll(
    ['301', '302', '303', '307', '308', 'refresh', 'alternative'].map((path) => hook(`/${path}`)),
  ),
  answers: await watch({
    hello: call(hook('/')),
    'over IPv6': call(at('six')),
    echo: call(hook('/echo?a=b&c=%20#part'), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Host: 'inside.example', 'Accept-Encoding': 'gzip' },
      body: '{"title":"Grüße"}',
      keep: 8_192,
    }),
    'echo again': call(hook('/echo?'), { keep: 8_192 }),
    'no body': call(hook('/nothing')),
    'only the head': call(hook('/'), { method: 'HEAD' }),
    'first address dead': call(at('half-dead')),
    'one family unknown': call(at('no-six')),
    'much kept': call(hook('/endless'), { keep: 10_000_000 }),
  }),
  troubles: await callAll([
    ...Object.keys(behaviours)
      .filter((path) => !endless.includes(path))
      .map(hook),
    ...['nowhere', 'empty', 'broken', 'dead', 'reset', 'untrusted', 'plain'].map(at),
    'https://good.elsewhere.example/',
  ]),
  waits: await callAll([at('mute'), at('silent'), ...endless.map(hook)], hurried),
  late: await watch({
    'slow names, then no answer': call('https://half-mute.outside.example/never', {}, slow),
  }),
  misuse: await watch({ 'a line break in a header': call(hook('/'), { headers: { 'x-a': 'b\r\nc: d' } }) }),
  allowed: await callAll(
    [
      'http://localhost:8080/',
      'http://127.0.0.1:8080/',
      'http://[::1]:8080/',
      'http://10.0.0.1:8080/',
      'http://localhost/',
    ],
    createOutbound({ ...usual, allow: readAllowList('localhost:8080,127.0.0.1:8080,[::1]:8080')! }),
  ),
  left: await receiver.open(),
}
export type Report = typeof report

receiver.close()
names.close()
// Handles that a bug left open must not keep the process alive; `left` reports them.
process.stdout.write(JSON.stringify(report), () => process.exit())
