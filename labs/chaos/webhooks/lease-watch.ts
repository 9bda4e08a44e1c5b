import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { messageId } from '../../../server/features/webhooks/sign.ts'
import type { DeliveryRecord, Lease } from './evidence.ts'

/** Triggers in the run's database that record leases. */

const watchSql = `
create schema chaos;
create table chaos.leases (
  token uuid primary key, delivery uuid not null, worker text not null,
  taken timestamptz not null, ended text
);
create function chaos.watch() returns trigger language plpgsql security definer as $$
begin
  if old.lease_token is not null then
    update chaos.leases set
      ended = case when new.last_problem = 'abandoned' and new.last_at = old.leased_at then 'abandoned' else 'reported' end
     where token = old.lease_token;
    if new.state = 'delivered' then perform pg_notify('chaos', 'marked ' || session_user); end if;
  end if;
  if new.lease_token is not null then
    insert into chaos.leases (token, delivery, worker, taken)
    values (new.lease_token, new.id, session_user, clock_timestamp());
    perform pg_notify('chaos', 'claimed ' || session_user);
  end if;
  return null;
end
$$;
create trigger chaos_watches after update on app.deliveries for each row
  when (old.lease_token is distinct from new.lease_token and new.event = 'piece.published')
  execute function chaos.watch();
`

export async function watchLeases(admin: pg.Pool): Promise<void> {
  await admin.query(watchSql)
}

/** Each worker process has its own database role, so that a lease names its worker. */
export async function addWorkerLogin(admin: pg.Pool, name: string): Promise<void> {
  await admin.query(`create role ${name} superuser login`)
}

type Noticed = 'claimed' | 'marked' | 'published'

/** Listens to the triggers' notifications and reconnects after every restart. */
export function listenForSteps(url: string, onStep: (step: Noticed, worker: string) => void) {
  let isStopping = false
  let client: pg.Client | undefined
  const listen = async () => {
    while (!isStopping) {
      client = new pg.Client({ connectionString: url })
      const over = Promise.withResolvers<void>()
      client.on('error', () => over.resolve())
      client.on('end', () => over.resolve())
      client.on('notification', ({ payload = '' }) => {
        const [step, worker] = payload.split(' ') as [Noticed, string]
        onStep(step, worker)
      })
      await client.connect().then(
        () => client?.query('listen chaos'),
        () => over.resolve(),
      )
      await over.promise
      await pause(100)
    }
  }
  const listening = listen()
  return {
    stop: async () => {
      isStopping = true
      await client?.end().catch(() => {})
      await listening
    },
  }
}

export async function readLeases(admin: pg.Pool): Promise<Lease[]> {
  const { rows } = await admin.query<{ delivery: string; worker: string; taken: Date; ended: Lease['end'] }>(
    'select delivery, worker, taken, ended from chaos.leases order by taken',
  )
  return rows.map(({ delivery, worker, taken, ended }) => ({
    message: messageId(delivery),
    worker,
    taken: taken.getTime(),
    end: ended,
  }))
}

export async function readDeliveries(admin: pg.Pool): Promise<DeliveryRecord[]> {
  const { rows } = await admin.query<Omit<DeliveryRecord, 'message' | 'sequence'> & { id: string; sequence: string }>(
    `select d.id, w.slug as writer, d.piece_id as piece, d.sequence, d.state, d.resent_at is not null as resent
       from app.deliveries d join app.writers w on w.id = d.writer_id where d.event = 'piece.published'`,
  )
  return rows.map(({ id, sequence, ...order }) => ({ message: messageId(id), sequence: Number(sequence), ...order }))
}

export async function readPublicPieces(admin: pg.Pool): Promise<Set<string>> {
  const { rows } = await admin.query<{ id: string }>('select id from pub.pieces')
  return new Set(rows.map(({ id }) => id))
}

/** Deliveries that are neither delivered nor cancelled, by writer. */
export async function countUndelivered(admin: pg.Pool): Promise<Map<string, number>> {
  const { rows } = await admin.query<{ writer: string; count: number }>(
    `select w.slug as writer, count(*)::integer as count from app.deliveries d join app.writers w on w.id = d.writer_id
      where d.state in ('pending', 'held', 'exhausted') group by w.slug`,
  )
  return new Map(rows.map(({ writer, count }) => [writer, count]))
}

/** Ends the leases of these killed workers at once, as if 45 seconds had passed. */
export async function expireLeases(admin: pg.Pool, workers: readonly string[]): Promise<void> {
  await admin.query(
    `with ended as (
       update app.deliveries d set due_at = clock_timestamp() from chaos.leases l
        where d.lease_token = l.token and l.worker = any ($1) and d.due_at > clock_timestamp()
       returning d.writer_id)
     select app.line_up(writer_id) from (select distinct writer_id from ended) as writers`,
    [workers],
  )
}
