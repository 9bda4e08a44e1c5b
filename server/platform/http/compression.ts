import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply } from 'fastify'
import { createLru } from '../lru.ts'

export type Encoding = 'br' | 'gzip'

/** Below this, headers and the work outweigh what is saved. */
const least = 1_024

/** Text for people and readers of feeds. Answers of the API are left to the edge. */
const texts =
  /^(?:text\/(?:html|css|plain|markdown|xml|javascript)|application\/(?:feed\+json|rss\+xml|xml|javascript)|image\/svg\+xml)\b/

export const isWorthCompressing = (reply: FastifyReply, length: number): boolean =>
  length >= least && texts.test(String(reply.getHeader('content-type') ?? ''))

export function varyBy(reply: FastifyReply, name: string): void {
  const named = reply.getHeader('vary')
  reply.header('vary', named ? `${named}, ${name}` : name)
}

/** The best of what a client says it can read. */
export function encodingFor(accepted: string | undefined): Encoding | undefined {
  if (!accepted) return undefined
  const welcome = new Set(
    accepted
      .split(',')
      .map((one) => one.trim().toLowerCase())
      .filter((one) => !/;\s*q=0(?:\.0*)?\s*$/.test(one))
      .map((one) => one.split(';')[0]!.trim()),
  )
  if (welcome.has('br')) return 'br'
  return welcome.has('gzip') ? 'gzip' : undefined
}

interface Wanted {
  /** Of the text, so that what is read often is compressed once. */
  readonly digest: string
  readonly encoding: Encoding
  /** Kept by browsers for a year: worth the last byte. */
  readonly forLong: boolean
}

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

/** Of a page of 15 kB: Brotli at 5 takes 0.6 ms in a thread and leaves 5 kB, at 11 it would take 25 ms for 4.6 kB. */
function compressed(text: string | Buffer, { encoding, forLong }: Wanted): Promise<Buffer> {
  if (encoding === 'gzip') return toGzip(text, { level: forLong ? 9 : 6 })
  return toBrotli(text, {
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_QUALITY]: forLong ? 11 : 5,
      [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
    },
  })
}

/** Bytes of compressed answers that a process keeps: some thousand pages. */
const kept = createLru<Buffer>(16 * 1024 * 1024)

export async function compress(text: string | Buffer, wanted: Wanted): Promise<Buffer> {
  const key = `${wanted.encoding} ${wanted.digest}`
  const known = kept.get(key)
  if (known) return known
  const bytes = await compressed(text, wanted)
  kept.set(key, bytes, bytes.length)
  return bytes
}
