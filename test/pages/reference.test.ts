import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
import { standfirst } from '@standfirst/sdk'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { callsOf, jsonSchemaOf, type OpenApiDocument, type Schema } from '../../server/http/docs/openapi-document.ts'
import { curlOf, exampleBody, exampleOf, sdkCallOf } from '../../server/http/docs/reference-examples.ts'
import { testApp, testSite } from '../../testkit/app.ts'

/** /developers/reference: the OpenAPI document as a page. */

const { app, url } = await testSite({ BASE_URL: 'https://site.test' })
const document: OpenApiDocument = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'))
const calls = callsOf(document)
const ask = (path: string, headers: Record<string, string> = {}) => app.inject({ url: path, headers })
const page = (await ask('/developers/reference')).body

test('it shows every call of the document once, in its group', () => {
  for (const { operationId, method, path, summary } of calls) {
    assert.equal(page.split(`<h3 id="${operationId}"`).length, 2, operationId)
    assert.ok(page.includes(`<code><b>${method}</b> ${path}</code>`), operationId)
    assert.ok(page.includes(`<a href="#${operationId}"><code>${method}</code> ${summary.replace("'", '&#39;')}</a>`))
  }
  assert.deepEqual(
    calls.filter(({ tags }) => !document.tags.some(({ name }) => name === tags[0])),
    [],
    'calls of a group that the document does not describe are left out',
  )
})

test('every anchor that it links to is there, once', () => {
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  assert.deepEqual(ids.length, new Set(ids).size)
  for (const [, anchor] of page.matchAll(/href="#([^"]+)"/g)) assert.ok(ids.includes(anchor), anchor)
})

test('it needs no script but for its copy buttons, and is compressed without an edge', async () => {
  const scripts = [...page.matchAll(/<script[^>]*>/g)].map(([tag]) => tag.replace(/ data-words="[^"]*"/, ''))
  assert.deepEqual(scripts, ['<script defer src="/developers/copy.js">'])
  assert.doesNotMatch(page, /<[^>]*\s(?:on\w+|style)=/)
  const { headers, rawPayload } = await ask('/developers/reference', { 'accept-encoding': 'gzip, br' })
  assert.equal(headers['content-encoding'], 'br')
  assert.equal(String(brotliDecompressSync(rawPayload)), page)
  console.log(`the reference: ${page.length} characters, ${rawPayload.length} bytes`)
  assert.ok(rawPayload.length < 40_000)
})

test('its former address leads to it', async () => {
  const { statusCode, headers } = await ask('/developers/reference/')
  assert.deepEqual([statusCode, headers.location], [301, '/developers/reference'])
})

test('every example is valid by the schema it stands for', () => {
  const ajv = new Ajv2020({ strict: false })
  // A package without types for this form of import.
  ;(addFormats as unknown as (ajv: Ajv2020) => void)(ajv)
  const { components } = document
  const check = (schema: Schema, value: unknown, name: string): void => {
    const validate = ajv.compile({ ...schema, components })
    assert.ok(validate(value), `${name}: ${JSON.stringify(validate.errors)} ${JSON.stringify(value)}`)
  }
  for (const call of calls) {
    const sent = jsonSchemaOf(call.requestBody)
    if (sent) check(sent, exampleBody(document, call), call.operationId)
    for (const [status, response] of Object.entries(call.responses)) {
      const received = jsonSchemaOf(response)
      if (received) check(received, exampleOf(document, received), `${call.operationId} ${status}`)
    }
  }
})

test('every curl command asks for its own call, as a shell reads it', () => {
  const shell = `curl() { for word; do printf '%s\\0' "$word"; done; }; KEY=pk_live_x; `
  for (const call of calls) {
    const words = execFileSync('sh', ['-c', shell + curlOf(document, call)], { encoding: 'utf8' }).split('\0')
    const { pathname } = new URL(words.find((word) => word.startsWith('https://')) ?? '')
    assert.match(pathname, new RegExp(`^${call.path.replace(/\{\w+\}/g, '[^/]+').replace('.', '\\.')}$`))
    const isPost = words.includes('-d') && !words.includes('-X')
    assert.equal(words.includes('-X') ? words[words.indexOf('-X') + 1] : isPost ? 'POST' : 'GET', call.method)
    assert.equal(words.includes('Authorization: Bearer pk_live_x'), call.security !== undefined)
    if (words.includes('-d')) assert.deepEqual(JSON.parse(words[words.indexOf('-d') + 1]!), exampleBody(document, call))
  }
})

test('every call of the SDK makes the request it stands beside', async () => {
  let count = 0
  for (const call of calls) {
    const snippet = sdkCallOf(document, call)
    if (!snippet) continue
    count += 1
    const asked: string[] = []
    const answer = async (address: string | URL | Request, init?: RequestInit) => {
      asked.push(`${init?.method ?? 'GET'} ${new URL(String(address)).pathname}`)
      const schema = jsonSchemaOf(call.responses['200'] ?? call.responses['201'])
      const body = schema
        ? exampleOf(document, schema)
        : { ok: true, piece: { id: '5f0c8f6e-3f5b-4b59-9d0a-0b7f3c1e2a44' } }
      return init?.method === 'DELETE'
        ? new Response(null, { status: 204 })
        : Response.json(body, { headers: { etag: '"3"' } })
    }
    const source = snippet.replace(/^import .*\n/, '').replace('pk_live_…', `pk_live_${'0'.repeat(64)}`)
    const run = new Function('standfirst', `return (async () => { ${source} })()`)
    await run((options: Parameters<typeof standfirst>[0]) => standfirst({ ...options, fetch: answer as typeof fetch }))
    const path = new RegExp(`^${call.method} ${call.path.replace(/\{\w+\}/g, '[^/]+')}$`)
    assert.match(asked.at(-1) ?? '', path, call.operationId)
  }
  assert.equal(count, 13)
})

test('on a site in Arabic the labels are Arabic, and the texts of the API are marked as English', async () => {
  const arabic = await testApp(url, { SITE_LANGUAGE: 'ar' })
  const { body } = await arabic.inject({ url: '/developers/reference' })
  assert.match(body, /<html lang="ar" dir="rtl">/)
  assert.match(body, /<h4>المعاملات<\/h4>/)
  assert.match(body, /<h3 id="searchAuthors" lang="en" dir="ltr">Search authors/)
  assert.match(body, /<em lang="ar" dir="rtl">مطلوب<\/em>/)
})
