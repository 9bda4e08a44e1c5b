import { once } from 'node:events'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import {
  addWebhooks,
  type DeskRequest,
  type DeskWriter,
  deskAt,
  makeWriters,
  publish,
} from '../../../testkit/desk-client.ts'
import { requirePrograms, scratchFolder, waitUntil } from '../../../testkit/engines/engine.ts'
import { createSiteDatabase, startPrimary } from '../../../testkit/engines/postgres.ts'
import { type SiteProcess, startServer, startWorker } from '../../../testkit/engines/site.ts'
import type { Length } from '../site.ts'

/**
 * P20: only the database's clock counts. A worker whose clock is an hour off runs every job when it is due and sends no
 * webhook with a wrong timestamp; it sends them when its clock is right again.
 */

const hour = 3600
/** Seconds a job may be late: workers are notified of most and poll for the rest every three seconds. */
const latest = 5
const sizes = { short: { watched: 2 }, usual: { watched: 10 }, long: { watched: 130 } }

interface Scene {
  readonly worker: SkewedWorker
  readonly receivers: Receivers
  readonly ask: DeskRequest
  readonly writer: DeskWriter
  readonly admin: pg.Pool
  /** Seconds to watch for anything that should not happen. */
  readonly watched: number
}

export async function proveClock(length: Length): Promise<boolean> {
  requirePrograms('faketime')
  const { admin, urlOf } = await createSiteDatabase(await startPrimary())
  const receivers = await startReceivers()
  const OUTBOUND_ALLOW = receivers.host
  const log = `${scratchFolder('logs')}/desk`
  const desk = await startServer(
    { env: { DESK_DATABASE_URL: urlOf('svc_desk'), OUTBOUND_ALLOW }, log },
    '--surfaces',
    'desk',
  )
  const worker = await startSkewedWorker({
    WORKER_DATABASE_URL: urlOf('svc_worker'),
    PURGE_URL: `http://${receivers.host}/`,
    OUTBOUND_ALLOW,
  })
  const ask = deskAt(desk.base)
  const [writer] = await makeWriters(admin, 1, 4)
  await addWebhooks(
    ask,
    [writer!],
    () => `http://${receivers.host}/hook`,
    () => {},
  )
  const scene = { worker, receivers, ask, writer: writer!, admin, watched: sizes[length].watched }

  const verdicts = [await offBy(scene, hour), await offBy(scene, -hour), await offBy(scene, 30)]
  if (length === 'long') verdicts.push(await byTheClock(scene, hour))
  const wrong = receivers.delivered.filter(({ ahead }) => Math.abs(ahead) > 60)
  console.log(`${receivers.delivered.length} webhooks sent in all, ${wrong.length} of them signed with a wrong time`)
  await admin.end()
  return verdicts.every(Boolean) && wrong.length === 0
}

/** Sets the clock, publishes, orders a job for later, and watches; then sets it right. */
async function offBy(scene: Scene, seconds: number): Promise<boolean> {
  const { worker, receivers, ask, writer, admin, watched } = scene
  const isWrong = Math.abs(seconds) > 60
  worker.setAhead(seconds)
  await waitUntil(
    'the worker’s clock',
    async () => Math.abs((await worker.metric('standfirst_clock_ahead_seconds')) - seconds) < 5,
  )
  const piece = writer.drafts.pop()!
  const { result } = await publish(ask, writer, piece)
  if (result !== 'ok') throw new Error(`not published: ${result}`)
  const tag = `later-${seconds}`
  const { rows } = await admin.query<{ due: Date }>(
    `select now() + interval '3 seconds' as due, jobs.add('cache.purge', jsonb_build_object('tags', array[$1]), now() + interval '3 seconds')`,
    [tag],
  )
  const due = rows[0]!.due.getTime()
  const purge = () => receivers.purged.find(({ tags }) => tags === tag)
  const delivery = () => receivers.delivered.find(({ body }) => body.includes(piece))
  await waitUntil('the job', () => purge() !== undefined, (3 + latest) * 1000 + 10_000).catch(() => {})
  await pause(watched * 1000)
  const late = ((purge()?.at ?? Number.POSITIVE_INFINITY) - due) / 1000
  const wasSent = delivery() !== undefined
  const reports = worker.said('clock_wrong').filter(({ ahead }) => Math.abs(ahead - seconds) < 5).length
  worker.setAhead(0)
  const right = Date.now()
  await waitUntil('the webhook', () => delivery() !== undefined, 20_000).catch(() => {})
  const after = ((delivery()?.at ?? Number.POSITIVE_INFINITY) - right) / 1000
  console.log(
    `clock ${seconds} s off: a job ordered for later ran ${late.toFixed(2)} s after it was due; ` +
      (isWrong
        ? `no webhook for as long as it was wrong: ${!wasSent}, said so: ${reports > 0}; sent ${after.toFixed(1)} s after it was right`
        : `webhooks go on: ${wasSent}`),
  )
  const isPunctual = late >= 0 && late <= latest
  return isPunctual && (isWrong ? !wasSent && reports > 0 && after <= 10 : wasSent && reports === 0)
}

