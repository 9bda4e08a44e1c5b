import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type AccessSource, instanceEndpoint } from './access.ts'

/** Where media lie, as `MEDIA_URL` says it. */
export type MediaAddress =
  | { readonly kind: 'folder'; readonly path: string }
  | {
      readonly kind: 's3'
      /** Such as https://host:9000. */
      readonly endpoint: string
      readonly bucket: string
      readonly region: string
      readonly access: AccessSource
    }

/** Undefined for what is none. */
export function readMediaUrl(given: string): MediaAddress | undefined {
  if (given.startsWith('file:')) return folderAt(given)
  if (!given.startsWith('s3://') || !URL.canParse(given)) return undefined
  // As http it is parsed with a host and a port, whatever the parser thinks of s3.
  const url = new URL(`http://${given.slice('s3://'.length)}`)
  const bucket = url.pathname.slice(1)
  if (Boolean(url.username) !== Boolean(url.password) || !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    return undefined
  const scheme = url.searchParams.get('tls') === 'off' ? 'http' : 'https'
  return {
    kind: 's3',
    endpoint: `${scheme}://${url.host}`,
    bucket,
    region: url.searchParams.get('region') ?? 'us-east-1',
    access: url.username
      ? { kind: 'keys', key: decodeURIComponent(url.username), secret: decodeURIComponent(url.password) }
      : { kind: 'instance', endpoint: instanceEndpoint },
  }
}

/** `file:///var/lib/media`, or from where the process runs: `file:./.data/media`. */
function folderAt(given: string): MediaAddress | undefined {
  const path = given.startsWith('file:/') ? absolutePath(given) : resolve(given.slice('file:'.length))
  return path === undefined ? undefined : { kind: 'folder', path }
}

function absolutePath(given: string): string | undefined {
  try {
    return fileURLToPath(given)
  } catch {
    return undefined
  }
}
