import assert from 'node:assert/strict'
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import type pg from 'pg'
import { migrateTo } from '../../server/sql/migrate.ts'
import { type CliResult, cleanEnv } from '../../testkit/cli.ts'
import { scratchDatabase } from '../../testkit/database.ts'
import { codeBlocksIn } from '../../testkit/file-formats.ts'
import { temporaryFolder } from '../../testkit/files.ts'
import { freePort } from '../../testkit/network.ts'
import { type Receiver, startReceiver } from '../../testkit/receivers.ts'
import { until } from '../../testkit/waiting.ts'

/**
 * An upgrade and rollback under load: the previous release on this release's database. It shows that both releases work
 * with a migration, not how long the migration takes on large tables.
 */

const root = join(import.meta.dirname, '../..')

/** A site under load whose processes run one release or another. */

const secret = 'a-secret-of-tests-that-everybody-knows'
const unlimited = '1000000000'
const limits = {
  RATE_READ: unlimited,
  RATE_SEARCH: unlimited,
  RATE_SIGN_IN: unlimited,
  RATE_WRITE: unlimited,
  DRAFTS_PER_DAY: unlimited,
  FIRST_DAY_PIECES: '100000',
  FIRST_WEEK_PIECES: '100000',
  // For busy machines.
  LOAD_FACTOR: '1000',
  TIMEOUT_FACTOR: '20',
  SEARCH_BUDGET: '5000',
}

interface Running {
  readonly base: string
  readyz(): Promise<{ status: number; text: string }>
  untilReady(): Promise<void>
  /** As a deploy does. */
  stop(): Promise<void>
}

/** One release, by the folder of its sources. */
interface Release {
  run(...args: string[]): Promise<CliResult>
  /** `serve` or `worker`; returns at once. */
  start(command: 'serve' | 'worker'): Promise<Running>
  /** The same, and waits until ready. */
  startReady(command: 'serve' | 'worker'): Promise<Running>
}

