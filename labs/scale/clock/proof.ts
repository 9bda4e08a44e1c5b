import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { migrate } from '../../../server/platform/db/migrate.ts'
import { type Ask, type DeskWriter, deskAt, giveWebhooks, makeWriters, publish } from '../../../testkit/desk-client.ts'
import { demandPrograms, scratchFolder, until } from '../../../testkit/engines/engine.ts'
import { startPrimary } from '../../../testkit/engines/postgres.ts'
import { startServer } from '../../../testkit/engines/site.ts'
import type { Length } from '../proof.ts'
import { type Receivers, startReceivers } from './receivers.ts'
import { type SkewedWorker, startSkewedWorker } from './skewed-worker.ts'

/**
 * P20: the database's clock rules. A worker whose own is an hour off runs every job when it is due, and sends nothing
 * whose signature would tell the wrong time; it takes that up when its clock is right.
 */

const hour = 3600
/** Seconds a job may be late: workers hear of most, and look for the rest every three. */
const latest = 5
const sizes = { short: { watched: 2 }, usual: { watched: 10 }, long: { watched: 130 } }

interface Scene {
  readonly worker: SkewedWorker
  readonly receivers: Receivers
  readonly ask: Ask
  readonly writer: DeskWriter
  readonly admin: pg.Pool
  /** Seconds for which it is looked whether anything happens that should not. */
  readonly watched: number
}

export async function proveClock(length: Length): Promise<boolean> {
  demandPrograms('faketime')
  const primary = await startPrimary()
  await primary.query('postgres', "create database site locale 'C.UTF-8' template template0")
  const url = (user?: string) => primary.urlOf('site', user)
  await migrate(url())
  const admin = new pg.Pool({ connectionString: url(), max: 2 })
  admin.on('error', () => {})
  const receivers = await startReceivers()
  const OUTBOUND_ALLOW = receivers.host
  const log = `${scratchFolder('logs')}/desk`
  const desk = await startServer(
    { env: { DESK_DATABASE_URL: url('svc_desk'), OUTBOUND_ALLOW }, log },
    '--surfaces',
    'desk',
  )
  const worker = await startSkewedWorker({
    WORKER_DATABASE_URL: url('svc_worker'),
    PURGE_URL: `http://${receivers.host}/`,
    OUTBOUND_ALLOW,
  })
  const ask = deskAt(desk.base)
  const [writer] = await makeWriters(admin, 1, 4)
  await giveWebhooks(
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
  await until(
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
  await until('the job', () => purge() !== undefined, (3 + latest) * 1000 + 10_000).catch(() => {})
  await pause(watched * 1000)
  const late = ((purge()?.at ?? Number.POSITIVE_INFINITY) - due) / 1000
  const wasSent = delivery() !== undefined
  const told = worker.said('clock_wrong').filter(({ ahead }) => Math.abs(ahead - seconds) < 5).length
  worker.setAhead(0)
  const right = Date.now()
  await until('the webhook', () => delivery() !== undefined, 20_000).catch(() => {})
  const after = ((delivery()?.at ?? Number.POSITIVE_INFINITY) - right) / 1000
  console.log(
    `clock ${seconds} s off: a job ordered for later ran ${late.toFixed(2)} s after it was due; ` +
      (isWrong
        ? `no webhook for as long as it was wrong: ${!wasSent}, said so: ${told > 0}; sent ${after.toFixed(1)} s after it was right`
        : `webhooks go on: ${wasSent}`),
  )
  const isPunctual = late >= 0 && late <= latest
  return isPunctual && (isWrong ? !wasSent && told > 0 && after <= 10 : wasSent && told === 0)
}

/** What happens every minute happens every minute, by the database's clock. */
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
