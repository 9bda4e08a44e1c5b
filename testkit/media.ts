import type { FastifyInstance, InjectOptions } from 'fastify'
import sharp from 'sharp'
import type { MadeWriter } from './factories.ts'
import { temporaryFolder } from './files.ts'
import { until } from './waiting.ts'

/** Test images, and users who upload them. */

/** A folder for this test file alone, as `MEDIA_URL` says it. */
export function mediaFolder(): { path: string; url: string } {
  const path = temporaryFolder()
  return { path, url: `file://${path}` }
}

/** A unique image: no two numbers give the same bytes. */
export const photograph = (number: number, { width = 640, height = 480 } = {}): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#d8c8a8' } })
    .composite([
      { input: { create: { width: 1 + (number % 251), height: 1 + (number % 241), channels: 3, background: '#345' } } },
    ])
    .jpeg()
    .toBuffer()

export interface Uploader {
  send(method: 'POST' | 'PUT', path: string, bytes: Buffer, type?: string): ReturnType<typeof asked>
  get(path: string): ReturnType<typeof asked>
  /** Uploads it, and answers with its hash. */
  upload(bytes: Buffer): Promise<string>
  /** Makes it the portrait, and answers with its address. */
  setPortrait(bytes: Buffer): Promise<string>
}

const asked = (app: FastifyInstance, options: InjectOptions) => app.inject(options)

export function uploaderOf(app: FastifyInstance, { sessionToken }: MadeWriter): Uploader {
  const headers = { cookie: `__Host-desk=${sessionToken}`, 'sec-fetch-site': 'same-origin' }
  const send: Uploader['send'] = (method, path, bytes, type = 'image/jpeg') =>
    asked(app, {
      method,
      url: `/desk/api/${path}`,
      headers: { ...headers, 'content-type': type },
      payload: bytes,
    })
  const accepted = (method: 'POST' | 'PUT', path: string, bytes: Buffer) =>
    until(async () => {
      const answer = await send(method, path, bytes)
      // A busy machine had no time for it.
      if (answer.statusCode === 503 || answer.statusCode === 413) return false
      if (answer.statusCode >= 300) throw new Error(`not uploaded: ${answer.statusCode} ${answer.body}`)
      return answer.json()
    }, `${path} takes a picture`)
  return {
    send,
    get: (path) => asked(app, { method: 'GET', url: path, headers }),
    upload: async (bytes) => (await accepted('POST', 'media', bytes)).media.hash,
    setPortrait: async (bytes) => (await accepted('PUT', 'profile/avatar', bytes)).avatar_url,
  }
}
