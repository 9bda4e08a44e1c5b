import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { scratchFolder, waitUntil } from '../../../testkit/engines/engine.ts'
import {
  type ArchivedPostgres,
  type Postgres,
  startArchivedPostgres,
  startReplica,
} from '../../../testkit/engines/postgres.ts'
import { runCli, type SiteProcess, startServer, startWorker } from '../../../testkit/engines/site.ts'
import type { Length } from '../site.ts'
import { follow } from './runbook.ts'
import { differences, fingerprint, type Moment, openPlain, rowsIn, takeMoment } from './snapshot.ts'

/**
 * Every node is lost, twice: once the site comes back to a moment that was asked for, row by row; once as late as the
 * archive has it. The commands are those of docs/operations.md.
 */

/** Some 27 kB of database a piece: the usual form has more than a gigabyte. */
const pieces: Readonly<Record<Length, number>> = { short: 500, usual: 42_000, long: 300_000 }
const mostLost = 60
const mostSecondsPerGigabyte = 60
const database = 'standfirst'

export async function proveRestore(length: Length): Promise<boolean> {
  const archived = await startArchivedPostgres()
  const { primary } = archived
  await primary.query('postgres', `create database ${database}`)
  const people = await fill(primary, pieces[length])
  await follow('begin', archived)
  const site = await openSite(primary)
  const replica = await startReplica(primary, 'second')
  const size = await gigabytesOf(primary)
  console.log(`${size.toFixed(2)} GB of ${pieces[length]} pieces, backed up; a replica beside it`)

  const firstWal = await walOf(primary)
  const writing = await beginWriting(site.server.base, people, 20)
  await pause(5_000)
  await archived.pgbackrest('--stanza=site', '--type=diff', 'backup')
  await pause(5_000)
  const moment = await takeMoment(primary.urlOf(database))
  console.log(
    `T is ${moment.time}: ${rowsIn(moment.rows)} rows as they were then; writers were held ${moment.held.toFixed(0)} ms`,
  )
  await pause(5_000)
  await writing.end()
  const wal = ((await walOf(primary)) - firstWal) / writing.written.length / 1000
  console.log(
    `${((size * 1e6) / pieces[length]).toFixed(1)} kB of database a seeded piece; ${wal.toFixed(0)} kB of WAL a draft, every third of them published`,
  )
  // What was written after T must have reached the archive, or nothing would show that a restore leaves it out.
  await archived.pgbackrest('--stanza=site', 'check')
  await destroy(primary, replica)
  await site.close()

  const toMoment = await restored('to a moment', archived, moment.time)
  const isExact = await compare(primary, moment, writing)
  const serves = await servesAt(primary, moment, writing)
  await follow('afterwards', archived)
  const loss = await loseTheLatest(archived, people)

  const perGigabyte = toMoment / size
  const isLarge = size >= 1
  const isQuick = !isLarge || perGigabyte <= mostSecondsPerGigabyte
  const pace = isLarge
    ? `: ${perGigabyte.toFixed(1)} s per GB (at most ${mostSecondsPerGigabyte})`
    : '; the time per GB is told of one or more'
  console.log(`Restored to T in ${toMoment.toFixed(1)} s${pace}`)
  console.log(`Lost with every node: the last ${loss.toFixed(1)} s of writes (at most ${mostLost})`)
  return isExact && serves && isQuick && loss <= mostLost
}

async function fill(primary: Postgres, count: number): Promise<People> {
  const env = { DATABASE_URL: primary.urlOf(database) }
  await runCli(env, 'migrate')
  const said = await runCli(env, 'seed', '--pieces', String(count), '--json')
  return JSON.parse(said.slice(said.lastIndexOf('\n{') + 1)) as People
}

interface Site {
  readonly server: SiteProcess
  close(): Promise<void>
}

async function openSite(primary: Postgres): Promise<Site> {
  const env = { DATABASE_URL: primary.urlOf(database), SHUTDOWN_DELAY: '0', LOAD_FACTOR: '1000', TIMEOUT_FACTOR: '2' }
  const log = join(scratchFolder('site'), 'log')
  const server = await startServer({ env, log })
  const worker = await startWorker({ env, log })
  return { server, close: async () => void (await Promise.all([server.stop(), worker.stop()])) }
}

async function gigabytesOf(primary: Postgres): Promise<number> {
  const [row] = await primary.query<{ size: string }>(database, 'select pg_database_size(current_database()) as size')
  return Number(row!.size) / 1e9
}

/** Bytes of WAL since the cluster was made. */
async function walOf(primary: Postgres): Promise<number> {
  const [row] = await primary.query<{ bytes: string }>(database, "select pg_current_wal_lsn() - '0/0' as bytes")
  return Number(row!.bytes)
}