function releaseIn(folder: string, databaseUrl: string, receiver: Receiver): Release {
  const { bin } = JSON.parse(readFileSync(join(folder, 'server/package.json'), 'utf8'))
  const cli = join(folder, 'server', bin.standfirst)
  const env = { ...limits, DATABASE_URL: databaseUrl, AUTH_SECRET: secret, SECRETS_KEY: secret }
  // Registered here, since an `after` inside a test would run when that test ends.
  const children: ChildProcess[] = []
  after(() => children.map((child) => child.kill('SIGKILL')))
  const start: Release['start'] = async (command) => {
    const [port, adminPort] = [await freePort(), await freePort()]
    const base = `http://127.0.0.1:${port}`
    const child = spawn(process.execPath, [cli, command], {
      env: cleanEnv({
        ...env,
        BASE_URL: base,
        PORT: String(port),
        ADMIN_PORT: String(adminPort),
        OUTBOUND_ALLOW: receiver.host,
        SHUTDOWN_DELAY: '0',
        LOG_LEVEL: 'error',
      }),
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    children.push(child)
    let said = ''
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    const readyz = async () => {
      assert.equal(child.exitCode, null, `${command} ended: ${said}`)
      return fetch(`http://127.0.0.1:${adminPort}/readyz`).then(
        async (answer) => ({ status: answer.status, text: await answer.text() }),
        () => ({ status: 0, text: '' }),
      )
    }
    return {
      base,
      readyz,
      untilReady: async () => {
        await until(async () => (await readyz()).status === 200, `a ${command} that is ready`)
      },
      stop: async () => {
        const ended = once(child, 'exit')
        child.kill('SIGTERM')
        const [code] = await ended
        assert.equal(code, 0, said)
      },
    }
  }
  return {
    run: (...args) =>
      new Promise((resolve) => {
        execFile(process.execPath, [cli, ...args], { env: cleanEnv(env) }, (failed, out, error) =>
          resolve({ code: failed ? Number(failed.code) : 0, out, error, output: out + error }),
        )
      }),
    start,
    startReady: async (command) => {
      const running = await start(command)
      await running.untilReady()
      return running
    },
  }
}

/** The factories of the release that made the database. */
/** Releases have it at one of two paths. */
const factoriesOf = (folder: string): string =>
  ['testkit/factories.ts', 'server/testing/make.ts'].find((path) => existsSync(join(folder, path)))!

type Makers = Pick<typeof import('../../testkit/factories.ts'), 'makeKey' | 'makeWriter'>

interface Load {
  /** The servers to send requests to, in turn. */
  servers: readonly Running[]
  /** Requests with unexpected answers. */
  readonly failures: readonly string[]
  readonly published: ReadonlySet<string>
  /** Waits until every client has finished so many more rounds, or something failed. */
  rounds(count: number): Promise<void>
  /** Waits until all publications were delivered to the writers' webhooks. */
  allDelivered(): Promise<void>
  /** Stops every client after its current round. */
  end(): Promise<void>
}

const writers = 3

async function startLoad(
  admin: pg.Pool,
  { makeWriter, makeKey }: Makers,
  receiver: Receiver,
  servers: readonly Running[],
): Promise<Load> {
  const failures: string[] = []
  const published = new Set<string>()
  const done: number[] = []
  let isOver = false
  let asked = 0
  const load: Load = {
    servers,
    failures,
    published,
    rounds: async (count) => {
      const enough = done.map((rounds) => rounds + count)
      await until(
        () => failures.length > 0 || done.every((rounds, at) => rounds >= enough[at]!),
        `everybody has done ${count} rounds more`,
      )
    },
    allDelivered: async () => {
      const ids = [...published]
      await until(() => {
        const deliveredText = receiver.delivered.map(({ body }) => body.toString('utf8')).join('\n')
        return ids.every((id) => deliveredText.includes(id))
      }, 'all that was published was told')
    },
    end: async () => {
      isOver = true
      await Promise.all(living)
    },
  }

  async function ask(
    method: string,
    path: string,
    headers: object,
    body?: object,
    expected = 200,
  ): Promise<{ text: string; tag: string }> {
    asked += 1
    const { base } = load.servers[asked % load.servers.length]!
    const answer = await fetch(`${base}${path}`, {
      method,
      // The server may close a keep-alive connection just as it is reused.
      headers: { connection: 'close', ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    }).catch((error: Error) => ({ status: 0, headers: new Headers(), text: async () => String(error.cause ?? error) }))
    const text = await answer.text()
    // Rendering has a fixed limit of two seconds, and a busy site refuses before it does any work; on a busy machine
    // neither says anything about the release.
    const isBusy =
      (answer.status === 422 && text.includes('"render_too_large"')) ||
      (answer.status === 503 && text.includes('"overloaded"'))
    if (isBusy) return ask(method, path, headers, body, expected)
    if (answer.status === expected) return { text, tag: answer.headers.get('etag')! }
    failures.push(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`)
    throw new Error(failures.at(-1))
  }

  /** Drafts and edits by key; previews, publishing and edits at the desk; public reads and searches. */
  async function round(key: object, desk: object, slug: string, mark: string): Promise<void> {
    const draft = { headline: `On ${mark}`, body_md: `It was the morning of ${mark}.`, tags: ['quiet'] }
    const { id } = JSON.parse((await ask('POST', '/api/v1/pieces', key, draft, 201)).text)
    const { tag } = await ask('GET', `/api/v1/pieces/${id}`, key)
    await ask('PATCH', `/api/v1/pieces/${id}`, { ...key, 'if-match': tag }, { sub: 'Nothing was lost.' })
    await ask('GET', '/api/v1/pieces/me', key)
    await ask('GET', '/desk/api/pieces', desk)
    const shown = JSON.parse((await ask('POST', `/desk/api/pieces/${id}/preview`, desk)).text)
    await ask('POST', `/desk/api/pieces/${id}/publish`, desk, { nonce: shown.nonce })
    published.add(id)
    for (const path of [`/api/public/pieces/${id}`, '/api/public/pieces/recent', `/author/${slug}`, '/feed.xml'])
      await ask('GET', path, {})
    const { text } = await ask('GET', `/api/public/pieces/search?q=${mark}`, {})
    if (!text.includes(id)) failures.push(`a search for ${mark} does not find ${id}`)
    await ask('GET', '/desk/api/webhook/deliveries', desk)
  }

  async function live(place: number): Promise<void> {
    const slug = `writer-${place}`
    const writer = await makeWriter(admin, { slug })
    const { key } = await makeKey(admin, writer)
    const byKey = { authorization: `Bearer ${key}` }
    const atDesk = { cookie: `desk=${writer.sessionToken}`, 'sec-fetch-site': 'same-origin' }
    await ask('PUT', '/desk/api/webhook', atDesk, { url: `http://${receiver.host}/${slug}` })
    await until(
      async () => JSON.parse((await ask('GET', '/desk/api/webhook', atDesk)).text).webhook.state === 'live',
      'a webhook that is live',
    )
    done[place] = 0
    living.push(
      (async () => {
        for (; !isOver && failures.length === 0; done[place]! += 1)
          await round(byKey, atDesk, slug, `mark${place}x${done[place]}x`).catch(() => {})
      })(),
    )
  }

  const living: Promise<void>[] = []
  for (let place = 0; place < writers; place += 1) await live(place)
  return load
}

/** The release that upgrades start from: the commit in deploy/previous-release.json, out of this repository's history. */

interface Locked {
  readonly version?: string
  readonly dev?: boolean
  readonly link?: boolean
}

/** The installed packages of a release by path; our own packages are in the tree itself. */
function packagesIn(folder: string): [string, string | undefined][] {
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
  return Object.entries(lock.packages as Record<string, Locked>)
    .filter(([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link)
    .map(([path, { version }]) => [path, version])
}

/** Returns the folder of its sources with their packages; removed after the tests. */
function checkOutPrevious(): string {
  const { commit } = JSON.parse(readFileSync(join(root, 'deploy/previous-release.json'), 'utf8'))
  const folder = temporaryFolder()
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 256 * 1024 * 1024 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  if (isDeepStrictEqual(packagesIn(folder), packagesIn(root)))
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  else
    execFileSync('npm', ['ci', '--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'], {
      cwd: folder,
    })
  return folder
}

const previous = checkOutPrevious()
const rounds = 4

/** CONTRIBUTING.md's example migration, which has every kind of step, in addition to this release's. */
const guide = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
const expand = { name: '9990_expand.sql', text: codeBlocksIn(guide).find(({ language }) => language === 'sql')!.code }

const contract = {
  name: '9991_contract.sql',
  text: 'set local role svc_owner; alter table app.pieces drop column frame cascade',
}

const { url, admin } = await scratchDatabase()
const receiver = await startReceiver()
const before = releaseIn(previous, url, receiver)
const now = releaseIn(root, url, receiver)

/** What doctor reports as broken, except the desk, which is not built in a checkout. */
async function brokenTo(release: Release): Promise<string[]> {
  const { output } = await release.run('doctor')
  return output.split('\n').filter((line) => line.startsWith('✗') && !line.includes('desk is not built'))
}

async function begin(): Promise<{ server: Running; worker: Running; load: Load }> {
  for (const command of [['migrate'], ['seed', '--pieces', '20', '--authors', '3']]) {
    const { code, output } = await before.run(...command)
    assert.equal(code, 0, output)
  }
  const [server, worker] = await Promise.all([before.startReady('serve'), before.startReady('worker')])
  const load = await startLoad(admin, await import(join(previous, factoriesOf(previous))), receiver, [server])
  await load.rounds(rounds)
  return { server, worker, load }
}

const { load, ...old } = await begin()

test('from the release before to this one and back, under load, no request fails and everything published is told', async () => {
  assert.deepEqual(load.failures, [], 'the release before, on its own database')
  const server = await now.start('serve')
  const migrated = await now.run('migrate')
  assert.equal(migrated.code, 0, migrated.output)
  await migrateTo(url, [expand])
  await load.rounds(rounds)
  assert.deepEqual(load.failures, [], 'the release before, on the new database')
  assert.equal((await old.server.readyz()).status, 200)
  assert.deepEqual(await Promise.all([brokenTo(before), brokenTo(now)]), [[], []])

  const worker = await now.startReady('worker')
  await server.untilReady()
  load.servers = [old.server, server]
  await load.rounds(rounds)
  assert.deepEqual(load.failures, [], 'both releases at once')
  load.servers = [server]
  await load.rounds(1)
  await Promise.all([old.server.stop(), old.worker.stop()])
  await load.rounds(rounds)
  assert.deepEqual(load.failures, [], 'this release')

  Object.assign(old, { server: await before.startReady('serve'), worker: await before.startReady('worker') })
  load.servers = [server, old.server]
  await load.rounds(rounds)
  load.servers = [old.server]
  await load.rounds(1)
  await Promise.all([server.stop(), worker.stop()])
  await load.rounds(rounds)
  assert.deepEqual(load.failures, [], 'the release before again')
  await load.allDelivered()
  assert.ok(load.published.size >= 3 * 6 * rounds, String(load.published.size))
})

test('a migration that drops a column which the release before reads is found', async () => {
  assert.deepEqual(load.failures, [])
  await migrateTo(url, [contract])
  await load.rounds(rounds)
  assert.match(load.failures[0] ?? '', /: 500 /)
  await load.end()
  await Promise.all([old.server.stop(), old.worker.stop()])
})
