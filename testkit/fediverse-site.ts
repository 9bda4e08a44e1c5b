import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { actorKeyContext, makeActorKeys } from '../server/features/fediverse/keys.ts'
import { createSealer, hashOf } from '../server/platform/crypto.ts'
import { servedSite, testApp } from './app.ts'
import { deskOf } from './desk.ts'
import { inTransaction, makeWriter } from './factories.ts'
import { startFediverseServers } from './fediverse-server.ts'
import { secretsKey } from './followers.ts'
import { testWorker } from './jobs.ts'
import { until } from './waiting.ts'

/** A site with an actor of its own and one of an author, and servers of the fediverse that it may call. */
export async function openFediverseSite(servers = 1, allowed: readonly string[] = []) {
  let pool: pg.Pool | undefined
  const others = await startFediverseServers(async (address) => {
    const { rows } = await pool!.query('select public_key from app.fediverse_actors where id::text = $1', [
      /actors\/([\da-f-]{36})#main-key$/.exec(address)?.[1],
    ])
    return rows[0]?.public_key
  }, servers)
  const OUTBOUND_ALLOW = [...others.hosts, ...allowed].join(',')
  const site = await servedSite({ OUTBOUND_ALLOW })
  const { url, admin, base } = site
  pool = admin
  const ada = await makeWriter(admin, { slug: 'ada', name: 'Ada' })
  // The browser's cookies are those of https.
  const desk = deskOf(await testApp(url), ada)
  return {
    ...site,
    others,
    ada,
    desk,
    actor: await makeActor(admin, ada.id),
    siteActor: await makeActor(admin, null),
    // No timeouts of statements, however busy the machine is.
    work: () => testWorker(url, { BASE_URL: base, OUTBOUND_ALLOW, TIMEOUT_FACTOR: '60' }),
    /** Publishes an update of a live piece. */
    async update(piece: string, given: object): Promise<void> {
      const saved = await desk.ask('PATCH', `pieces/${piece}`, given, { 'if-match': '*' })
      if (saved.statusCode !== 200) throw new Error(saved.body)
      const updated = await desk.act('update', piece)
      if (updated.statusCode !== 200) throw new Error(updated.body)
    },
  }
}

/** Switched on. Without a writer it is the site's. */
export async function makeActor(admin: pg.Pool, writer: string | null): Promise<string> {
  const id = randomUUID()
  const { publicKey, privateKey } = await makeActorKeys()
  await admin.query(
    `insert into app.fediverse_actors (id, writer_id, public_key, private_key, is_on, switched_on_at)
     values ($1, $2, $3, $4, true, now())`,
    [id, writer, publicKey, createSealer([secretsKey]).seal(privateKey, actorKeyContext(id))],
  )
  return id
}

/** As many follow at each inbox. */
export async function follow(
  admin: pg.Pool,
  actor: string,
  inboxes: readonly string[],
  { each = 1, isShared = true } = {},
) {
  const followers = inboxes.flatMap((inbox) =>
    Array.from({ length: each }, () => ({ inbox, follower: `http://${new URL(inbox).host}/users/${randomUUID()}` })),
  )
  await admin.query(
    `insert into app.fediverse_followers (actor_id, key, follower, inbox, shared_inbox, server)
     select $1, f.key, f.follower, case when $5 then f.follower || '/inbox' else f.inbox end, case when $5 then f.inbox end, f.server
       from unnest($2::bytea[], $3::text[], $4::text[], $6::text[]) as f (key, follower, inbox, server)`,
    [
      actor,
      followers.map(({ follower }) => hashOf(follower)),
      followers.map(({ follower }) => follower),
      followers.map(({ inbox }) => inbox),
      isShared,
      followers.map(({ inbox }) => new URL(inbox).host),
    ],
  )
}

/** Turns the clock to where waits are over. */
export const makeDeliveriesDue = (admin: pg.Pool): Promise<void> =>
  inTransaction(admin, async (client) => {
    await client.query('lock table app.fediverse_hosts in exclusive mode')
    await client.query(
      // Their order stays.
      `update app.fediverse_deliveries set due_at = due_at - interval '4 days'
        where due_at is not null and lease_token is null`,
    )
    await client.query('update app.fediverse_hosts set ready_at = clock_timestamp(), rests_until = null')
  })

/** Turns the clock to where leases have expired. */
export const expireLeases = (admin: pg.Pool): Promise<unknown> =>
  admin.query(
    "update app.fediverse_deliveries set due_at = clock_timestamp() - interval '1 ms' where lease_token is not null",
  )

/** Nothing is left to order or to send. */
export const untilSent = (admin: pg.Pool): Promise<unknown> =>
  until(async () => {
    const { rows } = await admin.query(
      `select (select count(*) from app.fediverse_changes) + (select count(*) from app.fediverse_activities where not is_expanded)
            + (select count(*) from app.fediverse_deliveries where due_at is not null) as waiting`,
    )
    return Number(rows[0].waiting) === 0
  }, 'every inbox has everything')
