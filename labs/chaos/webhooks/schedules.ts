import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { makeSchedulesDue } from '../../../testkit/desk.ts'
import { type DeskRequest, type DeskWriter, previewNonce } from '../../../testkit/desk-client.ts'
import type { Appearance, ScheduledPiece } from './evidence.ts'
import type { WorkerPool } from './workers.ts'

/**
 * Pieces that are published at a time, while workers are killed just then. Nobody waits for a time to come: it is moved in
 * the database.
 */

const lockNumber = 20_261_118
const patience = 60_000

/**
 * Records when each piece becomes public, and stops a worker in the middle of publishing a scheduled one for as long as the
 * run holds the lock.
 */
const watchSql = `
create table chaos.appearances (piece uuid not null, at timestamptz not null);
create function chaos.appeared() returns trigger language plpgsql security definer as $$
begin
  insert into chaos.appearances values (new.id, clock_timestamp());
  return null;
end
$$;
create trigger chaos_watches after insert on pub.pieces for each row execute function chaos.appeared();
create function chaos.publishing() returns trigger language plpgsql security definer as $$
begin
  perform pg_advisory_xact_lock_shared(${lockNumber});
  perform pg_notify('chaos', 'published ' || session_user);
  return null;
end
$$;
create trigger chaos_watches after delete on app.schedules for each row
  when (session_user like 'worker\\_of\\_%') execute function chaos.publishing();
`

/** An injected bug: what is due within a day is taken for due. Only in this run's database. */
const earlySql = `
do $do$ declare name text; body text; begin
  foreach name in array array['due_schedules', 'publish_scheduled'] loop
    body := pg_get_functiondef(('app.' || name)::regproc);
    if strpos(body, 's.publish_at <= clock_timestamp()') = 0 then raise 'app.% has no such words any more', name; end if;
    execute replace(body, 's.publish_at <= clock_timestamp()', 's.publish_at <= clock_timestamp() + interval ''1 day''');
  end loop;
end $do$`

export async function watchSchedules(admin: pg.Pool, isEarly: boolean): Promise<void> {
  await admin.query(watchSql)
  if (isEarly) await admin.query(earlySql)
}

export async function readAppearances(admin: pg.Pool): Promise<Appearance[]> {
  const { rows } = await admin.query<{ piece: string; at: Date }>('select piece, at from chaos.appearances order by at')
  return rows.map(({ piece, at }) => ({ piece, at: at.getTime() }))
}

/** Of each round, which ends how. */
const batch = ['valid', 'changed', 'valid', 'cancelled', 'valid', 'later'] as const
const ways = ['publishing', 'published', 'together'] as const

interface Scheduling {
  readonly admin: pg.Pool
  readonly ask: DeskRequest
  readonly writers: readonly DeskWriter[]
  readonly random: () => number
  readonly workers: Pick<WorkerPool, 'kill'>
  /** No worker is killed. */
  readonly isQuiet: boolean
  readonly onScheduled: (one: ScheduledPiece) => void
}

interface Schedules {
  /** A worker has published a scheduled piece. */
  published(worker: string): void
  run(rounds: number): Promise<void>
}

export function startSchedules({ admin, ask, writers, random, workers, isQuiet, onScheduled }: Scheduling): Schedules {
  let isTarget = false
  const killed = new Set<'publishing' | 'published'>()
  /** The database restarts now and then. */
  const patiently = async <Value>(attempt: () => Promise<Value | undefined>, what: string): Promise<Value> => {
    for (const end = Date.now() + patience; Date.now() < end; await pause(100)) {
      const value = await attempt().catch(() => undefined)
      if (value !== undefined) return value
    }
    throw new Error(`not within a minute: ${what}`)
  }
  const asked = (writer: DeskWriter, method: string, path: string, statuses: readonly number[], payload?: object) =>
    patiently(async () => {
      const { status } = await ask(writer, method, path, payload)
      return status !== null && statuses.includes(status) ? true : undefined
    }, `${method} ${path}`)
  const addJob = () => patiently(() => admin.query("select jobs.add('schedules.publish', '{}')"), 'the job')

  async function schedule(): Promise<{ writer: DeskWriter; piece: string } | undefined> {
    const writer = writers[Math.floor(random() * writers.length)]!
    const piece = writer.drafts.pop()
    if (piece === undefined) return undefined
    await patiently(async () => {
      const nonce = await previewNonce(ask, writer, piece)
      const at = new Date(Date.now() + 3_600_000).toISOString()
      const { status } = await ask(writer, 'POST', `pieces/${piece}/schedule`, { nonce, at })
      return status === 200 ? true : undefined
    }, `a schedule of ${piece}`)
    return { writer, piece }
  }

  /** The time that has come, by the database's clock. */
  const makeDue = (piece: string): Promise<number> =>
    patiently(async () => {
      await makeSchedulesDue(admin, [piece], '0 seconds')
      const { rows } = await admin.query<{ at: Date }>(
        'select coalesce((select publish_at from app.schedules where piece_id = $1), now()) as at',
        [piece],
      )
      return rows[0]!.at.getTime()
    }, `${piece} is due`)

  /** The worker that waits in the middle of publishing is killed there. */
  async function killInTheMiddle(): Promise<void> {
    const client = await admin.connect()
    try {
      await client.query('select pg_advisory_lock($1)', [lockNumber])
      await addJob()
      const worker = await patiently(async () => {
        const { rows } = await admin.query<{ worker: string }>(
          `select a.usename as worker from pg_locks l join pg_stat_activity a using (pid)
            where l.locktype = 'advisory' and l.objid = $1 and not l.granted limit 1`,
          [lockNumber],
        )
        return rows[0]?.worker
      }, 'a worker publishes what is due')
      // It waits there until another worker can go on.
      await patiently(async () => workers.kill(worker, 'publishing') || undefined, `${worker} is killed`)
      killed.add('publishing')
    } finally {
      // With its connection the lock goes.
      client.release(true)
    }
  }

  async function round(way: (typeof ways)[number]): Promise<void> {
    const due: string[] = []
    for (const consent of batch) {
      const made = await schedule()
      if (!made) return
      const { writer, piece } = made
      if (consent === 'changed') await asked(writer, 'PUT', `pieces/${piece}/slug`, [200], { slug: `changed-${piece}` })
      if (consent === 'cancelled') await asked(writer, 'DELETE', `pieces/${piece}/schedule`, [200, 409])
      const at = consent === 'later' ? null : await makeDue(piece)
      onScheduled({ piece, writer: writer.slug, consent, due: at })
      if (consent === 'valid') due.push(piece)
    }
    if (isQuiet || way === 'together') for (let worker = 0; worker < 3; worker += 1) await addJob()
    else if (way === 'published') {
      isTarget = true
      await addJob()
    } else await killInTheMiddle().catch(() => {})
    await untilPublic(due)
  }

  const untilPublic = (pieces: readonly string[]) =>
    patiently(async () => {
      await addJob()
      await pause(300)
      const { rows } = await admin.query('select from pub.pieces where id = any ($1)', [pieces])
      return rows.length === pieces.length ? true : undefined
    }, 'what was due is public')

  return {
    published(worker) {
      if (!isTarget) return
      isTarget = !workers.kill(worker, 'published')
      if (!isTarget) killed.add('published')
    },
    async run(rounds) {
      // What is never published is for the checker to find.
      const isEnough = (number: number) => number >= rounds && (isQuiet || killed.size === 2 || number >= 3 * rounds)
      for (let number = 0; !isEnough(number); number += 1)
        await round(ways[number % ways.length]!).catch((error: unknown) => console.log(String(error)))
    },
  }
}