/** Kills the nodes and deletes their data; only the archive is left. */
async function destroy(...nodes: readonly Postgres[]): Promise<void> {
  for (const { folder } of nodes) {
    const postmaster = Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0])
    process.kill(postmaster, 'SIGKILL')
    await waitUntil('its processes have ended', () => !isAlive(postmaster))
    await pause(500)
    rmSync(folder, { recursive: true, maxRetries: 20, retryDelay: 100 })
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Seconds from the first command until it takes writes again. */
async function restored(
  step: 'to a moment' | 'to the latest',
  archived: ArchivedPostgres,
  moment = '',
): Promise<number> {
  const began = performance.now()
  await follow(step, archived, moment)
  await waitUntil(
    'the database takes writes',
    async () => {
      const [row] = await archived.primary.query<{ recovering: boolean }>(
        'postgres',
        'select pg_is_in_recovery() as recovering',
      )
      return !row!.recovering
    },
    600_000,
  )
  return (performance.now() - began) / 1000
}

async function compare(primary: Postgres, moment: Moment, { written, failed }: Writing): Promise<boolean> {
  const client = await openPlain(primary.urlOf(database))
  const wrong = differences(moment.rows, await fingerprint(client))
  await client.end()
  const found = await draftsIn(primary, written)
  const before = written.filter(({ acked }) => acked < moment.ms)
  const after = written.filter(({ sent }) => sent > moment.ms)
  const lost = before.filter(({ id }) => !found.has(id))
  const tooMany = after.filter(({ id }) => found.has(id))
  console.log(
    `Of ${written.length} acknowledged drafts (${failed()} tries failed) ${before.length} came before T: ${lost.length} lost; ${after.length} after T: ${tooMany.length} there`,
  )
  console.log(wrong.length === 0 ? 'Every table has every row as it was at T, and no other' : wrong.join('\n'))
  if (before.length < 20 || after.length < 20) console.log('That is too little to show anything.')
  return wrong.length + lost.length + tooMany.length === 0 && before.length >= 20 && after.length >= 20
}

async function draftsIn(primary: Postgres, written: readonly Written[]): Promise<Set<string>> {
  const ids = written.map(({ id }) => id)
  const rows = await primary.query<{ id: string }>(database, 'select id from app.pieces where id = any($1)', [ids])
  return new Set(rows.map(({ id }) => id))
}

/** The site opens on it: what was published by T is read and found, what came later is not there. */
async function servesAt(primary: Postgres, moment: Moment, { written }: Writing): Promise<boolean> {
  const site = await openSite(primary)
  const statusOf = async ({ id }: Written) => (await fetch(`${site.server.base}/api/public/pieces/${id}`)).status
  const shown = written.filter(({ published }) => published && published.acked < moment.ms)
  const later = written.filter(({ published }) => published && published.sent > moment.ms)
  const statuses = { shown: await Promise.all(shown.map(statusOf)), later: await Promise.all(later.map(statusOf)) }
  const [first] = shown
  const search = `${site.server.base}/api/public/pieces/search?q=${encodeURIComponent(first?.headline ?? '')}`
  const found = (await (await fetch(search)).json()) as { count: number; partial?: boolean }
  await site.close()
  const isSo =
    shown.length > 0 && statuses.shown.every((one) => one === 200) && statuses.later.every((one) => one === 404)
  console.log(
    `The site serves it: ${shown.length} pieces published by T are read, ${later.length} of later are not there; search ${found.count === 1 ? 'finds' : 'does NOT find'} what it found`,
  )
  return isSo && found.count === 1 && found.partial !== true
}

/** Destroys a quiet site at the worst time: just before its next WAL segment would be closed. */
async function loseTheLatest(archived: ArchivedPostgres, people: People): Promise<number> {
  const { primary } = archived
  const site = await openSite(primary)
  const writing = await beginWriting(site.server.base, people, 2)
  const [setting] = await primary.query<{ seconds: number }>(
    database,
    "select setting::integer as seconds from pg_settings where name = 'archive_timeout'",
  )
  // Some of it must be safe, or nothing would show that the rest follows from the clock.
  await waitUntil('something is written', () => writing.written.length >= 20)
  const segment = async () => {
    const [row] = await primary.query<{ name: string }>(
      database,
      'select pg_walfile_name(pg_current_wal_lsn()) as name',
    )
    return row!.name
  }
  const open = await segment()
  await waitUntil('a piece of WAL is closed by the clock', async () => (await segment()) !== open, 150_000)
  const closed = Date.now()
  await pause((setting!.seconds - 1) * 1000)
  console.log(
    `${((Date.now() - closed) / 1000).toFixed(1)} s after a piece of WAL was closed, archive_timeout ${setting!.seconds} s:`,
  )
  const destroyed = Date.now()
  await destroy(primary)
  await writing.end()
  await site.close()

  const seconds = await restored('to the latest', archived)
  const found = await draftsIn(primary, writing.written)
  const acknowledged = writing.written.filter(({ acked }) => acked <= destroyed)
  const lost = acknowledged.filter(({ id }) => !found.has(id))
  const firstLost = Math.min(...lost.map(({ acked }) => acked), destroyed)
  const keptAfter = acknowledged.filter(({ id, sent }) => found.has(id) && sent > firstLost)
  console.log(
    `Restored to the latest in ${seconds.toFixed(1)} s: ${acknowledged.length - lost.length} of ${acknowledged.length} drafts, the site destroyed a second before its next WAL would have left; ${keptAfter.length} later than the first that is missing`,
  )
  if (keptAfter.length > 0) throw new Error('there is a hole in what came back')
  return (destroyed - firstLost) / 1000
}

