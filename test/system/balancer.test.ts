import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { priorityOf } from '../../server/platform/http/admission.ts'
import { startBalancer } from '../../testkit/engines/edge.ts'
import { missingPrograms } from '../../testkit/engines/engine.ts'
import { temporaryFolder } from '../../testkit/files.ts'
import { exchange } from '../../testkit/http.ts'
import { freePort } from '../../testkit/network.ts'
import { until } from '../../testkit/waiting.ts'
import { ask, startOrigin } from './edge-stub.ts'

/** The balancer of deploy/haproxy. `npm run scale` measures it under load. */

const fileOf = (name: string): string => fileURLToPath(new URL(`../../deploy/haproxy/${name}`, import.meta.url))
const config = readFileSync(fileOf('haproxy.cfg'), 'utf8')

const skip = missingPrograms('haproxy')

/** The balancer before a stub server, and before another that is away where `isOneAway`; both end after the test. */
async function balanced(isOneAway = false) {
  const origin = await startOrigin()
  const away = { port: await freePort(), adminPort: await freePort() }
  const balancer = await startBalancer(isOneAway ? [origin, away] : [origin])
  after(async () => {
    await balancer.stop()
    await origin.leave().catch(() => {})
  })
  return { origin, balancer }
}

test('HAProxy takes its configuration', { skip }, () => {
  const file = join(temporaryFolder(), 'haproxy.cfg')
  writeFileSync(file, config.replaceAll('/etc/haproxy/', fileOf('')))
  const { status, stderr } = spawnSync('haproxy', ['-c', '-f', file], { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  assert.doesNotMatch(stderr, /\[(?:WARNING|ALERT)\]/)
})

test('while one of two servers is away, a dozen lists at once are all answered', { skip }, async () => {
  const held: ServerResponse[] = []
  const { origin, balancer } = await balanced(true)
  origin.answer((_request, response) => void held.push(response))
  await until(
    () => /few\/second is DOWN/.test(readFileSync(balancer.log, 'utf8')),
    'the other server is known to be away',
  )
  const statuses: number[] = []
  const asked = Array.from({ length: 12 }, async () => {
    statuses.push((await fetch(`http://127.0.0.1:${balancer.port}/api/public/pieces/recent`)).status)
  })
  // Longer than the queue timeout: a request that is not admitted at once is refused earlier.
  await until(() => held.length + statuses.length === 12, 'all twelve are at the server')
  for (const response of held) response.end('there')
  await Promise.all(asked)
  assert.deepEqual(statuses, Array(12).fill(200))
})

test('what is for operators is not for readers, however it is spelled, and the edge asks for it elsewhere', {
  skip,
}, async () => {
  const { origin, balancer } = await balanced()
  const ready = () => ask(`http://127.0.0.1:${balancer.adminPort}/readyz`)
  await until(async () => (await ready()).status === 200, 'the server is known to be ready')
  const statusOf = async (port: number, path: string) =>
    (await exchange(port, `GET ${path} HTTP/1.1\r\nHost: site.test\r\nConnection: close\r\n\r\n`)).status
  for (const port of [balancer.port, balancer.readersPort]) {
    for (const path of ['/metrics', '/%6detrics', '/metric%73?x=1', '/healthz', '/readyz', '/re%61dyz'])
      assert.equal(await statusOf(port, path), 404, path)
    for (const path of ['/metrics#x', '/%6detrics#x', '/#']) assert.equal(await statusOf(port, path), 400, path)
  }
  assert.deepEqual(origin.asked, [])
  assert.equal(await statusOf(balancer.port, '/author/ada'), 200)
  assert.equal((await ask(`http://127.0.0.1:${balancer.adminPort}/author/ada`)).status, 404)
})

test('one id goes through the balancer: kept or made, to the server, back, and in what the balancer says itself', {
  skip,
}, async () => {
  const { origin, balancer } = await balanced()
  const base = `http://127.0.0.1:${balancer.port}`
  await until(async () => (await ask(`http://127.0.0.1:${balancer.adminPort}/readyz`)).status === 200, 'it is ready')
  const kept = await ask(`${base}/author/ada`, { 'x-request-id': 'of-the-edge-before' })
  assert.equal(kept.headers['x-request-id'], 'of-the-edge-before')
  const made = await ask(`${base}/author/ada`, { 'x-request-id': 'no id' })
  assert.match(String(made.headers['x-request-id']), /^[0-9a-f-]{36}$/)
  assert.deepEqual(
    origin.asked.map(({ headers }) => headers['x-request-id']),
    ['of-the-edge-before', made.headers['x-request-id']],
  )
  const refused = await ask(`${base}/metrics`)
  assert.equal(JSON.parse(refused.body).request_id, refused.headers['x-request-id'])
  await origin.leave()
  const gone = await ask(`${base}/author/ada`, { 'x-request-id': 'of-a-reader-in-vain' })
  assert.deepEqual([gone.status, gone.headers['x-request-id']], [503, 'of-a-reader-in-vain'])
  assert.equal(JSON.parse(gone.body).request_id, 'of-a-reader-in-vain')
})

const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

test('while no server answers people get a page and programs JSON, at the desk too', { skip }, async () => {
  const { origin, balancer } = await balanced()
  origin.answer((_request, response) => void response.writeHead(503, { 'content-type': 'text/html' }).end('Ours.'))
  await until(async () => (await ask(`${balancer.base}/`, browser)).body === 'Ours.', 'the server answers')
  assert.equal((await ask(`${balancer.base}/`, browser)).headers['content-type'], 'text/html')
  await origin.leave()
  const away = async (path: string, headers: Record<string, string>) => {
    const answer = await ask(balancer.base + path, headers)
    assert.deepEqual(
      [answer.status, answer.headers['retry-after'], answer.headers['cache-control'], answer.headers['x-answer']],
      [503, '2', 'no-store', undefined],
      path,
    )
    return answer
  }
  for (const path of ['/', '/author/ada/on-tea', '/desk', '/desk/edit/pieces/1', '/search?q=tea']) {
    const { headers, body } = await away(path, browser)
    assert.equal(headers['content-type'], 'text/html; charset=utf-8', path)
    assert.match(String(headers['content-security-policy']), /^default-src 'none'; style-src 'unsafe-inline'/)
    assert.match(body, /<h1>This site is temporarily unavailable<\/h1>/)
    const plain = await away(path, {})
    assert.equal(plain.headers['content-type'], 'application/json; charset=utf-8', path)
    assert.deepEqual(JSON.parse(plain.body).reason, 'overloaded')
  }
  for (const path of ['/api/public/pieces/recent', '/desk/api/pieces', '/feed.json'])
    assert.equal(JSON.parse((await away(path, browser)).body).ok, false, path)
  assert.match((await ask(`${balancer.base}/metrics`, browser)).body, /<h1>Page not found<\/h1>/)
  assert.equal(JSON.parse((await ask(`${balancer.base}/metrics`)).body).reason, 'not_found')
})

test('the balancer and the edge have the same pages, in the colours of the site', () => {
  const rows = readFileSync(fileOf('errors.map'), 'utf8')
    .split('\n')
    .filter((line) => /^\w/.test(line))
  const said = new Map(rows.map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]))
  const edge = readFileSync(fileOf('../varnish/standfirst.vcl'), 'utf8')
  const page = readFileSync(fileOf('../edge/error.html'), 'utf8')
  const words = (body: string) => /<h1>(.+)<\/h1><p>(.+)<\/p><p>(.+)<\/p><\/main>/.exec(body)!.slice(1)
  for (const [key, body] of said) {
    if (key.startsWith('data-')) {
      assert.equal(JSON.parse(`${body}}`).ok, false, key)
      assert.ok(said.has(key.replace('data', 'page')), key)
      continue
    }
    const [title, advice, link] = words(body)
    const filled = page.replaceAll('TITLE', title!).replace('ADVICE', advice!).replace('LINK', link!)
    assert.equal(body, filled.replaceAll('\n', ''), key)
    if (/40[04]|503/.test(key)) for (const word of [title, advice, link]) assert.ok(edge.includes(word!), word)
  }
  const tokens = readFileSync(new URL('../../server/platform/page/style/tokens.css', import.meta.url), 'utf8')
  const colours = page.match(/--\w+: oklch\([^)]+\)/g)!
  assert.equal(colours.length, 8)
  for (const colour of colours) assert.ok(tokens.includes(`${colour};`), colour)
})

