import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { testApp } from '../../testkit/app.ts'
import { asking, base, furnish, type Json } from './site.ts'

/** Each tool returns what its REST route returns, repeatedly, and matches its output schema. */

const { url, pieces, products, draft, withdrawn } = await furnish()
const { call, rest, result } = asking(await testApp(url))

const ajv = new Ajv({ strict: false, allErrors: true })
addFormats.default(ajv)
const { tools } = await result('tools/list')
const answersOf = new Map(tools.map(({ name, outputSchema }: Json) => [name, ajv.compile(outputSchema)]))
const takesOf = new Map(tools.map(({ name, inputSchema }: Json) => [name, ajv.compile(inputSchema)]))

async function same(tool: string, given: object, path: string): Promise<Json> {
  const answer = await call(tool, given)
  assert.equal(answer.isError, false, JSON.stringify(answer))
  const body = await rest(path)
  assert.deepEqual(answer.structuredContent, body)
  assert.deepEqual(answer.content, [{ type: 'text', text: JSON.stringify(body) }])
  const validate = answersOf.get(tool) as ReturnType<typeof ajv.compile>
  assert.ok(validate(body), JSON.stringify(validate.errors))
  const takes = takesOf.get(tool) as ReturnType<typeof ajv.compile>
  assert.ok(takes(given), JSON.stringify(takes.errors))
  return body
}

