import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after } from 'node:test'
import type pg from 'pg'
import { freePort } from '../../testkit/free-port.ts'
import { only, type Said } from '../../testkit/program.ts'
import { until } from '../../testkit/until.ts'
import type { Receiver } from '../../testkit/webhook-receiver.ts'

/** A site whose processes are of one release or another, while writers write and readers read. */

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
  // However busy the machine is.
  LOAD_FACTOR: '1000',
  TIMEOUT_FACTOR: '20',
  SEARCH_BUDGET: '5000',
}

export interface Running {
  readonly base: string
  readyz(): Promise<{ status: number; text: string }>
  untilReady(): Promise<void>
  /** As a deploy does. */
  stop(): Promise<void>
}

/** One release, by the folder of its sources. */
export interface Release {
  run(...args: string[]): Promise<Said>
  /** `serve` or `worker`; returns at once. */
  start(command: 'serve' | 'worker'): Promise<Running>
  /** The same, ready. */
  startReady(command: 'serve' | 'worker'): Promise<Running>
}

export function releaseIn(folder: string, databaseUrl: string, receiver: Receiver): Release {
  const { bin } = JSON.parse(readFileSync(join(folder, 'server/package.json'), 'utf8'))
  const cli = join(folder, 'server', bin.standfirst)
  const env = { ...limits, DATABASE_URL: databaseUrl, AUTH_SECRET: secret, SECRETS_KEY: secret }
  // Here, and not where they start: what a test starts would end with that test.
  const children: ChildProcess[] = []
  after(() => children.map((child) => child.kill('SIGKILL')))
  const start: Release['start'] = async (command) => {
    const [port, adminPort] = [await freePort(), await freePort()]
    const base = `http://127.0.0.1:${port}`
    const child = spawn(process.execPath, [cli, command], {
      env: only({
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
        execFile(process.execPath, [cli, ...args], { env: only(env) }, (failed, out, error) =>
          resolve({ code: failed ? Number(failed.code) : 0, out, error, said: out + error }),
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

/** Makers of writers, of whichever release made the database. */
/** Releases have it in one of two places. */
export const factoriesOf = (folder: string): string =>
  ['testkit/factories.ts', 'server/testing/make.ts'].find((path) => existsSync(join(folder, path)))!

type Makers = Pick<typeof import('../../testkit/factories.ts'), 'makeKey' | 'makeWriter'>

export interface Load {
  /** The servers that are asked, in turn. */
  servers: readonly Running[]
  /** What was not answered as it should be. */
  readonly failures: readonly string[]
  readonly published: ReadonlySet<string>
  /** Until everybody has done all that they do so many times more, or something failed. */
  rounds(count: number): Promise<void>
  /** Until what has been published was told to the writers' servers. */
  allTold(): Promise<void>
  /** Everybody ends what they are at. */
  end(): Promise<void>
}

const writers = 3

export async function startLoad(
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
    allTold: async () => {
      const ids = [...published]
      await until(() => {
        const told = receiver.delivered.map(({ body }) => body.toString('utf8')).join('\n')
        return ids.every((id) => told.includes(id))
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
      // One that is kept may be closed by the server in the very moment in which it is used again.
      headers: { connection: 'close', ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    }).catch((error: Error) => ({ status: 0, headers: new Headers(), text: async () => String(error.cause ?? error) }))
    const text = await answer.text()
    // Two seconds to set a text, which no setting stretches: on a busy machine this says nothing about the release.
    if (answer.status === 422 && text.includes('"render_too_large"')) return ask(method, path, headers, body, expected)
    if (answer.status === expected) return { text, tag: answer.headers.get('etag')! }
    failures.push(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`)
    throw new Error(failures.at(-1))
  }

  /** Drafts by key, changed by key; looked at, published and changed at the desk; read and searched by everybody. */
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
