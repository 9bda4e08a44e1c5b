import type { ChildProcess } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createTransport } from 'nodemailer'
import type pg from 'pg'
import { createReaderKeys } from '../../../server/features/followers/keys.ts'
import { randomFrom } from '../../../server/seed/random.ts'
import { type DeskWriter, deskAt, makeWriters, publish } from '../../../testkit/desk-client.ts'
import { waitUntil } from '../../../testkit/engines/engine.ts'
import { createSiteDatabase, startPrimary } from '../../../testkit/engines/postgres.ts'
import { spawnWorker, startServer, trialSecret } from '../../../testkit/engines/site.ts'
import { freePort } from '../../../testkit/network.ts'
import type { Arrival, Evidence, Fate, Reader } from './check.ts'
import { type MailServers, startMailServers } from './mail-servers.ts'

export interface Plan {
  readonly readers: number
  readonly kills: number
  /** How long the relay is away, in milliseconds. */
  readonly outage: number
  readonly rng: number
  /** Leases of killed workers are ended instead of waited for, and nothing is timed. */
  readonly isShort: boolean
}

/** Of one worker that nothing disturbs. */
interface Cost {
  readonly emailsPerSecond: number
  readonly processorMilliseconds: number
}

export interface RunResult {
  readonly evidence: Evidence
  readonly kills: number
  readonly suppressed: number
  readonly cost: Cost | undefined
  readonly seconds: number
}

const domains = 20
const workers = 2
/** One in forty each: with the two that do not take emails, 5 % bounce or complain. */
const fates: readonly Fate[] = ['gone', 'complains', 'stops']
const oneIn = 40
const longestDrain = 900_000
const folder = fileURLToPath(new URL('../../../.data/chaos/', import.meta.url))

