import fc from 'fast-check'
import {
  type AnyRequest,
  anyHeaders,
  anyQuery,
  anyText,
  categories,
  type Facts,
  mutate,
  sendable,
} from './fuzz-requests.ts'

/** Requests to the write API that nobody would think of, most of them with a live key. */

const frames = ['lesson', 'origin', 'contrarian', 'before_after']
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('Tea', '', ' ', '\u0000', '\ud800', '\u200d', '\u202e', '😀'.repeat(200), 'x'.repeat(201)),
  fc.constantFrom('x'.repeat(401), 'https://a.test/', 'javascript:1', 'http://[', '__proto__'),
)
const address = fc.oneof(fc.webUrl({ withFragments: true, withQueryParameters: true }), fc.constant(null), text)
const tags = fc.array(text, { maxLength: 9 })

/** A body that is often a piece, and sometimes only in part. */
const piece = fc
  .record(
    {
      headline: fc.oneof({ weight: 4, arbitrary: fc.constant('A headline') }, { weight: 1, arbitrary: text }),
      body_md: fc.oneof({ weight: 4, arbitrary: fc.constant('A body.') }, { weight: 1, arbitrary: text }),
    },
    { noNullPrototype: true },
  )
  .chain((least) =>
    fc
      .record(
        {
          sub: fc.oneof(text, fc.constant(null)),
          category: fc.oneof(fc.constantFrom(...categories), text),
          tags: fc.oneof(tags, fc.jsonValue({ maxDepth: 2 })),
          frame: fc.oneof(fc.constantFrom(...frames), text),
          style: fc.oneof(fc.constant('essay'), text),
          locale: fc.oneof(fc.constantFrom('en', 'pt-BR'), text),
          external_url: address,
          status: fc.constantFrom('approved', 'draft', 5),
          editor_status: fc.constant('approved'),
          id: fc.uuid(),
          writer_id: fc.uuid(),
        },
        { requiredKeys: [], noNullPrototype: true },
      )
      .map((more) => ({ ...least, ...more })),
  )

const body = fc.oneof(
  { weight: 6, arbitrary: piece.map((one) => JSON.stringify(one)) },
  {
    weight: 2,
    arbitrary: fc
      .dictionary(text, fc.jsonValue())
      .map((one) => JSON.stringify({ headline: 'A', body_md: 'B', ...one })),
  },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: mutate(piece.map((one) => JSON.stringify(one))) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', '{', 'null', '[]', '['.repeat(5000), '{"__proto__":{"a":1}}', '\ufeff{}'),
  },
)

const oneLine = (value: string) => value.replace(/[^\t\x20-\x7e\x80-\xff]/g, '')
const headerText = fc.string({ unit: 'binary-ascii', maxLength: 40 }).map(oneLine)

function headersOf(facts: Facts): fc.Arbitrary<Record<string, string>> {
  const { live, dead } = facts.keys
  return (
    fc
      .tuple(
        anyHeaders(facts),
        fc.record(
          {
            authorization: fc.oneof(
              { weight: 12, arbitrary: fc.constantFrom(`Bearer ${live}`, `bearer ${live}`) },
              { weight: 2, arbitrary: fc.constantFrom(`Bearer ${dead}`, 'Bearer', '', `Basic ${live}`) },
              { weight: 1, arbitrary: headerText },
            ),
            'content-type': fc.oneof(
              { weight: 8, arbitrary: fc.constant('application/json') },
              { weight: 1, arbitrary: headerText },
            ),
          },
          { noNullPrototype: true },
        ),
        fc.record(
          {
            'idempotency-key': fc.oneof(fc.constantFrom('a', '"a"', '""', 'x'.repeat(256)), fc.uuid(), headerText),
            'if-match': fc.oneof(fc.constantFrom('*', '"1"', '"2"', 'W/"1"', '""', '"1", "2"'), headerText),
          },
          { requiredKeys: [], noNullPrototype: true },
        ),
      )
      // An expectation or an encoding in every other request would leave little to see.
      .map(([{ 'content-type': _type, authorization: _key, ...any }, ...more]) => Object.assign({}, any, ...more))
  )
}

export function anyWrite(facts: Facts): fc.Arbitrary<AnyRequest> {
  const id = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...facts.ids) },
    { weight: 1, arbitrary: mutate(fc.constantFrom(...facts.ids)) },
    { weight: 1, arbitrary: fc.oneof(fc.uuid(), anyText) },
  )
  const one = id.map((each) => `/api/v1/pieces/${each}`)
  const target = fc.oneof(
    { weight: 5, arbitrary: fc.constant(['POST', '/api/v1/pieces'] as const) },
    { weight: 3, arbitrary: fc.constant(['GET', '/api/v1/pieces/me'] as const) },
    { weight: 6, arbitrary: fc.tuple(fc.constantFrom('GET', 'PATCH', 'PATCH', 'DELETE'), one) },
    { weight: 1, arbitrary: fc.tuple(fc.constantFrom('PUT', 'POST', 'OPTIONS', 'HEAD', 'TRACE', 'QUERY'), one) },
    {
      weight: 1,
      arbitrary: fc.tuple(fc.constantFrom('POST', 'GET', 'DELETE'), mutate(fc.constant('/api/v1/pieces/me'))),
    },
  )
  const query = fc.oneof(
    fc.constant(''),
    anyQuery(facts),
    fc.constantFrom('?status=draft', '?status=approved&limit=1', '?limit=51'),
  )
  return fc
    .tuple(target, query, headersOf(facts), body)
    .map(([[method, path], search, headers, sent]) => sendable(method, `${path}${search}`, headers, sent))
}
