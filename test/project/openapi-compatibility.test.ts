import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { openapiDocument } from '../../server/commands/openapi.ts'
import { breakingDifferences } from '../../testkit/openapi-compatibility.ts'

/** The promise of docs/deprecations.md: nothing that was released goes, or changes under somebody's feet. */

const released = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'))
const current = JSON.parse(await openapiDocument({ BASE_URL: 'https://standfirst.example' }))

test('nothing of the released API is gone or narrower', () => {
  assert.deepEqual(breakingDifferences(released, current), [])
})

type Change = (document: typeof current) => void
const search = '/api/public/pieces/search'
const breaks: Readonly<Record<string, Change>> = {
  'a route that is gone': (document) => delete document.paths[search],
  'a parameter that has become required': (document) => {
    document.paths[search].get.parameters.find(({ name }: { name: string }) => name === 'category').required = true
  },
  'a lower limit': (document) => {
    document.paths[search].get.parameters.find(({ name }: { name: string }) => name === 'limit').schema.maximum = 50
  },
  'another default': (document) => {
    document.paths[search].get.parameters.find(({ name }: { name: string }) => name === 'limit').schema.default = 10
  },
  'a category that is refused': (document) => {
    document.paths[search].get.parameters.find(({ name }: { name: string }) => name === 'category').schema.enum.pop()
  },
  'a parameter that is no longer taken': (document) => document.paths[search].get.parameters.pop(),
  'a field that is gone': (document) => delete document.components.schemas.Piece.properties.summary,
  'a field that may be missing': (document) => document.components.schemas.PieceHit.required.pop(),
  'a field of another type': (document) => {
    document.components.schemas.AuthorHit.properties.pieces_count.type = 'string'
  },
}

for (const [name, change] of Object.entries(breaks)) {
  test(`${name} is called a breaking difference`, () => {
    const changed = structuredClone(current)
    change(changed)
    assert.equal(breakingDifferences(current, changed).length > 0, true)
  })
}

test('a new route, a new optional parameter and a new field are not', () => {
  const changed = structuredClone(current)
  changed.paths['/api/public/new'] = { get: { responses: {} } }
  changed.paths[search].get.parameters.push({ name: 'new', in: 'query', schema: { type: 'string' } })
  changed.components.schemas.Piece.properties.new = { type: 'string' }
  assert.deepEqual(breakingDifferences(current, changed), [])
})
