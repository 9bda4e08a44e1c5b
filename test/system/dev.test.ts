import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { cleanEnv } from '../../testkit/cli.ts'
import { testDatabase } from '../../testkit/database.ts'
import { makePiece, makeWriter } from '../../testkit/factories.ts'
import { temporaryFolder } from '../../testkit/files.ts'
import { until } from '../../testkit/waiting.ts'

/** `npm run dev`, from a saved file to the result, on a copy of the sources. */

const root = fileURLToPath(new URL('../..', import.meta.url))
const copy = temporaryFolder()
for (const name of ['server', 'desk', 'docs', 'sdk', 'embed', 'package.json', 'tsconfig.json'])
  cpSync(join(root, name), join(copy, name), {
    recursive: true,
    filter: (path) => !/node_modules|\.test\.ts$/.test(path),
  })
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))

const { url, admin } = await testDatabase()
// A database that is not empty is not seeded.
await makePiece(admin, await makeWriter(admin), { headline: 'On tea' })

interface Dev {
  readonly process: ChildProcess
  said(): string
}

function startDev(env: Readonly<Record<string, string>>): Dev {
  const dev = spawn(process.execPath, [join(copy, 'server/dev/dev.ts')], {
    env: cleanEnv({ DATABASE_URL: url, LOG_LEVEL: 'silent', LOAD_FACTOR: '1000', TIMEOUT_FACTOR: '60', ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  after(() => dev.kill('SIGKILL'))
  let said = ''
  for (const stream of [dev.stdout, dev.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  return { process: dev, said: () => said }
}

const dev = startDev({ PORT: '0' })
const base = await until(() => {
  assert.equal(dev.process.exitCode, null, dev.said())
  return /Your site is running at (\S+)/.exec(dev.said())?.[1]
}, 'npm run dev says where it is')

const get = async (path: string): Promise<string> => {
  const response = await fetch(base + path)
  const text = await response.text()
  assert.equal(response.status, 200, `${path}: ${text}`)
  return text
}
const asBrowser = (path: string) => fetch(base + path, { headers: { accept: 'text/html' } })

function save(file: string, from: string, to: string): void {
  const path = join(copy, file)
  const text = readFileSync(path, 'utf8')
  assert.ok(text.includes(from), `${file} has no ${from}`)
  writeFileSync(path, text.replace(from, to))
}

test('a saved file of a feature changes the answer, and no request fails meanwhile', async () => {
  assert.match(await get('/api/public/pieces/recent'), /"title":"On tea"/)
  save(
    'server/features/pieces/present.ts',
    'tags: row.tags,\n    ...presentCover',
    "tags: ['saved'],\n    ...presentCover",
  )
  await until(
    async () => (await get('/api/public/pieces/recent')).includes('"tags":["saved"]'),
    'the change is answered',
  )
  assert.match(await get('/api/public/pieces/recent'), /"title":"On tea"/, 'the database is still there')
})

test('a saved style reloads open pages, which then have it', async () => {
  const page = await (await asBrowser('/')).text()
  const shown = /data!=='(\d+)'/.exec(page)?.[1]
  const changes = await fetch(`${base}/@dev/changes`, { signal: AbortSignal.timeout(120_000) })
  const events = changes.body!.pipeThrough(new TextDecoderStream()).getReader()
  assert.equal((await events.read()).value, `data: ${shown}\n\n`, 'a page that is up to date stays')
  save('server/platform/page/style/base.css', '', 'body { outline-color: #010203 }\n')
  assert.match((await events.read()).value!, /^data: \d+\n\n$/)
  await events.cancel()
  const sheet = /href="(\/style\.[^"]+\.css)"/.exec(await (await asBrowser('/')).text())![1]!
  assert.match(await get(sheet), /outline-color:#010203/)
})

test('whoever does not ask for a page gets it as the server sends it', async () => {
  // Compressed, and the client unpacks it.
  assert.doesNotMatch(await get('/about'), /<script>/)
})

test('the script that reloads a page is the only one its policy allows', async () => {
  const { headers } = await asBrowser('/')
  const policy = headers.get('content-security-policy')!
  assert.match(policy, /script-src 'sha256-[^']+';/)
  assert.match(policy, /connect-src 'self'/)
  assert.equal(headers.get('cache-control'), 'no-store')
})

test('the desk is its sources, under the policy it has everywhere, and a saved component is sent to the page', async () => {
  const response = await asBrowser('/desk/sign-in')
  const page = await response.text()
  assert.match(page, /src="\/desk\/@vite\/client"[\s\S]+src="\/desk\/source\/main\.tsx"/)
  assert.doesNotMatch(page, /\/desk\/assets\/(?!faces)|@dev\/changes/)
  const nonce = /property="csp-nonce" nonce="([^"]+)"/.exec(page)![1]!
  for (const [tag] of page.matchAll(/<script[^>]*>/g)) assert.ok(tag.includes(`nonce="${nonce}"`), tag)
  const policy = response.headers.get('content-security-policy')!
  assert.ok(policy.includes(`script-src 'nonce-${nonce}' 'strict-dynamic';`))
  assert.match(policy, /connect-src 'self';.+require-trusted-types-for 'script'; trusted-types desk;/)

  const file = 'source/pages/sign-in/sign-in.tsx'
  assert.match(await get(`/desk/${file}`), /desk\.common\.sign_in/)
  const token = /wsToken = "([^"]+)"/.exec(await get('/desk/@vite/client'))![1]!
  const socket = new WebSocket(`${base.replace('http', 'ws')}/desk/?token=${token}`, 'vite-hmr')
  const messages: string[] = []
  socket.onmessage = ({ data }) => messages.push(String(data))
  await once(socket, 'open')
  save(`desk/${file}`, "<Page title={t('desk.common.sign_in')}>", '<Page title="Sign in here">')
  await until(() => messages.some((data) => data.includes('"update"') && data.includes(file)), 'an update is sent')
  socket.close()
  assert.match(await get(`/desk/${file}`), /Sign in here/)
})

test('a file that cannot be read is shown to whoever asks, and the next save mends it', async () => {
  save('server/features/pieces/present.ts', 'export function presentPiece(', 'export function (')
  const shown = await until(async () => {
    const response = await asBrowser('/')
    return response.status === 503 && response.text()
  }, 'the error is answered')
  assert.match(shown, /present\.ts[\s\S]+SyntaxError/)
  assert.match(dev.said(), /present\.ts[\s\S]+SyntaxError/)
  save('server/features/pieces/present.ts', 'export function (', 'export function presentPiece(')
  await until(async () => (await asBrowser('/')).status === 200, 'the page is back')
})

test('a port that is taken is told', async () => {
  const other = startDev({ PORT: new URL(base).port })
  const [code] = await once(other.process, 'exit')
  assert.equal(code, 1)
  assert.match(other.said(), /Port \d+ is already in use/)
})

test('Ctrl+C ends all of it, without a word', async () => {
  const before = dev.said().length
  dev.process.kill('SIGINT')
  const [code] = await once(dev.process, 'close')
  assert.equal(code, 0)
  assert.equal(dev.said().slice(before).trim(), '')
})