/** Scheduled jobs run every minute by the database's clock. */
async function byTheClock({ worker, admin }: Scene, seconds: number): Promise<boolean> {
  worker.setAhead(seconds)
  const { rows: begun } = await admin.query<{ now: Date }>('select now()')
  await pause(185_000)
  const { rows } = await admin.query<{ second: number }>(
    `select extract(epoch from started_on)::double precision % 60 as second from jobs.job
      where name = 'drafts.tell' and started_on > $1 order by started_on`,
    [begun[0]!.now],
  )
  worker.setAhead(0)
  console.log(
    `clock ${seconds} s off: a job of every minute ran ${rows.length} times in three, at seconds ${rows.map(({ second }) => second.toFixed(0)).join(', ')}`,
  )
  return rows.length >= 2 && rows.length <= 4
}

/** A webhook receiver and a cache that record requests. Their clock is right. */

interface Delivered {
  readonly body: string
  readonly at: number
  /** Seconds by which the time of its signature is ahead. */
  readonly ahead: number
}

interface Receivers {
  readonly host: string
  readonly delivered: readonly Delivered[]
  readonly purged: readonly { readonly tags: string; readonly at: number }[]
}

async function startReceivers(): Promise<Receivers> {
  const delivered: Delivered[] = []
  const purged: { tags: string; at: number }[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const at = Date.now()
    if (request.method === 'PURGE') purged.push({ tags: String(request.headers['xkey']), at })
    else {
      const signed = Number(request.headers['webhook-timestamp'])
      delivered.push({ body: Buffer.concat(chunks).toString(), at, ahead: signed - at / 1000 })
    }
    response.end('Noted.')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, delivered, purged }
}

/** A worker on a machine whose clock can be set while it runs (libfaketime). */

const library = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')[0]

interface SkewedWorker extends SiteProcess {
  /** Sets its clock ahead by this many seconds. */
  setAhead(seconds: number): void
  /** Lines of its log with this event. */
  said(event: string): { readonly ahead: number }[]
  metric(name: string): Promise<number>
}

async function startSkewedWorker(env: Readonly<Record<string, string>>): Promise<SkewedWorker> {
  if (!library) throw new Error('no libfaketime on this machine. Run: sudo bash .ci/engines')
  const folder = scratchFolder('clock')
  const clock = `${folder}/clock`
  const log = `${folder}/log`
  const setAhead = (seconds: number) => writeFileSync(clock, `${seconds < 0 ? '' : '+'}${seconds}\n`)
  setAhead(0)
  const program = await startWorker({
    env: {
      ...env,
      LOG_LEVEL: 'info',
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: clock,
      FAKETIME_NO_CACHE: '1',
      // The wall clock is wrong, not its speed.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
    },
    log,
  })
  return Object.assign(program, {
    setAhead,
    said: (event: string) =>
      readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line.includes(`"event":"${event}"`))
        .map((line) => JSON.parse(line)),
    metric: async (name: string) => {
      const text = await (await fetch(`${program.adminBase}/metrics`)).text()
      return Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1])
    },
  })
}
