import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import { type Credential, credentials } from './site.ts'

/** Requests to every route, by every kind of caller, with plausible and implausible bodies. */

export interface ProofRequest {
  readonly route: Route
  readonly credential: Credential
  readonly method: string
  readonly piece: number
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  /** `CANARY` is replaced by the caller's own canary. */
  readonly body: string | undefined
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

const wish = fc.constantFrom('approved', 'draft', 'pending', true, 1, null)
const line = fc.oneof(fc.string({ maxLength: 60 }), fc.string({ unit: 'grapheme', maxLength: 40 }))

/** What a client would send to have a piece published at once. */
const wishes = fc.record(
  {
    status: wish,
    editor_status: wish,
    published: wish,
    published_at: fc.constantFrom('2026-01-01T00:00:00Z', null, 0),
    first_published_at: fc.constant('2026-01-01T00:00:00Z'),
    review_required: fc.boolean(),
    slug: fc.constantFrom('a-slug', null),
    writer_id: fc.uuid(),
    id: fc.uuid(),
    revision: fc.integer(),
  },
  { requiredKeys: [] },
)

const piece = fc.record(
  {
    headline: line,
    sub: fc.oneof(line, fc.constant(null)),
    body_md: fc.oneof(
      fc.constant('Mine alone: CANARY.'),
      line.map((text) => `${text} CANARY`),
    ),
    category: fc.constantFrom('building', 'life', 'civic', 'nothing'),
    tags: fc.array(fc.string({ maxLength: 35 }), { maxLength: 9 }),
    frame: fc.constantFrom('lesson', 'origin', 'x'),
    style: line,
    locale: fc.constantFrom('en', 'pt-BR', '!'),
    external_url: fc.constantFrom('https://a.example/b', 'javascript:alert(1)', null),
  },
  { requiredKeys: ['headline', 'body_md'] },
)

const legalPiece = fc.record(
  {
    headline: line.map((text) => `A headline ${text.replace(/[\u0000-\u001f\ud800-\udfff]/g, '')}`),
    body_md: fc.constant('Mine alone: CANARY.'),
    category: fc.constantFrom('building', 'life', 'civic'),
    tags: fc.array(fc.constantFrom('tea', 'slow', 'work'), { maxLength: 4 }),
  },
  { requiredKeys: ['headline', 'body_md'] },
)

/** No canary in the name: in a profile it would be public at once, legitimately. */
const listing = fc.record(
  {
    name: fc.constantFrom('A notebook', 'A lamp'),
    payment_url: fc.constantFrom('https://pay.example/CANARY', 'https://pay.example/', 'http://a.example'),
    summary: fc.constantFrom('Mine alone: CANARY.', null),
    description: fc.constantFrom('Mine alone: CANARY.', null),
    price: fc.constantFrom({ amount: '19', currency: 'EUR' }, null, 19),
    ids: fc.constantFrom([]),
  },
  { requiredKeys: ['name', 'payment_url'] },
)

/** No canary in it either: what a writer saves of a series with public pieces is public at once. */
const series = fc.record({
  title: fc.constant('A series'),
  description: fc.constantFrom('In order.', null),
  pieces: fc.constantFrom([], ['PIECE']),
  revision: fc.constantFrom(null, 1, 2),
})

const acts = fc.record(
  {
    nonce: fc.oneof(fc.base64String({ minLength: 1, maxLength: 60 }), fc.constant('')),
    note: line,
    reason: line,
    to: fc.constantFrom('rejected', 'changes_requested', 'approved'),
    outcome: fc.constantFrom('reversed', 'upheld'),
    category: fc.constantFrom('spam', 'illegal', 'nothing'),
    text: fc.constant('It is mine: CANARY.'),
    name: line,
    token: line,
    email: fc.constantFrom('a@site.test', 'b@site.test'),
    at: fc.constantFrom('2020-01-01T00:00:00Z', '2999-01-01T00:00:00Z', new Date(Date.now() + 3_600_000).toISOString()),
  },
  { requiredKeys: [] },
)

/** Host names that do not resolve; no worker runs during these requests. */
const webhook = fc.record(
  {
    url: fc.constantFrom('https://hook.example.org/CANARY', 'https://hook.example.org/', 'http://127.0.0.1/'),
    keep_hours: fc.constantFrom(0, 24, 168),
    force: fc.boolean(),
    from: fc.constant('2020-01-01T00:00:00Z'),
  },
  { requiredKeys: ['url'] },
)

/** In lower case, so that an answer that repeats the query does not count as a canary. */
const message = fc
  .record({
    method: fc.constantFrom('tools/call', 'tools/call', 'resources/read', 'completion/complete', 'prompts/get'),
    params: fc.record(
      {
        name: fc.constantFrom(
          'get_piece',
          'search_pieces',
          'recent_pieces',
          'get_product',
          'search_products',
          'author_brief',
        ),
        arguments: fc.record(
          { id: fc.constantFrom('PIECE', 'urn:uuid:PIECE'), query: fc.constantFrom('canary', 'only for me') },
          { requiredKeys: [] },
        ),
        uri: fc.constantFrom('https://site.test/api/public/pieces/PIECE', 'https://site.test/llms.txt'),
      },
      { requiredKeys: [] },
    ),
  })
  .map((asked) => JSON.stringify({ jsonrpc: '2.0', id: 1, ...asked }))

/** Calls of the draft tools, with and without extra arguments that ask to publish. */
const draftCall = fc
  .record({
    name: fc.constantFrom('create_draft', 'update_draft', 'get_draft', 'list_my_pieces', 'publish'),
    text: fc.oneof(legalPiece, piece),
    wished: fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, wishes),
    revision: fc.integer({ min: 0, max: 3 }),
  })
  .map(({ name, text, wished, revision }) => {
    const one = { id: 'PIECE' }
    const given = {
      create_draft: text,
      update_draft: { ...one, ...text, revision },
      get_draft: one,
      list_my_pieces: {},
      publish: one,
    }[name]
    const params = { name, arguments: { ...given, ...wished } }
    return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  })

