import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openapiDocument } from '../../server/commands/openapi.ts'
import { testSite } from '../../testkit/app.ts'
import { makeWriter } from '../../testkit/factories.ts'
import {
  type Answer,
  breakingDifferences,
  checkedInject,
  type Inject,
  type OpenApiDocument,
  type Operation,
} from '../../testkit/openapi.ts'

const { admin, app } = await testSite()
const json = (await app.inject('/api/openapi.json')).body
const document = JSON.parse(json) as OpenApiDocument
const operations = Object.entries(document.paths).flatMap(([path, verbs]) =>
  Object.entries(verbs).map(([verb, operation]): [string, Operation] => [`${verb.toUpperCase()} ${path}`, operation]),
)

describe('the document', () => {
  test('9 is OpenAPI 3.1 of API version 1.0.0', () => {
    assert.match(document.openapi, /^3\.1\.\d+$/)
    assert.equal(document.info.version, '1.0.0')
  })

  test('4.6 is served as JSON and as YAML, open to every origin', async () => {
    for (const [address, type] of [
      ['/api/openapi.json', 'application/json'],
      ['/api/openapi.yaml', 'application/yaml'],
    ] as const) {
      const answer = await app.inject(address)
      assert.equal(answer.statusCode, 200)
      assert.equal(String(answer.headers['content-type']).split(';')[0], type)
      assert.equal(answer.headers['access-control-allow-origin'], '*')
    }
  })

  test('describes the five public reads of sections 4.1 and 4.2', () => {
    const described = operations.map(([name]) => name)
    for (const name of [
      'GET /api/public/authors/{slug}',
      'GET /api/public/authors/search',
      'GET /api/public/pieces/{id}',
      'GET /api/public/pieces/recent',
      'GET /api/public/pieces/search',
    ]) {
      assert.ok(described.includes(name), `${name} is not described`)
    }
  })

  for (const name of ['Author', 'AuthorHit', 'Piece', 'PieceListItem', 'PieceHit', 'Error']) {
    test(`names the record ${name} of section 2 as a component`, () => {
      assert.ok(document.components.schemas[name])
    })
  }

  test('gives every operation an operationId of its own', () => {
    const ids = operations.map(([, { operationId }]) => operationId)
    assert.ok(ids.every((id) => typeof id === 'string' && id.length > 0))
    assert.equal(new Set(ids).size, ids.length)
  })

  for (const [name, { summary, tags = [], responses, security = [] }] of operations) {
    const isRpc = name.endsWith('/mcp')
    test(`${name} has a summary and a tag, and names its answers and its refusals`, () => {
      assert.ok(summary)
      assert.ok(tags.length > 0)
      const one = /\{[^}]+\}(?:\/badge\.svg|\/receipt)?$/.test(name)
      const success = name === 'POST /api/v1/pieces' ? '201' : name.startsWith('DELETE ') ? '204' : '200'
      for (const status of [success, one ? '404' : '400', '429', '503']) {
        assert.ok(responses[status], `${name} does not document ${status}`)
      }
    })

    if (!name.includes('/api/v1/')) {
      test(`${name} tells clients that it may answer 304 to a GET, and asks for no key`, () => {
        if (name.startsWith('GET ')) assert.ok(responses['304'])
        assert.deepEqual(security, [])
      })
    } else if (name !== 'POST /api/v1/leaked-keys') {
      test(`${name} asks for a key, and says what comes of a missing or wrong one`, () => {
        assert.deepEqual(security, [{ key: [] }])
        assert.ok(responses['401'] && responses['403'])
      })
    }

    // A client without a live key gets the usual error.
    const ofKey = (status: string) => name.includes('/api/v1/') && /^40[13]$/.test(status)
    test(`${name} answers every refusal with the ${isRpc ? 'RpcFailure' : 'Error'} record`, () => {
      for (const [status, { content }] of Object.entries(responses)) {
        // An image route answers errors with an image.
        if (!/^[45]|default/.test(status) || content?.['image/svg+xml']) continue
        const refusal = isRpc && !ofKey(status) ? 'RpcFailure' : 'Error'
        assert.deepEqual(content?.['application/json'], { schema: { $ref: `#/components/schemas/${refusal}` } }, status)
      }
    })
  }

  test('leaves no reference without its target', () => {
    for (const [, target = ''] of json.matchAll(/"\$ref": "#\/components\/schemas\/([^"]+)"/g)) {
      assert.ok(document.components.schemas[target], target)
    }
  })

  test('keeps our own marks for the validator to ourselves', () => {
    assert.doesNotMatch(json, /x-(line|visible|printable|web-address)/)
  })
})