export async function runFollow(plan: Plan, say: (text: string) => void): Promise<RunResult> {
  const began = Date.now()
  mkdirSync(folder, { recursive: true })
  const log = join(folder, 'follow.log')
  rmSync(log, { force: true })
  const random = randomFrom(plan.rng, plan.readers).float
  const mail = await startMailServers()
  const postgres = await startPrimary({ fsync: 'off' })
  const { admin, urlOf } = await createSiteDatabase(postgres, 'follow')
  const [writer] = (await makeWriters(admin, 1, 3)) as [DeskWriter]
  const readers = await addReaders(admin, writer.id, plan.readers)

  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const env = { BASE_URL: base, DATABASE_URL: urlOf(), SHUTDOWN_DELAY: '0', LOG_LEVEL: 'info', ...mail.env }
  const server = await startServer({ env: { ...env, TIMEOUT_FACTOR: '4', LOAD_FACTOR: '1000' }, log, port })
  const ask = deskAt(base)
  const running = keepWorkers(() => spawnWorker({ env: { ...env, TIMEOUT_FACTOR: '4' }, log }))
  let interrupted = 0
  const noteInterruption = async () => {
    // Older leases are of workers that were killed before.
    const { rows } = await admin.query(
      `select count(*)::integer as count from app.reader_emails
        where lease_token is not null and due_at > now() + interval '110 seconds'`,
    )
    interrupted += rows[0].count
  }

  /** Publishes the next piece, and disturbs what follows from it until its emails have been sent. */
  const publishUnderFaults = async (piece: string, kills: number, outage: number) => {
    const { result } = await publish(ask, writer, piece)
    if (result !== 'ok') throw new Error(`the piece was not published: ${result}`)
    let [killed, isOut] = [0, false]
    const end = Date.now() + longestDrain
    for (;;) {
      const { rows } = await admin.query<{ left: number; sent: number; begun: number }>(
        `select count(*) filter (where state = 'pending')::integer as left, count(*) filter (where state = 'sent')::integer as sent,
                (select count(*) from app.announcements where done_at is null)::integer as begun from app.reader_emails
          where piece_id = $1`,
        [piece],
      )
      const { left, sent, begun } = rows[0]!
      say(`${sent} sent, ${left} waiting, ${killed} workers killed, ${mail.queued()} with the relay`)
      if (left === 0 && begun === 0) break
      if (Date.now() > end) throw new Error(`${left} emails are left`)
      if (outage > 0 && !isOut && sent > plan.readers / 4) {
        isOut = true
        await noteInterruption()
        await mail.stopRelay()
        await pause(outage)
        await mail.startRelay()
      }
      // Spread over what is left to send, so that workers are killed while they work.
      if (killed < kills && sent >= (killed * plan.readers) / (kills + 1)) {
        await noteInterruption()
        killed += running.killOne(random) ? 1 : 0
      }
      if (plan.isShort) await endLostLeases(admin)
      await pause(plan.isShort ? 100 : 250)
    }
    await waitUntil('the relay to have delivered everything', () => mail.queued() === 0, longestDrain)
    return killed
  }

  const [first, second, third] = writer.drafts as [string, string, string]
  let kills = await publishUnderFaults(first, Math.ceil(plan.kills / 2), plan.outage)
  const received = readArrivals(mail, writer)
  say(`${received.length} received; ${fates.join(', ')}`)
  await complain(mail, received, readers)
  const stopped = await stop(received, readers)
  const leaving = readers.filter(({ fate }) => fate === 'gone' || fate === 'complains').length
  const suppressed = async () =>
    (await admin.query('select count(*)::integer as count from app.readers where suppressed_at is not null')).rows[0]
      .count
  await waitUntil(`${leaving} readers to be suppressed`, async () => (await suppressed()) >= leaving, longestDrain)
  if (!plan.isShort) await pause(60_000)

  kills += await publishUnderFaults(second, Math.floor(plan.kills / 2), 0)
  const arrivals = readArrivals(mail, writer)
  const cost = plan.isShort ? undefined : await measureOne(running, admin, () => publish(ask, writer, third), third)
  const leaks = await findAddresses(admin, log)
  await running.stop()
  await server.stop()
  await admin.end()
  return {
    evidence: { readers: stopped, pieces: [first, second], arrivals, interrupted, leaks },
    kills,
    suppressed: leaving,
    cost,
    seconds: (Date.now() - began) / 1000,
  }
}

/** Readers who have confirmed that they follow the writer. */
async function addReaders(admin: pg.Pool, writer: string, count: number): Promise<Reader[]> {
  const keys = createReaderKeys([trialSecret])
  const readers = Array.from({ length: count }, (_, number): Reader => {
    const fate = fates[number % oneIn] ?? 'reads'
    return { fate, address: `${fate === 'gone' ? 'gone' : 'reader'}-${number}@d${number % domains}.test` }
  })
  const rows = readers.map(({ address }) => {
    const id = randomUUID()
    return {
      id,
      hash: keys.addressHashes(address)[0]!.toString('hex'),
      sealed: keys.sealAddress(address, id).toString('hex'),
      domain: keys.domainHash(address).toString('hex'),
    }
  })
  await admin.query(
    `with given as (select * from jsonb_to_recordset($1) as g (id uuid, hash text, sealed text, domain text)),
          added as (insert into app.readers (id, address_hash, sealed_address, domain_hash, language)
                    select id, decode(hash, 'hex'), decode(sealed, 'hex'), decode(domain, 'hex'), 'en' from given)
     insert into app.follows (reader_id, subject, frequency, asked_at, asked_on, asked_from, consent, confirmed_at, confirmed_from)
     select id, 'author:' || $2, 'each', now(), '/', '', 'Yes.', now(), '' from given`,
    [JSON.stringify(rows), writer],
  )
  return readers
}

interface RunningWorkers {
  /** Kills one of those that work; false if none does yet. */
  killOne(random: () => number): boolean
  /** Leaves one alone. */
  only(): ChildProcess
  stop(): Promise<void>
}

