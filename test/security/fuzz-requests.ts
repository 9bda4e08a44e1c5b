import fc from 'fast-check'

/** Generated requests, built from existing data of the server. */

export interface AnyRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** Existing data of the site: names, ids, cursors and matching ETags. */
export interface Facts {
  readonly slugs: readonly string[]
  readonly ids: readonly string[]
  readonly cursors: readonly string[]
  readonly etags: readonly string[]
  /** A live key and a revoked one. */
  readonly keys: { readonly live: string; readonly dead: string }
}

const routes = [
  '/api/public/authors/search',
  '/api/public/pieces/recent',
  '/api/public/pieces/search',
  '/api/public/pieces/trending',
  '/api/openapi.json',
  '/api/openapi.yaml',
  '/healthz',
  '/readyz',
  '/metrics',
  '/',
  '/api',
  '/api/v1/pieces',
  '/api/v1/pieces/me',
  '/nowhere',
]
export const categories = ['building', 'leading', 'culture', 'money', 'life', 'civic', 'ideas', 'society']
const keys = [
  'q',
  'limit',
  'category',
  'cursor',
  'Q',
  'limit[]',
  'q[0]',
  '__proto__',
  'constructor',
  'toString',
  '',
  'a',
]

/** Escapes and characters in URLs that have broken servers. */
const hostile = [
  ...[
    '%00',
    '%0d%0aX-Injected:1',
    '%ff%fe',
    '%c0%ae',
    '%ED%A0%80',
    '%',
    '%zz',
    '%2',
    '%u0041',
    '%25',
    '%2525',
    '+',
    '++',
  ],
  ...[
    '..',
    '%2e%2e%2f',
    '..%2f..%2f',
    '%2F',
    '%5C',
    ';x=1',
    '?',
    '#',
    '&',
    '=',
    '//',
    '/',
    '/./',
    '*',
    '~',
    '|',
    '{}',
    '\\',
  ],
  ...[
    "'",
    '"',
    "'--",
    '%27%20or%201=1',
    '$1',
    '(a+)+$',
    '%',
    '_',
    '<script>',
    '%3Csvg%3E',
    '\xe9',
    '\xff',
    '%E2%80%A8',
  ],
  ...[
    '%EF%BB%BF',
    '%EF%BF%BE',
    '%C2%85',
    '%CC%81',
    '%F0%9F%98%80',
    '%E8%8C%B6',
    'null',
    'undefined',
    'NaN',
    'true',
    '[]',
  ],
]
const numbers = [
  '0',
  '1',
  '2',
  '50',
  '51',
  '100',
  '101',
  '999',
  '1000',
  '-1',
  '-0',
  '1e1',
  '0x10',
  '1.5',
  '5%00',
  '%205',
]

export const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }).map(encodeURIComponent),
  fc.string({ unit: 'grapheme', maxLength: 20 }).map(encodeURIComponent),
  fc.string({ unit: 'grapheme-ascii', maxLength: 30 }),
  fc.constantFrom(...hostile),
  fc.tuple(fc.constantFrom('a', 'tea', 'Ada', '茶', 'e'), fc.constantFrom(...hostile)).map((parts) => parts.join('')),
  fc
    .tuple(fc.constantFrom('a', '%F0%9F%98%80', '%25', '_', '%'), fc.integer({ min: 1, max: 300 }))
    .map(([one, times]) => one.repeat(times)),
)

/** A well-formed cursor that was never issued. */
const forgedCursor = fc
  .array(
    fc.oneof(
      fc.constantFrom<unknown>(
        'authors',
        'recent',
        'search',
        'headline',
        'standfirst',
        'body',
        null,
        true,
        false,
        {},
        [],
      ),
      fc.constantFrom<unknown>(0, -1, 2 ** 31, -(2 ** 31), 8.64e15, -8.64e13, 1.5, 1.7e12, '\0', '\ud800', 'a'),
      fc.uuid(),
      fc.integer(),
      fc.double(),
      fc.string({ unit: 'binary', maxLength: 8 }),
    ),
    { maxLength: 5 },
  )
  .map((parts) => Buffer.from(JSON.stringify(parts)).toString('base64url'))

export const mutate = (text: fc.Arbitrary<string>) =>
  fc
    .tuple(
      text,
      fc.nat(),
      fc.constantFrom('keep', 'keep', 'insert', 'cut', 'double', 'upper', 'lower'),
      fc.constantFrom(...hostile),
    )
    .map(([whole, place, how, what]) => {
      const at = whole.length === 0 ? 0 : place % whole.length
      if (how === 'insert') return whole.slice(0, at) + what + whole.slice(at)
      if (how === 'cut') return whole.slice(0, at) + whole.slice(at + 1)
      if (how === 'double') return whole.slice(0, at) + whole
      if (how === 'upper') return whole.toUpperCase()
      return how === 'lower' ? whole.toLowerCase() : whole
    })