const query = (given: Readonly<Record<string, unknown>>): string => {
  const { query: q, ...others } = given
  const all = { ...(q === undefined ? {} : { q }), ...others }
  return new URLSearchParams(
    Object.entries(all).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()
}

const lists: readonly [string, string, readonly object[]][] = [
  [
    'search_authors',
    '/api/public/authors/search',
    [
      { query: 'tea' },
      { query: '  BREAD ' },
      { query: 'nobody at all' },
      { query: '%', limit: 50 },
      { query: 'o', limit: 1 },
    ],
  ],
  [
    'recent_pieces',
    '/api/public/pieces/recent',
    [{}, { limit: 1 }, { limit: 100 }, { category: 'life' }, { category: 'society', limit: 3 }],
  ],
  [
    'search_pieces',
    '/api/public/pieces/search',
    [
      { query: 'tea' },
      { query: 'slowly', limit: 100 },
      { query: '茶', category: 'civic' },
      { query: '"Tee"' },
      { query: 'part 1', limit: 2 },
    ],
  ],
  [
    'trending_pieces',
    '/api/public/pieces/trending',
    [{}, { window: '24h' }, { window: '30d', limit: 50 }, { category: 'life', limit: 2 }],
  ],
  [
    'search_products',
    '/api/public/products/search',
    [
      {},
      { query: 'tea' },
      { query: 'chapters', limit: 50 },
      { seller: 'bo' },
      { seller: 'nobody' },
      { query: 'book', seller: 'ada-okafor', limit: 1 },
    ],
  ],
]

for (const [tool, path, questions] of lists) {
  describe(`${tool} is ${path}`, () => {
    for (const given of questions)
      test(`for ${JSON.stringify(given)}, page by page`, async () => {
        let cursor: string | null = null
        let seen = 0
        do {
          const asked: Json = cursor === null ? given : { ...given, cursor }
          const body = await same(tool, asked, `${path}?${query(asked)}`)
          seen += body.count
          cursor = body.next_cursor
        } while (cursor !== null && seen < 60)
      })
  })
}

describe('get_author', () => {
  for (const slug of ['ada-okafor', 'bo'])
    test(`of ${slug} is the author`, () => same('get_author', { slug }, `/api/public/authors/${slug}`))
})

describe('get_piece', () => {
  test('of each piece is the piece', async () => {
    for (const id of pieces) await same('get_piece', { id }, `/api/public/pieces/${id}`)
  })
  test('takes every address of it that a list gives', async () => {
    // The second one's address has a Chinese character.
    for (const id of [pieces[2]!, pieces[5]!]) {
      const { piece } = await rest(`/api/public/pieces/${id}`)
      for (const given of [
        id.toUpperCase(),
        `urn:uuid:${id}`,
        piece.id,
        piece.url,
        decodeURI(piece.url),
        `${base}/api/public/pieces/${id}`,
        ` ${id} `,
      ])
        await same('get_piece', { id: given, format: 'full' }, `/api/public/pieces/${id}`)
    }
  })
  test('as text leaves out the HTML and nothing else', async () => {
    const { structuredContent } = await call('get_piece', { id: pieces[0], format: 'text' })
    const { piece } = await rest(`/api/public/pieces/${pieces[0]}`)
    assert.deepEqual(structuredContent, { ok: true, piece: { ...piece, content_html: null } })
  })
})

describe('get_product', () => {
  test('of each listing is the listing, by id and by address', async () => {
    for (const id of products) {
      const { product } = await same('get_product', { id }, `/api/public/products/${id}`)
      await same('get_product', { id: product.url }, `/api/public/products/${id}`)
    }
  })
})

describe('what a tool cannot answer is a sentence that says what to call next', () => {
  const failures: readonly [string, object, RegExp][] = [
    [
      'get_author',
      { slug: 'nope' },
      /^No author has the slug "nope"\. Call search_authors with part of the name to find the right slug\.$/,
    ],
    [
      'get_piece',
      { id: 'nope' },
      /^No published piece has the id "nope"\. It may be a draft or withdrawn\. Call search_pieces or recent_pieces to get a valid id\.$/,
    ],
    ['get_piece', { id: draft }, /^No published piece has the id "[-0-9a-f]{36}"\. It may be/],
    [
      'get_product',
      { id: withdrawn },
      /^No shop listing has the id "[-0-9a-f]{36}"\. Call search_products to get a valid id\.$/,
    ],
    ['get_product', { id: `${base}/shop/no-such` }, /^No shop listing has the id /],
    ['get_author', { slug: 'x'.repeat(100) }, /^No author has the slug "x{79}…"\./],
    [
      'search_pieces',
      { q: 'tea' },
      /^Invalid arguments for search_pieces: query is required; unknown argument "q" \(allowed: query, category, limit, cursor\)\.$/,
    ],
    [
      'search_pieces',
      { query: 'a', category: 'x' },
      /: category must be one of building, leading, culture, money, life, civic, ideas, society\.$/,
    ],
    ['search_pieces', { query: '' }, /: query must have at least one visible character\.$/],
    ['search_pieces', { query: ' \u200B ' }, /: query must have at least one visible character\.$/],
    ['search_pieces', { query: 'x'.repeat(201) }, /: query must have at most 200 characters\.$/],
    ['search_pieces', { query: 5 }, /: query must be of type string\.$/],
    ['recent_pieces', { limit: 101 }, /: limit must be a whole number from 1 to 100\.$/],
    ['recent_pieces', { limit: 0 }, /: limit must be a whole number from 1 to 100\.$/],
    ['recent_pieces', { limit: 1.5 }, /: limit must be a whole number from 1 to 100\.$/],
    ['recent_pieces', { limit: '5' }, /: limit must be a whole number from 1 to 100\.$/],
    ['recent_pieces', { cursor: 'abc' }, /: cursor must be a next_cursor of this list\.$/],
    ['trending_pieces', { window: '1y' }, /: window must be one of 24h, 7d, 30d\.$/],
    ['search_authors', { query: 'a', limit: 51 }, /: limit must be a whole number from 1 to 50\.$/],
    [
      'get_author',
      JSON.parse('{"slug":"bo","__proto__":1,"constructor":2}'),
      /unknown argument "__proto__"; unknown argument "constructor" \(allowed: slug\)\.$/,
    ],
    ['get_piece', { id: 'x'.repeat(501) }, /: id must have at most 500 characters\.$/],
    ['get_piece', { id: '\0' }, /^No published piece has the id /],
  ]
  for (const [tool, given, words] of failures)
    test(`${tool} ${JSON.stringify(given).slice(0, 60)}`, async () => {
      const answer = await call(tool, given)
      assert.match(answer.content[0].text, words)
      assert.deepEqual(Object.keys(answer), ['content', 'isError'])
      assert.equal(answer.isError, true)
    })

  test('and nothing found is no failure', async () => {
    const { structuredContent } = await call('search_pieces', { query: 'nothing like it' })
    assert.equal(structuredContent.count, 0)
  })
})