/** Keeps some running: where one ends, another starts. */
function keepWorkers(start: () => ChildProcess): RunningWorkers {
  const there = new Set<ChildProcess>()
  const working = new Set<ChildProcess>()
  let wanted = workers
  const fill = () => {
    while (there.size < wanted) {
      const child = start()
      there.add(child)
      child.stdout!.on('data', (text: Buffer) => text.includes('"working"') && working.add(child))
      child.once('exit', () => {
        there.delete(child)
        working.delete(child)
        fill()
      })
    }
  }
  fill()
  const gone = (child: ChildProcess) => new Promise((resolve) => child.once('exit', resolve))
  return {
    killOne(random) {
      const victim = [...working][Math.floor(random() * working.size)]
      return victim?.kill('SIGKILL') ?? false
    },
    only() {
      wanted = 1
      const [stays, ...others] = there
      for (const other of others) other.kill('SIGTERM')
      return stays!
    },
    async stop() {
      wanted = 0
      const ended = [...there].map(gone)
      for (const child of there) child.kill('SIGTERM')
      await Promise.all(ended)
    },
  }
}

/** A lease of ten seconds is of a worker that was killed: an attempt takes milliseconds. */
async function endLostLeases(admin: pg.Pool): Promise<void> {
  await admin.query(
    `with lost as (
       update app.reader_emails set due_at = now() where lease_token is not null and due_at < now() + interval '110 seconds'
       returning domain_hash)
     update app.mail_domains d set ready_at = now() from lost where lost.domain_hash = d.domain_hash`,
  )
}

interface Email extends Arrival {
  readonly headers: ReadonlyMap<string, string>
  readonly raw: string
}

/** Everything in the readers' mailboxes. */
function readArrivals({ mailboxes }: MailServers, { drafts, slug }: DeskWriter): Email[] {
  const folders = readdirSync(mailboxes).filter((name) => /^d\d+\.test$/.test(name))
  return folders.flatMap((name) => {
    const path = join(mailboxes, name, 'new')
    return readdirSync(path).map((file): Email => {
      const raw = readFileSync(join(path, file), 'utf8')
      const headers = headersOf(raw)
      const [, number = ''] = new RegExp(`Piece (\\d+) of ${slug}`).exec(headers.get('subject') ?? '') ?? []
      const [, dkim = 'missing'] = /dkim=(\w+)/.exec(headers.get('authentication-results') ?? '') ?? []
      return {
        address: headers.get('delivered-to') ?? '',
        messageId: headers.get('message-id') ?? '',
        piece: drafts[Number(number) - 1] ?? `"${headers.get('subject')}"`,
        dkim,
        at: statSync(join(path, file)).mtimeMs,
        headers,
        raw,
      }
    })
  })
}

/** The first of each name, in lower case and unfolded. */
function headersOf(raw: string): Map<string, string> {
  const [head = ''] = raw.split(/\r?\n\r?\n/, 1)
  const lines = head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)
  return new Map(
    lines
      .map(
        (line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()] as const,
      )
      .reverse(),
  )
}

/** Reports of spam (RFC 5965), sent to where the emails came from, as large providers do. */
async function complain({ env }: MailServers, arrivals: readonly Email[], readers: readonly Reader[]): Promise<void> {
  const transport = createTransport({ url: env['SMTP_URL']!, pool: true })
  for (const email of firstOf(arrivals, readers, 'complains')) {
    const to = email.headers.get('return-path')!.replace(/[<>]/g, '')
    const boundary = createHash('sha256').update(email.messageId).digest('hex')
    const parts = [
      'Content-Type: text/plain\r\n\r\nThis is an email abuse report.',
      `Content-Type: message/feedback-report\r\n\r\nFeedback-Type: abuse\r\nUser-Agent: Loop/1.0\r\nVersion: 1\r\nOriginal-Rcpt-To: ${email.address}`,
      `Content-Type: message/rfc822\r\n\r\n${email.raw}`,
    ]
    const raw = [
      `From: <abuse@d0.test>\r\nTo: <${to}>\r\nSubject: FW: ${email.headers.get('subject')}\r\nMIME-Version: 1.0`,
      `Content-Type: multipart/report; report-type=feedback-report; boundary="${boundary}"\r\n`,
      ...parts.map((part) => `--${boundary}\r\n${part}\r\n`),
      `--${boundary}--\r\n`,
    ].join('\r\n')
    await transport.sendMail({ envelope: { from: 'abuse@d0.test', to: [to] }, raw })
  }
  transport.close()
}

