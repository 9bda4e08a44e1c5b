/** An edge cache that accepts purges, from `PURGE_URL`. */
export type CacheAddress =
  | { readonly kind: 'varnish'; readonly url: string; readonly authorization: string | undefined }
  | { readonly kind: 'fastly'; readonly service: string; readonly token: string }
  | { readonly kind: 'cloudflare'; readonly zone: string; readonly token: string }

/** Comma-separated. Undefined if one of them is invalid. */
export function readPurgeUrl(given: string): CacheAddress[] | undefined {
  const read = given.split(',').map((one) => readOne(one.trim()))
  return read.every((one) => one !== undefined) ? read : undefined
}

function readOne(given: string): CacheAddress | undefined {
  if (!URL.canParse(given)) return undefined
  const url = new URL(given)
  if (!isDecodable(url.username) || !isDecodable(url.password)) return undefined
  if (url.protocol === 'http:' || url.protocol === 'https:') return varnish(url)
  const [host, token] = [url.hostname, decodeURIComponent(url.password)]
  if (url.username || !token || /[^\x21-\x7e]/.test(token) || url.pathname.length > 1 || url.search) return undefined
  if (url.protocol === 'fastly:' && /^[A-Za-z0-9]+$/.test(host)) return { kind: 'fastly', service: host, token }
  if (url.protocol === 'cloudflare:' && /^[0-9a-f]{32}$/.test(host)) return { kind: 'cloudflare', zone: host, token }
  return undefined
}

const isDecodable = (text: string): boolean => !/%(?![0-9a-f]{2})/i.test(text) && !/%[89a-f]/i.test(text)

/** A user and password in the URL become Basic authorization. */
function varnish(url: URL): CacheAddress {
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  const authorization = credentials === ':' ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`
  url.username = ''
  url.password = ''
  return { kind: 'varnish', url: url.href, authorization }
}

/** A name for people, without credentials. */
export const nameOf = (address: CacheAddress): string => {
  if (address.kind === 'varnish') return `the cache at ${new URL(address.url).host}`
  return address.kind === 'fastly' ? `Fastly's service ${address.service}` : `Cloudflare's zone ${address.zone}`
}
