import { GiveUp } from '../jobs/jobs.ts'
import { purgeSeconds } from '../observability/services.ts'
import { type CacheAddress, nameOf } from './address.ts'

/** What a list of tags is made of: neither a space nor a comma, which divide them, nor anything that could end a header. */
const tagShape = /^[\x21-\x2b\x2d-\x7e]{1,80}$/
const patience = 5000

export type Purge = (tags: readonly string[], signal?: AbortSignal) => Promise<void>

/** Where the companies take them. */
const companies = { fastly: 'https://api.fastly.com', cloudflare: 'https://api.cloudflare.com/client/v4' }

interface Call {
  /** How many tags one call may name. */
  readonly most: number
  readonly url: string
  readonly method: 'PURGE' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  /** Where the tags go. */
  put(tags: readonly string[]): { readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  /** Whether it was done, for whoever says that in words. */
  isDone?(answer: Response): Promise<boolean>
}

/**
 * Tells every edge cache to forget each answer that carries one of these tags, its `Surrogate-Key` or `Cache-Tag`, at
 * once and not to serve it stale. Where one of them does not take it, it is a failure, to be tried again at all of them;
 * so is being asked to come back later. Without a cache nobody is asked.
 */
export function purgeAt(addresses: readonly CacheAddress[] | undefined, hosts = companies): Purge {
  const caches = (addresses ?? []).map((address) => ({ name: nameOf(address), call: callOf(address, hosts) }))
  const timed = async (cache: string, telling: Promise<void>) => {
    const start = performance.now()
    const told = (outcome: string) => purgeSeconds.observe({ cache, outcome }, (performance.now() - start) / 1000)
    await telling.then(
      () => told('sent'),
      (error) => {
        told('failed')
        throw error
      },
    )
  }
  return async (tags, signal) => {
    const unique = [...new Set(tags)]
    const odd = unique.find((tag) => !tagShape.test(tag))
    if (odd !== undefined) throw new GiveUp(`${JSON.stringify(odd)} is not a tag`)
    const told = await Promise.allSettled(caches.map(({ name, call }) => timed(name, tell(name, call, unique, signal))))
    const failed = told.filter((one) => one.status === 'rejected').map(({ reason }) => reason as Error)
    if (failed.length > 0) throw failed.length === 1 ? failed[0] : new AggregateError(failed, messagesOf(failed))
  }
}

const messagesOf = (errors: readonly Error[]): string => errors.map(({ message }) => message).join('; ')

async function tell(name: string, call: Call, tags: readonly string[], signal: AbortSignal | undefined): Promise<void> {
  const { most, url, method, put, isDone } = call
  for (let from = 0; from < tags.length; from += most) {
    const limit = AbortSignal.timeout(patience)
    const { headers, body } = put(tags.slice(from, from + most))
    const answer = await fetch(url, {
      method,
      headers: { ...call.headers, ...headers },
      ...(body === undefined ? {} : { body }),
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    })
    const done = answer.ok && (isDone === undefined || (await isDone(answer)))
    await answer.body?.cancel().catch(() => {})
    if (!done) throw new Error(`A purge: ${name} answered ${answer.status}`)
  }
}

function callOf(address: CacheAddress, hosts: typeof companies): Call {
  if (address.kind === 'fastly') return fastly(address, hosts.fastly)
  return address.kind === 'cloudflare' ? cloudflare(address, hosts.cloudflare) : varnish(address)
}

type Of<Kind> = Extract<CacheAddress, { kind: Kind }>

/** The tags in `xkey`, by spaces: a line of headers has 8 kB in Varnish, and a tag 80 characters at most. */
const varnish = ({ url, authorization }: Of<'varnish'>): Call => ({
  most: 100,
  url,
  method: 'PURGE',
  headers: authorization === undefined ? {} : { authorization },
  put: (tags) => ({ headers: { xkey: tags.join(' ') } }),
})

const json = { accept: 'application/json', 'content-type': 'application/json' }

/** https://www.fastly.com/documentation/reference/api/purging/: 256 keys a call; without `Fastly-Soft-Purge` nothing stays. */
const fastly = ({ service, token }: Of<'fastly'>, host: string): Call => ({
  most: 256,
  url: `${host}/service/${service}/purge`,
  method: 'POST',
  headers: { ...json, 'fastly-key': token },
  put: (tags) => ({ body: JSON.stringify({ surrogate_keys: tags }) }),
})

/** https://developers.cloudflare.com/cache/how-to/purge-cache/: 100 tags a call; calls are counted by the plan. */
const cloudflare = ({ zone, token }: Of<'cloudflare'>, host: string): Call => ({
  most: 100,
  url: `${host}/zones/${zone}/purge_cache`,
  method: 'POST',
  headers: { ...json, authorization: `Bearer ${token}` },
  put: (tags) => ({ body: JSON.stringify({ tags }) }),
  isDone: async (answer) => ((await answer.json().catch(() => ({}))) as { success?: boolean }).success === true,
})
