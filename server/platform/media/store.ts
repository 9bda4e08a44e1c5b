import { createHash, createHmac, randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { fileURLToPath } from 'node:url'
import { type AccessSource, accessFrom, instanceEndpoint } from './aws-credentials.ts'

/**
 * Content-addressed storage: what is stored under a hash never changes, and putting it twice has no effect. A key is the
 * hash, or the hash and what was derived from it, such as `{hash}.640.avif`.
 */
export interface MediaStore {
  put(key: string, bytes: Buffer, type: string): Promise<void>
  get(key: string): Promise<Readable | undefined>
  delete(key: string): Promise<void>
}

/** Where media are stored, from `MEDIA_URL`. */
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

/** Undefined if invalid. */
export function readMediaUrl(given: string): MediaAddress | undefined {
  if (given.startsWith('file:')) return folderAt(given)
  if (!given.startsWith('s3://') || !URL.canParse(given)) return undefined
  // Parsed as http, to get a host and a port whatever the parser does with s3.
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

/** `file:///var/lib/media`, or relative to the working directory: `file:./.data/media`. */
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

const isAbsent = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

/** A local folder, as `ab/cd/abcd…`, so that no directory grows large. */
export function folderStore(folder: string): MediaStore {
  const placeOf = (key: string): string => {
    // It becomes a path, so nothing else is allowed.
    if (!/^[0-9a-f]{64}(?:\.\d{1,4}\.(?:webp|avif))?$/.test(key)) throw new Error('not the hash of anything')
    return join(folder, key.slice(0, 2), key.slice(2, 4), key)
  }
  return {
    /** Atomic, even on power loss: written to a temporary file, then renamed. */
    async put(key, bytes) {
      const place = placeOf(key)
      await mkdir(dirname(place), { recursive: true, mode: 0o700 })
      const unfinished = `${place}.${randomUUID()}`
      try {
        const file = await open(unfinished, 'wx', 0o600)
        try {
          await file.writeFile(bytes)
          await file.sync()
        } finally {
          await file.close()
        }
        await rename(unfinished, place)
      } catch (error) {
        await rm(unfinished, { force: true })
        throw error
      }
    },

    async get(key) {
      try {
        const file = await open(placeOf(key))
        return file.createReadStream()
      } catch (error) {
        if (isAbsent(error)) return undefined
        throw error
      }
    },

    async delete(key) {
      await rm(placeOf(key), { force: true })
    },
  }
}

/** AWS Signature Version 4 in headers, for any S3 API. */

export interface Signing {
  readonly method: string
  readonly url: URL
  readonly region: string
  readonly key: string
  readonly secret: string
  /** Session token of a role. */
  readonly token?: string | undefined
  /** SHA-256 of the body, in hex. */
  readonly bodyHash: string
  readonly at: Date
  /** Further headers to sign. */
  readonly headers?: Readonly<Record<string, string>>
}

const hashOfNothing = createHash('sha256').digest('hex')

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** All headers of the request except Host, which the client adds. */
export function signed({ method, url, region, key, secret, token, bodyHash, at, headers = {} }: Signing) {
  const time = at.toISOString().replace(/[-:]|\.\d{3}/g, '')
  const day = time.slice(0, 8)
  const all: Record<string, string> = {
    ...headers,
    'x-amz-content-sha256': bodyHash,
    'x-amz-date': time,
    ...(token ? { 'x-amz-security-token': token } : {}),
  }
  const lines = Object.entries({ ...all, host: url.host }).sort(([one], [other]) => (one < other ? -1 : 1))
  const names = lines.map(([name]) => name).join(';')
  const request = [
    method,
    url.pathname,
    url.searchParams.toString(),
    ...lines.map(([name, value]) => `${name}:${value}`),
    '',
    names,
    bodyHash,
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', time, scope, createHash('sha256').update(request).digest('hex')].join('\n')
  const signingKey = [region, 's3', 'aws4_request'].reduce(hmac, hmac(`AWS4${secret}`, day))
  const signature = hmac(signingKey, toSign).toString('hex')
  return {
    ...all,
    authorization: `AWS4-HMAC-SHA256 Credential=${key}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  }
}

type Bucket = Extract<MediaAddress, { kind: 's3' }>

/** Less than the time limits of a desk request and of an idle transaction. */
const longestPut = 6_000
const longestAnswer = 4_000

/** A bucket with an S3 API, in path style: `{endpoint}/{bucket}/{key}`. */
function s3Store({ endpoint, bucket, region, access }: Bucket): MediaStore {
  const keys = accessFrom(access)
  async function ask(method: string, key: string, sent?: { bytes: Buffer; type: string }): Promise<Response> {
    const url = new URL(`${endpoint}/${bucket}/${key}`)
    const headers = signed({
      method,
      url,
      region,
      ...(await keys()),
      bodyHash: sent ? createHash('sha256').update(sent.bytes).digest('hex') : hashOfNothing,
      at: new Date(),
      ...(sent ? { headers: { 'content-type': sent.type } } : {}),
    })
    const patience = new AbortController()
    const timer = setTimeout(() => patience.abort(), sent ? longestPut : longestAnswer)
    try {
      return await fetch(url, {
        method,
        headers,
        redirect: 'error',
        signal: patience.signal,
        ...(sent ? { body: new Uint8Array(sent.bytes) } : {}),
      })
    } finally {
      // From here on the client's reading speed decides.
      clearTimeout(timer)
    }
  }

  return {
    async put(key, bytes, type) {
      await done(await ask('PUT', key, { bytes, type }), 'take')
    },
    async get(key) {
      const answer = await ask('GET', key)
      if (answer.status === 404) {
        await answer.body?.cancel()
        return undefined
      }
      if (!answer.ok || !answer.body) throw await failed(answer, 'give')
      return Readable.fromWeb(answer.body as ReadableStream)
    },
    async delete(key) {
      const answer = await ask('DELETE', key)
      if (answer.status !== 404) await done(answer, 'delete')
      else await answer.body?.cancel()
    },
  }
}

async function done(answer: Response, act: string): Promise<void> {
  if (!answer.ok) throw await failed(answer, act)
  await answer.body?.cancel()
}

/** The error code of the XML response, for the log. */
async function failed(answer: Response, act: string): Promise<Error> {
  const code = /<Code>(\w{1,60})<\/Code>/.exec((await answer.text()).slice(0, 2_000))?.[1] ?? ''
  return new Error(`the media store did not ${act} it: ${answer.status} ${code}`.trim())
}

export const openMediaStore = (address: MediaAddress): MediaStore =>
  address.kind === 'folder' ? folderStore(address.path) : s3Store(address)
