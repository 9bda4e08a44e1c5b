import { type Drafter, StandfirstError, standfirst } from '@standfirst/sdk'
import { cliTranslator } from '#messages/cli.ts'
import { Lost, Refused, Stopped } from './terminal.ts'

const t = cliTranslator()

/** API client of push, pull and import; retries for a busy server or a bad network. */
export interface ApiClient {
  readonly base: string
  /** Throws Refused if the site rejects the request, or Stopped if nothing else would work either. */
  ask<Answer>(call: (drafts: Drafter['drafts']) => Promise<Answer>): Promise<Answer>
}

/** Called before each wait, with its seconds. */
type OnWait = (seconds: number, why: string) => void

/** Milliseconds for one response. */
const patience = 30_000
/** Half a minute of an unresponsive site, or ten windows of its rate limits. */
const retries = 9

export function openClient(address: string | undefined, key: string | undefined, onWait: OnWait): ApiClient {
  const base = baseOf(address)
  if (key === undefined || key === '') {
    throw new Stopped(t('cli.sync.no_key', { option: '--key-file' }))
  }
  if (!/^[\x21-\x7e]{1,512}$/.test(key)) {
    throw new Stopped(t('cli.sync.bad_key', { prefix: 'pk_live_' }))
  }
  const { drafts } = standfirst({
    base,
    key,
    retries,
    fetch: fetchInTime,
    onWait: (seconds, error) => onWait(Math.ceil(seconds), wordsOf(error)),
  })
  return {
    base,
    ask: (call) =>
      call(drafts).catch((error) => {
        throw error instanceof StandfirstError ? problemIn(error, base) : error
      }),
  }
}

export function baseOf(address: string | undefined): string {
  const url = URL.parse(address ?? '')
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    throw new Stopped(t('cli.sync.no_url', { example: 'https://standfirst.example' }))
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}

/** Whether the key would be sent over unencrypted http. */
export const isOpenNetwork = (base: string): boolean => {
  const { protocol, hostname } = new URL(base)
  return protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}

const fetchInTime: typeof fetch = (address, init = {}) => {
  const headers = new Headers(init.headers)
  headers.set('user-agent', 'standfirst-writer/1')
  return fetch(address, { ...init, headers, signal: AbortSignal.timeout(patience) })
}

function problemIn(error: StandfirstError, base: string): Refused | Stopped {
  const { status, reason, detail, retryAfter } = error
  const later = `${wordsOf(error)} ${retryAfter ? againAfter(retryAfter) : t('cli.sync.again_later')}`
  if (reason === 'unreachable' || status === 502 || status === 504) return new Lost(later)
  if (status === 429 || status === 408 || status >= 500 || reason === 'idempotency_conflict') return new Stopped(later)
  if (reason === 'insufficient_scope') return new Stopped(detail)
  if (status === 401 || status === 403) return new Stopped(`${t('cli.sync.key_refused', { site: base })} ${detail}`)
  if (reason === 'moved') return new Stopped(detail)
  if (reason === 'unreadable') return new Stopped(t('cli.sync.not_a_site', { address: base, status }))
  return new Refused(status, detail)
}

/** The reason of a failed connection is in the causes of its error. */
function wordsOf({ reason, status, detail, cause }: StandfirstError): string {
  if (reason === 'unreadable') return t('cli.sync.answered', { status })
  if (reason !== 'unreachable') return detail
  const { name, message, cause: deeper } = cause as Error & { cause?: { code?: string; message?: string } }
  const why =
    deeper?.code ??
    deeper?.message ??
    (name === 'TimeoutError' ? t('cli.sync.timeout', { seconds: patience / 1000 }) : message)
  return detail.replace(/\.$/, ` (${why}).`)
}

/** Rounded up to the minute. */
const againAfter = (seconds: number): string => {
  const at = new Date(Date.now() + seconds * 1000 + 59_999)
  const day = at.toDateString() === new Date().toDateString() ? 'today' : 'tomorrow'
  return t('cli.sync.again_after', { time: at.toTimeString().slice(0, 5), day })
}
