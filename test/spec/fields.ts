import assert from 'node:assert/strict'
import { test } from 'node:test'

/** The value kinds of section 2 of the specification, and how to check them. */
const kinds = {
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  integer: (value) => Number.isInteger(value),
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  URI: (value) => typeof value === 'string' && /^https?:\/\/[^/\s]+/.test(value) && URL.canParse(value),
  'date-time': (value) => typeof value === 'string' && dateTime.test(value) && !Number.isNaN(Date.parse(value)),
  'array of string': (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
  'array of objects': (value) => Array.isArray(value) && value.every((one) => typeof one === 'object' && one !== null),
} satisfies Record<string, (value: unknown) => boolean>

/** RFC 3339, JSON Schema's date-time. */
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

type Kind = keyof typeof kinds | `${keyof typeof kinds} or null`

/** One record with every field set, and one with every optional field empty. */
export interface Samples {
  readonly full: object
  readonly bare: object
}

/** A test for each field: present, of its kind, null only where allowed and never in the full record. */
export function fieldsOf(
  record: string,
  fields: Readonly<Record<string, Kind>>,
  samples: () => Promise<Samples>,
  neverNull: readonly string[] = [],
): void {
  for (const [field, kind] of Object.entries(fields)) {
    const isNullable = kind.endsWith(' or null')
    const is = kinds[kind.replace(' or null', '') as keyof typeof kinds]

    test(`2 ${record}.${field} is always there: ${kind}`, async () => {
      const { full, bare } = await samples()
      const [inFull, inBare] = [valueAt(full, field), valueAt(bare, field)]
      assert.ok(is(inFull), `${field} is ${JSON.stringify(inFull)} where it is known`)
      if (isNullable && !neverNull.includes(field)) assert.equal(inBare, null, `${field} is null where it is unknown`)
      else assert.ok(is(inBare), `${field} is ${JSON.stringify(inBare)} in a bare record`)
    })
  }

  test(`2 ${record} has these fields and no others`, async () => {
    const { full, bare } = await samples()
    for (const sample of [full, bare]) assert.deepEqual(pathsIn(sample), Object.keys(fields).sort())
  })
}

/** `socials.x`, or `authors.0.name` for the first of an array. */
function valueAt(record: object, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | null)?.[key], record)
}

function pathsIn(record: object, prefix = ''): string[] {
  return Object.entries(record)
    .flatMap(([key, value]) => {
      const path = `${prefix}${key}`
      const holdsRecords = typeof value === 'object' && value !== null && typeof Object.values(value)[0] === 'object'
      const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value)
      return isRecord || holdsRecords ? [...(/^\d+$/.test(key) ? [] : [path]), ...pathsIn(value, `${path}.`)] : [path]
    })
    .sort()
}

/** Of a public piece, wherever it is listed. `language` was added to the specification's fields. */
export const listedFields = {
  language: 'string',
  id: 'URI',
  url: 'URI',
  title: 'string',
  summary: 'string',
  date_published: 'date-time',
  category: 'string or null',
  tags: 'array of string',
  authors: 'array of objects',
  'authors.0.name': 'string',
  'authors.0.slug': 'string',
  'authors.0.url': 'URI',
  'authors.0.identity_verified': 'boolean',
} as const

/** Of a writer's own piece, as the write API lists it. */
export const myPieceFields = {
  id: 'string',
  headline: 'string',
  sub: 'string or null',
  category: 'string',
  status: 'string',
  locale: 'string',
  tags: 'array of string',
  created_at: 'date-time',
  edit_url: 'URI',
} as const
