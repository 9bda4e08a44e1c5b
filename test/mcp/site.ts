import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { testApp } from '../../testkit/app.ts'
import { testDatabase } from '../../testkit/database.ts'
import {
  makeDraft,
  makePiece,
  makeProduct,
  makeProductDraft,
  makeWriter,
  withdrawProduct,
} from '../../testkit/factories.ts'
import { checkedInject, type Inject } from '../../testkit/openapi.ts'

/** A site with content, and a client for its tools. */

export const base = 'https://site.test'

export type Headers = Readonly<Record<string, string>>
export interface Asked {
  readonly id?: unknown
  readonly headers?: Headers
}

// biome-ignore lint/suspicious/noExplicitAny: what a test only looks into need not be named
export type Json = any

interface Rpc {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
  readonly json: Json
}

/** A client of the public tool server, or of another one, with default headers. */
export function asking(app: { inject: Inject }, url = '/api/mcp', always: Headers = {}) {
  const ask = checkedInject(app)
  /** Sends raw bytes as a plain client does. */
  const post = async (payload: string | Buffer, headers: Headers = {}): Promise<Rpc> => {
    const answer = await ask({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', accept: '*/*', ...always, ...headers },
      payload,
    })
    const { statusCode: status, body } = answer
    return { status, headers: answer.headers, body, json: body === '' ? undefined : JSON.parse(body) }
  }
  const rpc = (method: string, params?: unknown, { id = 1, headers }: Asked = {}): Promise<Rpc> =>
    post(JSON.stringify({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) }), headers)
  const result = async (method: string, params?: unknown): Promise<Json> => {
    const { status, json } = await rpc(method, params)
    assert.equal(status, 200)
    assert.ok(json.result, JSON.stringify(json))
    return json.result
  }
  const call = (name: string, given: unknown = {}): Promise<Json> => result('tools/call', { name, arguments: given })
  const rest = async (path: string): Promise<Json> => (await ask(path)).json()
  return { ask, post, rpc, result, call, rest }
}

interface Furnished {
  readonly url: string
  readonly admin: pg.Pool
  readonly pieces: readonly string[]
  readonly products: readonly string[]
  readonly draft: string
  readonly withdrawn: string
}

/** Two writers, pieces with reads, listings, and unpublished ones of each. */
export async function furnish(): Promise<Furnished> {
  const { url, admin } = await testDatabase()
  const ada = await makeWriter(admin, {
    slug: 'ada-okafor',
    name: 'Ada Okafor',
    bio: 'Writes of slow tea and bread.',
    role: 'Baker',
    niche: 'tea',
    website: 'https://ada.example',
    verified: true,
  })
  const bo = await makeWriter(admin, { slug: 'bo', name: '100% Bo ⚡', bio: 'Bread, mostly.' })
  const pieces: string[] = []
  for (let number = 0; number < 26; number += 1) {
    const writer = number % 3 ? ada : bo
    const given = {
      headline: number % 5 ? `On tea, part ${number}` : `Brot und "Tee" №${number} 茶`,
      sub: number % 2 ? 'About tea.' : null,
      body_md: `A cup of **tea**, ${number}.\n\n> Slowly 🏴󠁧󠁢󠁥󠁮󠁧󠁿.\n\n${'Tea again. '.repeat(number)}`,
      category: number % 4 ? 'life' : 'civic',
      tags: number % 2 ? ['tea', 'slow'] : [],
      ...(number === 7 ? { externalUrl: 'https://elsewhere.example/tea' } : {}),
    }
    pieces.push(await makePiece(admin, writer, { ...given, publishedAt: new Date(Date.UTC(2026, 0, 1 + number)) }))
  }
  const draft = await makeDraft(admin, ada, { headline: 'Tea, unfinished', body_md: 'Secret tea.' })
  const read = pieces.slice(0, 14)
  const marks = () => read.map(() => randomUUID())
  await admin.query("select pub.add_reads((now() at time zone 'UTC')::date, $1, $2, $3, $4, $5, 60, 5)", [
    marks(),
    read,
    read.map(() => null),
    marks(),
    marks(),
  ])
  await admin.query('select app.score_trending()')
  const products: string[] = []
  for (let number = 0; number < 12; number += 1) {
    products.push(
      await makeProduct(admin, number % 2 ? ada : bo, {
        name: `A book of tea ${number}`,
        summary: number % 3 ? 'Tea in twelve chapters.' : null,
        price: number % 3 ? { amount: '19.00', currency: 'EUR' } : null,
        related: number % 2 ? pieces.slice(1, 3) : [],
      }),
    )
  }
  const withdrawn = await makeProduct(admin, ada, { name: 'A withdrawn teapot' })
  await withdrawProduct(admin, ada, withdrawn)
  await makeProductDraft(admin, ada, { name: 'An unfinished teapot' })
  return { url, admin, pieces, products, draft, withdrawn }
}

/** The server as shipped, listening on a free port. */
export async function listening(
  url: string,
  env: Record<string, string> = {},
): Promise<{ app: FastifyInstance; base: string; endpoint: string }> {
  const app = await testApp(url, env)
  const at = await app.listen({ host: '127.0.0.1', port: 0 })
  return { app, base: at, endpoint: `${at}/api/mcp` }
}