function anyPath({ slugs, ids }: Facts): fc.Arbitrary<string> {
  const slug = fc.oneof(fc.constantFrom(...slugs), mutate(fc.constantFrom(...slugs)), anyText)
  const id = fc.oneof(fc.constantFrom(...ids), mutate(fc.constantFrom(...ids)), fc.uuid(), anyText)
  const path = fc.oneof(
    { weight: 3, arbitrary: slug.map((one) => `/api/public/authors/${one}`) },
    { weight: 3, arbitrary: id.map((one) => `/api/public/pieces/${one}`) },
    { weight: 6, arbitrary: fc.constantFrom(...routes.slice(0, 3)) },
    { weight: 1, arbitrary: id.map((one) => `/api/v1/pieces/${one}`) },
    { weight: 2, arbitrary: fc.constantFrom(...routes) },
  )
  return fc.oneof({ weight: 5, arbitrary: path }, { weight: 2, arbitrary: mutate(path) })
}

export function anyQuery({ cursors }: Facts): fc.Arbitrary<string> {
  const cursor = fc.oneof(fc.constantFrom(...cursors), mutate(fc.constantFrom(...cursors)), forgedCursor)
  const pair = fc.oneof(
    { weight: 3, arbitrary: fc.tuple(fc.constant('q'), fc.oneof(fc.constantFrom('tea', 'a', 'Ada', '茶'), anyText)) },
    { weight: 2, arbitrary: fc.tuple(fc.constant('limit'), fc.constantFrom(...numbers)) },
    { weight: 2, arbitrary: fc.tuple(fc.constant('category'), fc.oneof(fc.constantFrom(...categories), anyText)) },
    { weight: 2, arbitrary: fc.tuple(fc.constant('cursor'), cursor) },
    { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...keys), anyText) },
  )
  return fc
    .tuple(fc.array(pair, { maxLength: 5 }), fc.constantFrom('&', '&', '&', '&&', ';', '&amp;'))
    .map(([pairs, joint]) =>
      pairs.length === 0 ? '' : `?${pairs.map(([key, value]) => `${key}=${value}`).join(joint)}`,
    )
}

const withoutControls = (text: string) => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '')

export function anyHeaders({ etags, keys: { dead } }: Facts): fc.Arbitrary<Record<string, string>> {
  const value = fc.string({ unit: 'binary-ascii', maxLength: 40 }).map(withoutControls)
  const oneOf = (...values: string[]) => fc.oneof(fc.constantFrom(...values), value)
  return fc.record(
    {
      'if-none-match': oneOf('*', ...etags, `W/${etags[0]}`, `"a", ${etags[0]}`, '"'),
      accept: oneOf('application/json', 'text/html', '*/*;q=0', 'text/markdown'),
      'accept-encoding': oneOf('gzip', 'br', 'identity;q=0'),
      origin: oneOf('https://elsewhere.test', 'null'),
      'access-control-request-method': oneOf('GET', 'DELETE'),
      authorization: oneOf(`Bearer ${dead}`, `Bearer pk_live_${'0'.repeat(64)}`, 'Bearer', 'Basic x'),
      cookie: oneOf('__Host-desk=1', '='),
      range: oneOf('bytes=0-1', 'bytes=9-1'),
      host: oneOf('site.test', 'evil.test', 'evil.test:99999', '[::1]'),
      'x-forwarded-for': oneOf('1.1.1.1', '::1, 2.2.2.2', 'a'.repeat(500)),
      'x-http-method-override': oneOf('PUT', 'DELETE'),
      'content-type': oneOf('application/json', 'application/json; charset=utf-7', 'text/plain', 'multipart/form-data'),
    },
    { requiredKeys: [] },
  )
}

const methods = fc.oneof(
  { weight: 14, arbitrary: fc.constant('GET') },
  { weight: 2, arbitrary: fc.constantFrom('HEAD', 'OPTIONS') },
  {
    weight: 3,
    arbitrary: fc.constantFrom('POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'SEARCH', 'QUERY', 'FOO'),
  },
)

const bodies = fc.option(
  fc.oneof(
    fc.json(),
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.constantFrom('', '{"__proto__":1}', '['.repeat(5000)),
  ),
  { nil: undefined, freq: 4 },
)

export const anyRequest = (facts: Facts): fc.Arbitrary<AnyRequest> =>
  fc
    .record({ method: methods, path: anyPath(facts), query: anyQuery(facts), headers: anyHeaders(facts), body: bodies })
    .map(({ method, path, query, headers, body }) => sendable(method, `${path}${query}`, headers, body))

/** Escapes or drops only what Node's client would refuse to send. */
export const sendable = (
  method: string,
  address: string,
  headers: Readonly<Record<string, string>>,
  body: string | undefined,
): AnyRequest => ({
  method,
  path: address.replace(/[^\x21-\xff]/gu, (sign) => encodeURIComponent(sign.toWellFormed())) || '/',
  headers,
  body: ['GET', 'HEAD', 'TRACE', 'OPTIONS'].includes(method) ? undefined : body,
})
