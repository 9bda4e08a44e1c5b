import { GiveUp } from './jobs/jobs.ts'

/** One header line holds this many tags at most; Varnish takes 8 kB of it, and a tag has 60 characters at most. */
const mostTags = 100
const patience = 5000

/** What a list of tags is made of: neither a space, which divides them, nor anything that could end the header. */
const tagShape = /^[\x21-\x2b\x2d-\x7e]{1,80}$/

export type Purge = (tags: readonly string[], signal?: AbortSignal) => Promise<void>

/**
 * Tells the edge cache to forget every answer that carries one of these tags (its `Surrogate-Key`): a `PURGE` with the
 * tags in `xkey`, by spaces, as the example in the manual of Varnish's xkey takes it. A user and password in the address
 * become Basic authorisation. Anything but 2xx is a failure, to be tried again. Without an address there is no cache.
 */
export function purgeAt(address: string | undefined): Purge {
  if (address === undefined) return async () => {}
  const url = new URL(address)
  const headers: Record<string, string> = {}
  if (url.username || url.password) {
    const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
    headers['authorization'] = `Basic ${Buffer.from(credentials).toString('base64')}`
    url.username = ''
    url.password = ''
  }
  return async (tags, signal) => {
    const unique = [...new Set(tags)]
    const odd = unique.find((tag) => !tagShape.test(tag))
    if (odd !== undefined) throw new GiveUp(`${JSON.stringify(odd)} is not a tag`)
    for (let from = 0; from < unique.length; from += mostTags) {
      const limit = AbortSignal.timeout(patience)
      const answer = await fetch(url, {
        method: 'PURGE',
        headers: { ...headers, xkey: unique.slice(from, from + mostTags).join(' ') },
        redirect: 'manual',
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      })
      await answer.body?.cancel()
      if (!answer.ok) throw new Error(`The cache at PURGE_URL answered ${answer.status}`)
    }
  }
}