describe('Redocly', () => {
  const cli = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'))
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'standfirst-openapi-'))
    await writeFile(join(folder, 'openapi.json'), json)
    await writeFile(join(folder, 'openapi.yaml'), (await app.inject('/api/openapi.yaml')).body)
  })
  after(() => rm(folder, { recursive: true }))

  const redocly = (...parameters: string[]) =>
    promisify(execFile)(process.execPath, [cli, ...parameters], {
      cwd: folder,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    })

  test('finds nothing to say against the document, at its strictest', async () => {
    await assert.doesNotReject(redocly('lint', 'openapi.json', '--extends', 'recommended-strict'))
  })

  test('reads the same document from the YAML as from the JSON', async () => {
    await redocly('bundle', 'openapi.yaml', '--output', 'from-yaml.json')
    assert.deepEqual(JSON.parse(await readFile(join(folder, 'from-yaml.json'), 'utf8')), document)
  })
})

describe('the check that every answer of these suites passes', () => {
  test('lets a true answer pass', async () => {
    const { slug } = await makeWriter(admin)
    assert.equal((await checkedInject(app)(`/api/public/authors/${slug}`)).statusCode, 200)
  })

  /** What the check reports for a server with the real document and a manipulated answer. */
  async function planted(status: number, type: string, change: (body: AuthorBody) => unknown): Promise<string> {
    const { slug } = await makeWriter(admin)
    const truth = await checkedInject(app)(`/api/public/authors/${slug}`)
    const body = JSON.stringify(change(truth.json<AuthorBody>()))
    const lie: Answer = { statusCode: status, headers: { 'content-type': type }, body, json: () => JSON.parse(body) }
    const liar: Inject = async (request) => (request === '/api/openapi.json' ? app.inject(request) : lie)
    try {
      await checkedInject({ inject: liar })(`/api/public/authors/${slug}`)
      return 'nothing'
    } catch (error) {
      return (error as Error).message
    }
  }
  interface AuthorBody {
    readonly ok: true
    readonly author: { readonly name: string; readonly urls: object; readonly website: string | null }
  }
  const type = 'application/json'
  const changed = (part: object) => (body: AuthorBody) => ({ ...body, author: { ...body.author, ...part } })

  test('catches nothing in an answer that was not changed', async () => {
    assert.equal(await planted(200, type, (body) => body), 'nothing')
  })
  test('catches a missing field', async () => {
    assert.match(await planted(200, type, changed({ name: undefined })), /required.*name/)
  })
  test('catches an undeclared field, at any depth', async () => {
    assert.match(await planted(200, type, changed({ email: 'a@b.test' })), /additional.*email/)
    assert.match(await planted(200, type, changed({ urls: { draft: 'https://a.test' } })), /additional.*draft/)
  })
  test('catches a field of another type or format', async () => {
    assert.match(await planted(200, type, changed({ name: null })), /must be string/)
    assert.match(await planted(200, type, changed({ website: 'no address' })), /format.*uri/)
  })
  test('catches a status and a content type that are not documented', async () => {
    assert.match(await planted(202, type, (body) => body), /202.*does not document/)
    assert.match(await planted(200, 'text/html', (body) => body), /text\/html.*does not document/)
  })
  test('catches a refusal without its reason', async () => {
    assert.match(await planted(404, type, () => ({ ok: false })), /required.*reason/)
  })
})

/** The promise of docs/deprecations.md: nothing released is removed or changed incompatibly. */

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
