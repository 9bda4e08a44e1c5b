import type { StandfirstError } from './error.ts'
import { only } from './options.ts'

/** The `fetch` and the `AbortSignal` of the place where this is used, whichever library of types describes it. */
type Fetch = typeof globalThis extends { fetch: infer Given } ? Given : (address: string, init: object) => unknown
export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer Given } } ? Given : object

export interface SiteOptions {
  /** Where the site is: `https://standfirst.example`. */
  readonly base: string
  /** A writer's key, `pk_live_…`, for drafts. A secret for servers: never in a web page. */
  readonly key?: string | undefined
  /** Instead of the platform's own. */
  readonly fetch?: Fetch | undefined
  /** How often a call is repeated when the site is busy or its answer is lost; 3 if left out, 0 for never. */
  readonly retries?: number | undefined
  /** Told before each wait how many seconds it takes, and why. */
  readonly onWait?: OnWait | undefined
}

export type OnWait = (seconds: number, error: StandfirstError) => void

export interface CallOptions {
  /** Ends the call, and its waiting, as it does with `fetch`. */
  readonly signal?: Signal | undefined
}

/** A site, as every call needs it. */
export interface Site {
  readonly base: string
  readonly key: string | undefined
  readonly fetch: Fetch
  readonly retries: number
  readonly onWait: OnWait
}

const ofSites = ['base', 'key', 'fetch', 'retries', 'onWait'] as const satisfies (keyof SiteOptions)[]

/** What cannot be right is a `TypeError`: the mistake is here, not in the site. */
export function siteOf(options: SiteOptions): Site {
  const { base, key, fetch = globalThis.fetch, retries = 3, onWait = () => {} } = only(options, ofSites)
  const { protocol, origin, pathname, username, password } = addressOf(base)
  if (!/^https?:$/.test(protocol)) throw new TypeError('base is an address with http or https.')
  if (username || password) throw new TypeError('base is an address without a name and password before its host.')
  // The message does not show the key: messages are logged.
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key)) {
    throw new TypeError('key is pk_live_ and 64 digits, as the desk shows it: no quotes, spaces or line ends.')
  }
  if (!Number.isInteger(retries) || retries < 0) throw new TypeError('retries is a whole number, 0 or more.')
  return { base: origin + pathname.replace(/\/+$/, ''), key, fetch, retries, onWait }
}

function addressOf(base: string): URL {
  try {
    return new URL(base)
  } catch {
    throw new TypeError('base is the address of a site, such as https://standfirst.example.')
  }
}
