/** Where somebody came from, as their browser or the link they followed tells it. */

const hostShape = /^(?=.{1,253}$)[a-z0-9-]+(\.[a-z0-9-]+)+$/
const wordShape = /^[a-z0-9][a-z0-9._-]{0,63}$/

interface Told {
  readonly ref?: unknown
  readonly utm_source?: unknown
}

/** The word a link carries (`?ref=`, `?utm_source=`), else the host of the page before, unless that is ours. */
export function sourceOf(query: Told, referer: string | undefined, ownHost: string): string | undefined {
  const source = wordOf(query.ref) ?? wordOf(query.utm_source) ?? hostOf(referer)
  return source === bare(ownHost) ? undefined : source
}

function wordOf(given: unknown): string | undefined {
  if (typeof given !== 'string') return undefined
  const word = hostOf(given) ?? bare(given.trim().toLowerCase())
  return wordShape.test(word) ? word : undefined
}

/** Of a web page only. The path behind it is nobody's business. */
function hostOf(address: string | undefined): string | undefined {
  const url = address && URL.canParse(address) ? new URL(address) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  const host = bare(url.hostname)
  return hostShape.test(host) ? host : undefined
}

const bare = (host: string): string => host.replace(/^www\./, '').replace(/\.$/, '')
