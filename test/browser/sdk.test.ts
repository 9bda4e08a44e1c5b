import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { buildSdk } from '../../sdk/build.ts'
import { testApp } from '../../testkit/app.ts'
import { testDatabase } from '../../testkit/database.ts'
import { makePiece, makeWriter } from '../../testkit/factories.ts'
import { openBrowser, until } from './browser.ts'

/** The package outside Node: in a page of another origin than the site, and in a worker. */

const folder = await mkdtemp(join(tmpdir(), 'standfirst-sdk-'))
await buildSdk(folder)

const verifying = `
import { verifyWebhook } from './index.js'
const delivery = {
  body: '{"id":"https://example.test/p/1","title":"Grüße 😀"}',
  headers: new Headers({ 'X-Service-Signature': 't=1767225600,id=msg_0193f1c2a0007000a000000000000001,v1=e1f33d24476d320a9c7b6b81a50fe079e3b8ea14d4ac33d9682f22e33486ec31' }),
  secret: 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=',
  now: new Date(1767225600000),
}
const { id } = await verifyWebhook(delivery)
const refusal = await verifyWebhook({ ...delivery, body: '{}' }).catch((error) => error.reason)
const said = id + ' ' + refusal
if (globalThis.document) document.title = said
else postMessage(said)
`

const { url, admin } = await testDatabase()
const ada = await makeWriter(admin, { slug: 'ada', name: 'Ada' })
for (const headline of ['Tea, first', 'Tea, second', 'Tea, third']) await makePiece(admin, ada, { headline })
/** A second server of the same site allows one read a minute. */
const [base, strict] = await Promise.all(
  ['1000', '1'].map(async (RATE_READ) => {
    const app = await testApp(url, { RATE_READ })
    return app.listen({ host: '127.0.0.1', port: 0 })
  }),
)

const reading = `
import { standfirst, StandfirstError } from './index.js'
const site = standfirst({ base: '${base}' })
const titles = []
for await (const { title } of site.pieces.search('tea', { limit: 1 })) titles.push(title)
const { name } = await site.authors.get('ada')
const refusal = await site.authors.get('nobody').catch((error) => error instanceof StandfirstError && error.reason)
const ended = await site.authors.get('ada', { signal: AbortSignal.abort() }).catch((error) => error.name)
const strict = standfirst({ base: '${strict}', retries: 0 })
await strict.authors.get('ada').catch(() => {})
const limit = await strict.authors.get('ada').catch((error) => error.retryAfter > 0 && error.reason)
const said = [...titles, name, refusal, ended, limit].join(' | ')
if (globalThis.document) document.title = said
else postMessage(said)
`
const scripts: Readonly<Record<string, string>> = { '/verify.js': verifying, '/read.js': reading }

const server = createServer(async (request, response) => {
  if (request.url === '/')
    return response
      .setHeader('content-type', 'text/html')
      .end('<!doctype html><link rel="icon" href="data:,"><title>waiting</title>')
  response.setHeader('content-type', 'application/javascript')
  response.end(scripts[request.url!] ?? (await readFile(join(folder, request.url!))))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const browser = await openBrowser()
after(async () => {
  await browser.close()
  server.close()
  await rm(folder, { recursive: true })
})

/** The output of a script in a page, and in a worker of that page. */
async function saidBy(script: string): Promise<[string, string]> {
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  await page.addScriptTag({ url: script, type: 'module' })
  await until(page, `document.title !== 'waiting'`)
  const fromWorker = page.evaluate<string>(
    `new Promise((resolve) => { new Worker('${script}', { type: 'module' }).onmessage = ({ data }) => resolve(data) })`,
  )
  const said: [string, string] = [await page.title(), await fromWorker]
  await page.close()
  return said
}

test('a page and a worker verify the published vector, and refuse another body', async () => {
  const expected = 'msg_0193f1c2a0007000a000000000000001 no_match'
  assert.deepEqual(await saidBy('/verify.js'), [expected, expected])
})

test('a page of another origin and its worker search all pages, and are told what is wrong and how long to wait', async () => {
  const expected = 'Tea, third | Tea, second | Tea, first | Ada | not_found | AbortError | rate_limited'
  assert.deepEqual(await saidBy('/read.js'), [expected, expected])
})
