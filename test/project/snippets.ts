import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { copyFile, cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { buildSdk } from '../../sdk/build.ts'
import { examplePiece } from '../../server/features/pieces/schema.ts'
import { signatures } from '../../server/features/webhooks/sign.ts'
import { seedSite } from '../../server/seed/seed.ts'
import { testApp } from '../../testkit/app.ts'
import { scratchDatabase, testDatabase } from '../../testkit/database.ts'
import { makePiece, makeWriter } from '../../testkit/factories.ts'
import { temporaryFolder } from '../../testkit/files.ts'
import { fetchRetrying503 } from '../../testkit/http.ts'
import { freePort } from '../../testkit/network.ts'
import { until } from '../../testkit/waiting.ts'

/** A site for the documentation's snippets, and how to run each as a reader would. */

export const pathOf = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

interface SnippetSite {
  readonly base: string
  readonly key: string
  /** The document with its addresses replaced by this site's. */
  documentAt(path: string): Promise<string>
  /** A folder for the snippets of one document, which may build on each other. */
  folderFor(document: string): Promise<string>
  run(language: 'sh' | 'js', code: string, folder: string): Promise<Ran>
}

interface Ran {
  readonly printed: string
  /** Calls that were recorded, not made. */
  readonly recorded: readonly string[]
}

const webhookSecret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`

export async function openSnippetSite(): Promise<SnippetSite> {
  const { url, admin, base, key } = await openDocsSite()
  // docs/security.md requests the newest piece's receipt, which exists only after a publish at the desk.
  await makePiece(admin, await makeWriter(admin), { headline: 'On waiting' })

  const place = temporaryFolder()
  await buildSdk(join(place, 'node_modules/@standfirst/sdk'))
  const [scope, client] = ['node_modules/@modelcontextprotocol', 'node_modules/@modelcontextprotocol/client']
  await mkdir(join(place, scope))
  await symlink(pathOf(client), join(place, client))
  const empty = await scratchDatabase()
  const owned = await ownedDatabase(url)

  const documentAt = async (path: string): Promise<string> =>
    (await readFile(pathOf(path), 'utf8'))
      .replaceAll('http://localhost:8080', base)
      .replaceAll('https://standfirst.example', base)
      .replaceAll('postgres://owner@127.0.0.1:5432/standfirst', empty.url)
      .replaceAll('postgres://site:…@127.0.0.1:5432/standfirst', owned.url)
      .replaceAll('. ./site.env', `. ./site.env && DATABASE_URL='${owned.url}'`)
      .replaceAll('create role site', `create role ${owned.name}`)
      .replaceAll('create database standfirst owner site', `create database ${owned.name} owner ${owned.name}`)
      .replaceAll('whsec_…', webhookSecret)

  const run: SnippetSite['run'] = async (language, code, folder) => {
    const recorded = join(folder, 'told')
    await writeFile(recorded, '')
    const file = join(folder, language === 'sh' ? 'snippet.sh' : 'snippet.mjs')
    await writeFile(file, language === 'sh' ? `. '${pathOf('test/project/snippets.sh')}'\n${code}` : code)
    const env = {
      ...process.env,
      ...{ KEY: key, DATABASE_URL: url, PORT: String(await freePort()), SHUTDOWN_DELAY: '0' },
      ...{
        NODE: process.execPath,
        PROGRAM: pathOf('server/commands/cli.ts'),
        SERVER: serverOf(url),
        OWNER: owned.name,
        RECORDED: recorded,
      },
    }
    const shell = language === 'sh' ? 'bash' : process.execPath
    const { stdout } = await promisify(execFile)(shell, [file], { cwd: folder, env, timeout: 600_000 })
    return { printed: stdout, recorded: (await readFile(recorded, 'utf8')).split('\n').filter(Boolean) }
  }
  return {
    base,
    key,
    documentAt,
    run: (...given) => patiently(() => run(...given)),
    async folderFor(document) {
      const folder = join(place, document.replaceAll('/', '-'))
      await mkdir(join(folder, 'posts'), { recursive: true })
      await symlink(join(place, 'node_modules'), join(folder, 'node_modules'))
      await copyFile(pathOf('test/imports/devto/articles.json'), join(folder, 'articles.json'))
      await cp(pathOf('deploy'), join(folder, 'deploy'), { recursive: true })
      return folder
    },
  }
}

/** Retries when a busy site answers 503, or searches in part, as a reader of the documentation would. */
const patiently = (ask: () => Promise<Ran>) =>
  until(
    () =>
      ask()
        .then(wholeOnly)
        .catch((error: { stdout?: string; stderr?: string }): false => {
          if (/\b503\b|overloaded/.test(`${error.stdout}${error.stderr}`)) return false
          throw error
        }),
    'the server is not too busy for the snippet',
  )

const wholeOnly = (ran: Ran): Ran | false => !ran.printed.includes('"partial":true') && ran

function serverOf(url: string): string {
  const server = new URL(url)
  server.pathname = '/postgres'
  return server.href
}

/** The database and owner that a snippet names, dropped at the end. */
async function ownedDatabase(url: string): Promise<{ name: string; url: string }> {
  const name = `sf_owned_${randomBytes(6).toString('hex')}`
  const owned = new URL(url)
  owned.username = name
  owned.pathname = `/${name}`
  after(async () => {
    const client = new pg.Client({ connectionString: serverOf(url) })
    await client.connect()
    await client.query(`drop database if exists ${name} with (force)`)
    await client.query(`drop role if exists ${name}`)
    await client.end()
  })
  return { name, url: owned.href }
}

/** A seeded, listening site, as a reader of the documentation has it. */
export async function openDocsSite() {
  const { url, admin } = await testDatabase()
  const { people } = await seedSite(url, { authors: 8, pieces: 240, rng: 2, until: new Date('2026-06-01T12:00:00Z') })
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const app = await testApp(url, { BASE_URL: base })
  await app.listen({ host: '127.0.0.1', port })
  return { url, admin, base, key: people.apiKey }
}

/** Checks a receiver in TypeScript: it compiles, and handles what the site sends. */
export async function checkReceiver(code: string, folder: string): Promise<void> {
  const file = join(folder, 'receiver.mts')
  const given = 'declare function keep(id: string, piece: { readonly title: string }): Promise<void>'
  await writeFile(file, `${code}\n${given}\n`)
  const compiler = pathOf('node_modules/typescript/bin/tsc')
  const settings = ['--strict', '--noEmit', '--skipLibCheck', '--target', 'es2022', '--module', 'nodenext']
  const types = ['--lib', 'es2022,dom', '--typeRoots', pathOf('node_modules/@types'), '--types', 'node']
  await promisify(execFile)(process.execPath, [compiler, ...settings, ...types, file], { cwd: folder })

  const kept: string[] = []
  Object.assign(globalThis, { keep: async (_id: string, { title }: { title: string }) => void kept.push(title) })
  process.env['WEBHOOK_SECRET'] = webhookSecret
  const { POST } = (await import(pathToFileURL(file).href)) as { POST: (request: Request) => Promise<Response> }
  const published = { ...examplePiece, _service: { event: 'piece.published', sequence: 1 } }
  const ping = { id: 'msg_1', challenge: '4f1d', _service: { event: 'webhook.ping', sequence: 0 } }

  assert.equal((await POST(signed(published))).status, 204)
  assert.deepEqual(kept, [examplePiece.title])
  assert.equal(await (await POST(signed(ping))).text(), '4f1d')
  assert.equal((await POST(signed(published, { 'webhook-id': 'msg_2' }))).status, 400)
}

function signed(json: object, more: Readonly<Record<string, string>> = {}): Request {
  const body = Buffer.from(JSON.stringify(json))
  const id = `msg_${'a'.repeat(32)}`
  const seconds = Math.floor(Date.now() / 1000)
  const named = { 'webhook-id': id, 'webhook-timestamp': String(seconds) }
  const headers = { ...named, ...signatures([webhookSecret], id, seconds, body), ...more }
  return new Request('http://receiver.test/', { method: 'POST', headers, body })
}

/** Checks of blocks that are not run, against the site's actual output. */

/** Every address in it answers with the content type the element needs. */
export async function checkHtml({ base }: SnippetSite, code: string): Promise<void> {
  const whole = await pinned(base, code)
  const asked = [...whole.matchAll(/<(a|img|script|iframe)\b[^>]*?\b(?:href|src)="([^"]+)"/g)]
  assert.ok(asked.length > 0, 'it names no address')
  for (const [, element = '', address = ''] of asked) {
    assert.ok(address.startsWith(base), address)
    const answer = await fetchRetrying503(address)
    assert.equal(answer.status, 200, address)
    assert.match(answer.headers.get('content-type') ?? '', typeFor[element]!, address)
    await answer.body?.cancel()
  }
}

const typeFor: Readonly<Record<string, RegExp>> = {
  a: /^text\/html/,
  img: /^image\/svg\+xml/,
  script: /^application\/javascript/,
  iframe: /^text\/html/,
}

/** The playground gives the pinned address and its hash, which replace those of a sample. */
async function pinned(base: string, code: string): Promise<string> {
  if (!code.includes('integrity="sha384-…"')) return code
  const page = await (await fetchRetrying503(`${base}/developers/embeds`)).text()
  const file = /\/embed\/([0-9a-f]{16})\.js/.exec(page)?.[1]
  assert.ok(file && /sha384-[\w+/=]{64}/.test(page), 'the playground names no pinned script')
  return code.replace('0123456789abcdef', file)
}

interface ClientSettings {
  readonly url?: string
  readonly args?: readonly string[]
}

/** Client settings name the site; sample answers equal the site's. */
export async function checkJson({ base }: SnippetSite, code: string): Promise<void> {
  const shown = JSON.parse(code)
  if (shown.mcpServers) {
    for (const [name, { url, args }] of Object.entries<ClientSettings>(shown.mcpServers))
      assert.equal(url ?? args?.at(-1), base + (name.endsWith('-drafts') ? '/api/v1/mcp' : '/api/mcp'))
    return
  }
  assert.equal(shown.reason, 'validation_failed', 'nothing says which answer this is')
  const headers = { 'x-request-id': shown.request_id }
  const answer = await fetchRetrying503(`${base}/api/public/pieces/recent?limit=500`, { headers })
  assert.deepEqual(await answer.json(), shown)
}