/** By the link in the header, as mail programs do (RFC 8058). */
async function stop(arrivals: readonly Email[], readers: readonly Reader[]): Promise<Reader[]> {
  const stoppedAt = new Map<string, number>()
  for (const email of firstOf(arrivals, readers, 'stops')) {
    const link = email.headers.get('list-unsubscribe')!.replace(/[<>]/g, '')
    if (email.headers.get('list-unsubscribe-post') !== 'List-Unsubscribe=One-Click') throw new Error('no one-click')
    const answer = await fetch(link, { method: 'POST', body: new URLSearchParams('List-Unsubscribe=One-Click') })
    if (!answer.ok) throw new Error(`${link} answered ${answer.status}`)
    await answer.body?.cancel()
    stoppedAt.set(email.address, Date.now())
  }
  return readers.map((reader) => {
    const at = stoppedAt.get(reader.address)
    return at === undefined ? reader : { ...reader, stoppedAt: at }
  })
}

function firstOf(arrivals: readonly Email[], readers: readonly Reader[], fate: Fate): Email[] {
  const theirs = new Set(readers.flatMap((reader) => (reader.fate === fate ? [reader.address] : [])))
  return [...new Map(arrivals.map((email) => [email.address, email])).values()].filter(({ address }) =>
    theirs.has(address),
  )
}

/** Sends a piece to all with one worker, which nothing disturbs. */
async function measureOne(
  running: RunningWorkers,
  admin: pg.Pool,
  publishNext: () => Promise<unknown>,
  piece: string,
): Promise<Cost> {
  const { pid } = running.only()
  await pause(20_000)
  const used = () => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return (Number(fields[11]) + Number(fields[12])) * 10
  }
  const [before, began] = [used(), performance.now()]
  await publishNext()
  let sent = 0
  await waitUntil(
    'everything to be sent',
    async () => {
      const { rows } = await admin.query(
        `select count(*) filter (where e.state = 'sent')::integer as sent,
                bool_and(a.done_at is not null) and coalesce(bool_and(e.state <> 'pending'), true) as is_done
           from app.announcements a left join app.reader_emails e on e.piece_id = a.piece_id where a.piece_id = $1`,
        [piece],
      )
      sent = rows[0].sent
      return rows[0].is_done
    },
    longestDrain,
  )
  return {
    emailsPerSecond: (sent * 1000) / (performance.now() - began),
    processorMilliseconds: (used() - before) / sent,
  }
}

const addressPattern = `(reader|gone)-[0-9]+@d[0-9]+\\.test`

/** Where an address of a reader can be read: in what processes wrote, and in every table. */
async function findAddresses(admin: pg.Pool, log: string): Promise<string[]> {
  const inLog = new Set(readFileSync(log, 'utf8').match(new RegExp(addressPattern, 'g')) ?? [])
  const { rows: tables } = await admin.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_schema in ('app', 'pub', 'jobs', 'search') and table_type = 'BASE TABLE'`,
  )
  const leaks = [...inLog].slice(0, 3).map((address) => `${address} in a log`)
  for (const { name } of tables) {
    const { rowCount } = await admin.query(`select from ${name} t where t::text ~ '${addressPattern}' limit 1`)
    if (rowCount) leaks.push(`an address in ${name}`)
  }
  return leaks
}