/** Some of them, as bodies: `CANARY` and `PIECE` are replaced as in every request. */
export const draftCalls = (count: number, seed: number): string[] => fc.sample(draftCall, { numRuns: count, seed })

const body = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(legalPiece, wishes).map(([text, more]) => JSON.stringify({ ...text, ...more })) },
  { weight: 2, arbitrary: fc.tuple(piece, wishes).map(([text, more]) => JSON.stringify({ ...text, ...more })) },
  { weight: 2, arbitrary: fc.tuple(listing, wishes).map(([text, more]) => JSON.stringify({ ...text, ...more })) },
  { weight: 1, arbitrary: fc.tuple(series, wishes).map(([text, more]) => JSON.stringify({ ...text, ...more })) },
  { weight: 3, arbitrary: fc.tuple(acts, wishes).map(([text, more]) => JSON.stringify({ ...text, ...more })) },
  { weight: 1, arbitrary: webhook.map((asked) => JSON.stringify(asked)) },
  { weight: 2, arbitrary: message },
  { weight: 2, arbitrary: draftCall },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: fc.string() },
  { weight: 1, arbitrary: fc.constant(undefined) },
)

const query = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  fc.constantFrom(
    '?q=CANARY',
    '?q=only',
    '?limit=50',
    '?status=draft',
    '?status=approved&editor_status=approved',
    '?published=true',
  ),
)

const extras = fc.record(
  {
    'if-match': fc.constantFrom('*', '"1"', '"2"'),
    'idempotency-key': fc.integer({ min: 0, max: 300 }).map(String),
    'x-http-method-override': fc.constantFrom('PUT', 'POST'),
    'sec-fetch-site': fc.constantFrom('cross-site', 'same-site', 'none'),
    origin: fc.constantFrom('https://site.test', 'https://elsewhere.test'),
  },
  { requiredKeys: [] },
)

/** Routes that can change something get more requests than routes that only read. */
const weightOf = ({ method, url }: Route): number =>
  method === 'GET'
    ? 3
    : method === 'HEAD' || method === 'OPTIONS'
      ? 1
      : /pieces|products|series|review|decisions|mcp/.test(url)
        ? 12
        : 4

const made = fc.record({ piece: fc.nat({ max: 40 }), query, headers: extras, body })
type Made = typeof made extends fc.Arbitrary<infer Value> ? Value : never

/** From this number of requests on, every combination is included. */
const many = 50_000

/**
 * First every method of every route by every kind of caller, once; then random requests to the routes that accept
 * input, one in ten with a random method. Where there are few requests, methods that a route does not
 * take are asked for by one kind of caller in turn: two thirds of all there are would otherwise be answered 405.
 */
export function requestsTo(
  routes: readonly Route[],
  open: readonly Route[],
  count: number,
  seed: number,
): ProofRequest[] {
  const taken = new Set(open)
  const everyone = routes.flatMap((route, place) =>
    credentials
      .filter((_, turn) => count >= many || taken.has(route) || turn === place % credentials.length)
      .map((credential) => ({ route, credential, method: route.method })),
  )
  const some = fc
    .record({
      route: fc.constantFrom(...open.flatMap((route) => Array<Route>(weightOf(route)).fill(route))),
      credential: fc.constantFrom(...credentials),
      other: fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, fc.constantFrom(...methods)),
    })
    .map(({ route, credential, other }) => ({ route, credential, method: other === null ? route.method : other }))
  const chosen = [...everyone, ...fc.sample(some, { numRuns: Math.max(count - everyone.length, 0), seed })].slice(
    0,
    Math.max(count, everyone.length),
  )
  const bodies: Made[] = fc.sample(made, { numRuns: chosen.length, seed })
  return chosen.map((who, index) => ({ ...who, ...bodies[index]! }))
}

export interface Route {
  readonly method: string
  readonly url: string
}

/** Every registered route, read from the router, so that new routes are included automatically. */
export function routesOf(app: FastifyInstance): Route[] {
  const routes: Route[] = []
  const trail: string[] = []
  for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent = '', path = '', methods] = /^([│├└─\s]*)(\S*)(?: \(([A-Z, ]+)\))?/.exec(line) ?? []
    const depth = Math.round(indent.length / 4)
    trail.splice(Math.max(depth - 1, 0), trail.length, path)
    for (const method of methods?.split(', ') ?? []) routes.push({ method, url: trail.join('') })
  }
  return routes
}
