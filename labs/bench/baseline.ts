import { randomUUID } from 'node:crypto'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import fastify from 'fastify'
import pg from 'pg'
import { statements as authorStatements } from '../../server/features/authors/queries.ts'
import { presentAuthor, presentAuthorHit } from '../../server/features/authors/reads.ts'
import { Author, AuthorFound, AuthorHit, AuthorHits } from '../../server/features/authors/schema.ts'
import { statements as listStatements, newest } from '../../server/features/pieces/list-queries.ts'
import { presentListItem, presentPiece } from '../../server/features/pieces/present.ts'
import { statements } from '../../server/features/pieces/queries.ts'
import {
  type Category,
  Piece,
  PieceFound,
  PieceHit,
  PieceList,
  PieceListItem,
} from '../../server/features/pieces/schema.ts'
import { urlsFor } from '../../server/features/urls.ts'
import { containing, type Statement } from '../../server/platform/db/statement.ts'
import { ports } from './servers.ts'

/**
 * The engine bare: Fastify, pg, the same prepared statement, the same presenter and serialiser, and nothing else.
 * `node labs/bench/baseline.ts <port> <database url> <connections>`; /constant sends fixed bytes.
 */

const [port, url, connections] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: url!, max: Number(connections), options: '-c role=svc_public -c jit=off' })
const searchPool = new pg.Pool({
  connectionString: url!,
  max: 4,
  options: '-c role=svc_public -c jit=off -c enable_seqscan=off',
})
/** Connects as owner, without row security: only the INSERT is measured. */
const writingPool = new pg.Pool({ connectionString: url!, max: Number(connections), options: '-c jit=off' })
const urls = urlsFor('http://127.0.0.1')

async function ask<Parameters, Row>(statement: Statement<Parameters, Row>, parameters: Parameters): Promise<Row[]> {
  const { name, text } = statement
  const { rows } = await pool.query({ name, text, values: statement.values(parameters) })
  return rows as Row[]
}

const routes: FastifyPluginAsyncTypebox = async (app) => {
  for (const shape of [Author, AuthorHit, Piece, PieceListItem, PieceHit]) app.addSchema(shape)

  const constant = Buffer.from(JSON.stringify({ ok: true, text: 'x'.repeat(2_000) }))
  app.get('/constant', async (_request, reply) => reply.type('application/json; charset=utf-8').send(constant))

  const { rows: writers } = await pool.query<{ id: string }>('select id from pub.authors limit 1')
  app.post<{ Body: { headline: string; sub: string; body_md: string; category: string; tags: string[] } }>(
    '/api/v1/pieces',
    async (request, reply) => {
      const { headline, sub, body_md, category, tags } = request.body
      const { rows } = await writingPool.query({
        name: 'insert_piece',
        text: `insert into app.pieces (id, writer_id, headline, sub, body_md, category, tags, frame, style, locale, fields)
               values ($1, $2, $3, $4, $5, $6, $7, 'lesson', 'essay', 'en', '{}') returning id, created_at`,
        values: [randomUUID(), writers[0]?.id, headline, sub, body_md, category, tags],
      })
      return reply.code(201).send({ ok: true, id: rows[0].id, status: 'draft', created_at: rows[0].created_at })
    },
  )

  app.get<{ Params: { id: string } }>(
    '/api/public/pieces/:id',
    { schema: { response: { 200: PieceFound } } },
    async (request) => {
      const [row] = await ask(statements.pieceById, { id: request.params.id })
      return { ok: true as const, piece: presentPiece(row!, urls) }
    },
  )

  /** The site's own answer, fetched once: the bytes of a feed or page without the work of rendering it. */
  const stored = new Map<string, Buffer>()
  const storedAt = async (path: string): Promise<Buffer> => {
    const bytes = stored.get(path) ?? Buffer.from(await (await fetch(`http://127.0.0.1:${ports.ours}${path}`)).bytes())
    stored.set(path, bytes)
    return bytes
  }

  app.get<{ Params: { slug: string } }>('/author/:slug/feed.json', async (request, reply) => {
    const [author] = await ask(authorStatements.authorBySlug, { slug: request.params.slug })
    const authorId = author!.id
    await ask(listStatements.editionPages({ authorId }), { ...newest, limit: 31, authorId })
    return reply.type('application/feed+json').send(await storedAt(request.url))
  })

  app.get<{ Params: { author: string; slug: string } }>('/author/:author/:slug', async (request, reply) => {
    const [piece] = await ask(statements.pieceByAddress, request.params)
    await Promise.all([
      ask(authorStatements.authorBySlug, { slug: request.params.author }),
      ask(listStatements.recentPages({ authorId: piece!.author_id }), {
        ...newest,
        limit: 5,
        authorId: piece!.author_id,
      }),
    ])
    return reply.type('text/html; charset=utf-8').send(await storedAt(request.url))
  })

  app.get<{ Querystring: { category?: Category; limit?: string } }>(
    '/api/public/pieces/recent',
    { schema: { response: { 200: PieceList } } },
    async (request) => {
      const { category, limit = '20' } = request.query
      const place = { ...newest, limit: Number(limit) + 1 }
      const rows = await ask(listStatements.recentPages({ category }), { ...place, category })
      const items = rows.slice(0, -1).map((row) => presentListItem(row, urls))
      return { ok: true as const, category: category ?? null, count: items.length, items, next_cursor: 'x' }
    },
  )

  app.get<{ Params: { slug: string } }>(
    '/api/public/authors/:slug',
    { schema: { response: { 200: AuthorFound } } },
    async (request) => {
      const [row] = await ask(authorStatements.authorBySlug, { slug: request.params.slug })
      return { ok: true as const, author: presentAuthor(row!, urls) }
    },
  )

  app.get<{ Querystring: { q: string } }>(
    '/api/public/authors/search',
    { schema: { response: { 200: AuthorHits } } },
    async (request) => {
      const { text } = authorStatements.searchAuthors
      const values = authorStatements.searchAuthors.values({
        like: containing(request.query.q),
        verified: true,
        count: 2_147_483_647,
        slug: '',
        limit: 11,
      })
      const { rows } = await searchPool.query({ text, values })
      const results = rows.slice(0, 10).map((row) => presentAuthorHit(row, urls))
      return { ok: true as const, query: request.query.q, count: results.length, results, next_cursor: null }
    },
  )
}

const app = fastify()
await app.register(routes)
await app.listen({ port: Number(port), host: '127.0.0.1' })
