import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addresses } from '../../server/http/discovery/endpoints.ts'
import { testApp } from '../../testkit/app.ts'
import { injectRetrying503 } from '../../testkit/openapi.ts'
import { openExampleSite } from '../project/example-site.ts'

/** Security headers of every public address and of the private surfaces. */

const { app, url, id, pathOf } = await openExampleSite()

const isPublic = ({ method, section }: (typeof addresses)[number]) => method === undefined && section !== 'drafting'
const open = addresses.filter(isPublic).map(pathOf)
const refused = ['/nowhere', '/api/public/nothing', '/media/none', '/%', '/api/v1/pieces', '/desk/api/account']
const kept = ['/desk/sign-in', '/desk/preview/none', `/r/${id}.gif`]

const answers = await Promise.all(
  [...open, ...refused, ...kept].map(async (path) => ({ path, ...(await injectRetrying503(app, { url: path })) })),
)
const headerOf = (answer: (typeof answers)[number], name: string): string => String(answer.headers[name] ?? '')
const policyOf = (answer: (typeof answers)[number]): Map<string, string> =>
  new Map(
    headerOf(answer, 'content-security-policy')
      .split(/;\s*/)
      .map((part) => [part.split(' ')[0]!, part.split(' ').slice(1).join(' ')]),
  )

test('behind https every answer says that this site and all below it are asked by https for two years', () => {
  assert.ok(answers.length > 40, `${answers.length} answers`)
  for (const answer of answers)
    assert.equal(headerOf(answer, 'strict-transport-security'), 'max-age=63072000; includeSubDomains', answer.path)
})

test('no kind of answer leaves its type to be guessed', () => {
  for (const answer of answers) assert.equal(headerOf(answer, 'x-content-type-options'), 'nosniff', answer.path)
})

test('no kind of answer tells other sites more than our origin', () => {
  for (const answer of answers)
    assert.equal(headerOf(answer, 'referrer-policy'), 'strict-origin-when-cross-origin', answer.path)
})

test('every kind of answer has a policy that lets in no plug-in and no other base', () => {
  for (const answer of answers) {
    const policy = policyOf(answer)
    assert.equal(policy.get('object-src') ?? policy.get('default-src'), "'none'", answer.path)
    assert.equal(policy.get('base-uri'), "'none'", answer.path)
  }
})

test('only widgets, which are made for it, may be framed by other sites', () => {
  for (const answer of answers) {
    const isWidget = /^\/embed\/ada-okafor\//.test(answer.path) && /text\/html/.test(headerOf(answer, 'content-type'))
    assert.equal(policyOf(answer).get('frame-ancestors'), isWidget ? '*' : "'none'", answer.path)
  }
})

test('what is data has a policy under which a browser runs and loads nothing', () => {
  const data = answers.filter((answer) => /json|\bxml|text\/plain|markdown/.test(headerOf(answer, 'content-type')))
  assert.ok(data.length > 15, `${data.length} answers`)
  for (const answer of data) {
    assert.equal(policyOf(answer).get('default-src'), "'none'", answer.path)
    assert.ok(policyOf(answer).has('sandbox'), answer.path)
  }
})

/** SVG is XML, whose default encoding is UTF-8. */
test('text and feeds say that they are UTF-8', () => {
  for (const answer of answers) {
    const type = headerOf(answer, 'content-type')
    if (/^text\/|^application\/(\w+\+)?xml/.test(type))
      assert.match(type, /; charset=utf-8$/, `${answer.path}: ${type}`)
  }
})

test('nothing is led from http to https by the site', async () => {
  const proxied = await testApp(url, { TRUST_PROXY: '127.0.0.1' })
  for (const path of ['/', '/api/public/pieces/recent', '/api/v1/pieces', '/desk/sign-in']) {
    const { statusCode } = await injectRetrying503(proxied, { url: path, headers: { 'x-forwarded-proto': 'http' } })
    assert.ok(statusCode < 300 || statusCode >= 400, `${path}: ${statusCode}`)
  }
})