test('the balancer weighs every address as the servers do', () => {
  const lines = readFileSync(fileOf('weights.map'), 'utf8')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
  const patterns = lines.map((line) => line.split(' ') as [string, string])
  const mapped = (path: string) => patterns.find(([pattern]) => new RegExp(pattern).test(path))?.[1] ?? 'single'
  const starts = [
    '',
    '/desk',
    '/desks',
    '/api/v1',
    '/api/mcp',
    '/search',
    '/shop',
    '/image',
    '/category',
    '/author',
    '/cover/1/life',
  ]
  const middles = [
    '',
    '/',
    '/life',
    '/ada',
    '/%64esk',
    '/pieces/search',
    '/llms.txt',
    '/a.txt',
    '/api/public/pieces',
    '/0123456789ab/%C3%89t.svg',
  ]
  const ends = [
    '',
    '/',
    '/recent',
    '/trending',
    '/search',
    '/feed.xml',
    '/feed.json',
    '/sitemap-1.xml',
    '/on-tea',
    '.md',
  ]
  for (const start of starts) {
    for (const middle of middles) {
      for (const end of ends) {
        const path = `${start}${middle}${end}`
        assert.equal(mapped(path), priorityOf(`${path}?q=tea`), path)
      }
    }
  }
})

test('every backend knows every server, and what may be done twice is only what reads', () => {
  const backends = config.split(/^backend /m).slice(1)
  assert.deepEqual(
    backends.map((text) => /^\w+/.exec(text)![0]),
    ['public', 'few', 'write', 'desk'],
  )
  for (const text of backends) {
    assert.match(text, /server first 127\.0\.0\.1:8081 .*maxconn \d+/)
    assert.match(text, /server second 127\.0\.0\.1:8082 .*maxconn \d+/)
    if (/retry-on/.test(text)) assert.match(text, /disable-l7-retry unless \{ method GET HEAD \}/)
    else assert.match(text, /option http-server-close/)
  }
})