/** A writer who creates drafts by API key and publishes at the desk, and records what was acknowledged and when. */

interface People {
  readonly writer: { readonly email: string; readonly password: string }
  readonly api_key: string
}

interface Asked {
  readonly sent: number
  readonly acked: number
}

interface Written extends Asked {
  readonly id: string
  readonly headline: string
  readonly published?: Asked
}

interface Writing {
  readonly written: readonly Written[]
  /** Tries that were refused or got no answer: nothing is known of those. */
  readonly failed: () => number
  end(): Promise<void>
}

/** Creates drafts by API key at this rate; every third is published at the desk. */
async function beginWriting(base: string, { writer, api_key }: People, perSecond: number): Promise<Writing> {
  const cookie = await signIn(base, writer)
  const written: Written[] = []
  let failed = 0
  let isOver = false
  const one = async (number: number): Promise<void> => {
    const headline = `Draft ${number} ${randomUUID()}`
    const drafted = await timed(base, '/api/v1/pieces', { authorization: `Bearer ${api_key}` }, body(headline))
    if (drafted?.status !== 201) {
      failed += 1
      return
    }
    const { id, sent, acked } = drafted
    const published = number % 3 === 0 ? await publish(base, cookie, id!) : undefined
    if (published === null) failed += 1
    written.push({ id: id!, headline, sent, acked, ...(published ? { published } : {}) })
  }
  const loop = (async () => {
    for (let number = 1; !isOver; number += 1) {
      const next = pause(1000 / perSecond)
      await Promise.all([one(number), next])
    }
  })()
  return {
    written,
    failed: () => failed,
    end: async () => {
      isOver = true
      await loop
    },
  }
}

const body = (headline: string) => ({
  headline,
  body_md: `${headline}: it was a bright cold day, and nothing of it was lost.\n\n${'The kettle sang. '.repeat(60)}`,
})

async function publish(base: string, cookie: string, id: string): Promise<Asked | null> {
  const headers = { cookie, 'sec-fetch-site': 'same-origin' }
  const shown = await timed(base, `/desk/api/pieces/${id}/preview`, headers)
  if (shown?.status !== 200) return null
  const done = await timed(base, `/desk/api/pieces/${id}/publish`, headers, { nonce: shown.nonce })
  return done?.status === 200 ? { sent: done.sent, acked: done.acked } : null
}

async function signIn(base: string, { email, password }: People['writer']): Promise<string> {
  const knock = () =>
    fetch(`${base}/desk/api/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ email, password }),
    })
  // A connection that was kept may be closed by the other side just now: then a new one is made.
  const answer = await knock().catch(knock)
  if (!answer.ok) throw new Error(`nobody could sign in: ${answer.status} ${await answer.text()}`)
  return answer.headers
    .getSetCookie()
    .find((one) => one.startsWith('desk='))!
    .split(';')[0]!
}

interface Answer extends Asked {
  readonly status: number
  readonly id?: string
  readonly nonce?: string
}

/** Null where no answer came. */
async function timed(
  base: string,
  path: string,
  headers: Record<string, string>,
  payload?: object,
): Promise<Answer | null> {
  const sent = Date.now()
  try {
    const answer = await fetch(base + path, {
      method: 'POST',
      headers: payload ? { ...headers, 'content-type': 'application/json' } : headers,
      ...(payload ? { body: JSON.stringify(payload) } : {}),
      signal: AbortSignal.timeout(10_000),
    })
    const { id, nonce } = (await answer.json()) as { id?: string; nonce?: string }
    return { status: answer.status, sent, acked: Date.now(), ...(id ? { id } : {}), ...(nonce ? { nonce } : {}) }
  } catch {
    return null
  }
}
