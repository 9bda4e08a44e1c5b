import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { passwords } from '../../../testkit/engines/data-nodes.ts'
import { until } from '../../../testkit/engines/engine.ts'
import { areWhole } from '../../../testkit/engines/patroni.ts'
import { inTransaction } from '../../../testkit/factories.ts'
import type { Bugs } from './bad-cache.ts'
import type { Promised } from './check.ts'
import type { MailRoom } from './receivers.ts'
import type { Site } from './start.ts'
import type { Life } from './workload.ts'
import { untilWritten } from './workload.ts'

/** Bugs on purpose, in this run's own site: what is shipped has no switch for them. Each must break what it names. */

interface Planting {
  readonly site: Site
  readonly mail: MailRoom
  readonly life: Life
}

/** Takes out what it put in, as far as the next one would meet it. */
type Undo = () => Promise<unknown>

interface Plant {
  readonly breaks: Promised
  readonly front?: Partial<Bugs>
  plant?(planting: Planting): Promise<Undo | undefined>
}

const asPublisher = (admin: pg.Pool, piece: string, ...texts: readonly string[]) =>
  inTransaction(admin, async (client) => {
    await client.query('set local role svc_publisher')
    for (const text of texts) await client.query(text, [piece])
  })

const outOfThePublicWing = [
  'delete from pub.piece_texts where piece_id = $1',
  'delete from pub.piece_contents where piece_id = $1',
  'delete from pub.pieces where id = $1',
]
const aDraftAtTheDesk = "update app.pieces set editor_status = 'draft' where id = $1"

/** A piece that is public now and that nobody will take back. */
async function publicPiece({ life, site }: Planting): Promise<string> {
  let found: string | undefined
  await until('a public piece', async () => {
    const own = [...life.record.publications].filter(
      ([mark, { result }]) => result === 'ok' && !life.record.toBeUnpublished.has(mark),
    )
    const { rows } = await site.admin.query<{ id: string }>('select id from pub.pieces where id = any ($1) limit 1', [
      own.map(([, { piece }]) => piece),
    ])
    found = rows[0]?.id
    return found !== undefined
  })
  return found!
}

export const plants = {
  /** A proxy repeats a POST and leaves out the key that would tell. */
  doubled: { breaks: 'I1', front: { doubles: true } },
  /** A piece leaves the public wing, and nobody asked for it. */
  hidden: {
    breaks: 'I2',
    plant: async (planting) => {
      const { admin } = planting.site
      const piece = await publicPiece(planting)
      await asPublisher(admin, piece, ...outOfThePublicWing)
      return () => asPublisher(admin, piece, aDraftAtTheDesk)
    },
  },
  /** A public piece gets the headline of a draft. */
  leaked: {
    breaks: 'I3',
    plant: async (planting) => {
      const { site, life } = planting
      let mark: string | undefined
      await until('a draft', async () => {
        mark ??= life.authors.find(({ drafts }) => drafts.length > 0)?.drafts.shift()?.mark
        return mark !== undefined
      })
      const headline = `update pub.pieces set headline = 'CANARY-${mark}', modified_at = date_trunc('milliseconds', now()) where id = $1`
      await asPublisher(site.admin, await publicPiece(planting), headline)
      return undefined
    },
  },
  /** A delivery that was ordered is no longer there. */
  forgotten: {
    breaks: 'I4',
    plant: async (planting) => {
      const piece = await publicPiece(planting)
      await planting.site.admin.query('delete from app.deliveries where piece_id = $1', [piece])
      return undefined
    },
  },
  /** Somebody else calls a writer's server, and has not the secret. */
  forged: {
    breaks: 'I5',
    plant: async ({ mail, life }) => {
      const id = `http://site.test/p/${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}`
      await fetch(mail.urlOf(life.authors[0]!), {
        method: 'POST',
        headers: {
          'webhook-id': 'msg_forged',
          'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
          'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
          'x-service-event': 'piece.published',
        },
        body: JSON.stringify({ id, _service: { event: 'piece.published', sequence: 1 } }),
      })
      return undefined
    },
  },
  /** A key comes back to life when somebody ends it. */
  unrevoked: {
    breaks: 'I6',
    plant: async ({ site: { admin } }) => {
      await admin.query(`
        create schema if not exists chaos;
        create or replace function chaos.keep_key() returns trigger language plpgsql as
          'begin new.revoked_at := null; return new; end';
        grant usage on schema chaos to public;
        create trigger zz_chaos before update on app.api_keys for each row execute function chaos.keep_key()`)
      return () => admin.query('drop trigger zz_chaos on app.api_keys')
    },
  },
  /** A cache in front forgets nothing. */
  stale: { breaks: 'I7', front: { remembers: true } },
  /** A piece is a draft again at the desk, and still public. */
  torn: {
    breaks: 'I8',
    plant: async (planting) => {
      const { admin } = planting.site
      const piece = await publicPiece(planting)
      await asPublisher(admin, piece, aDraftAtTheDesk)
      return () => asPublisher(admin, piece, ...outOfThePublicWing)
    },
  },
  /** Nobody waits for a second copy; then the primary is cut off with what only it has. */
  asynchronous: { breaks: 'I1', plant: loseTheLast },
} satisfies Record<string, Plant>

export type PlantName = keyof typeof plants

export const plantOf = (name: PlantName): Plant => plants[name]

/** Those that do not hide each other, and take seconds. */
export const plantsAtOnce: readonly PlantName[] = [
  'doubled',
  'hidden',
  'leaked',
  'forgotten',
  'forged',
  'unrevoked',
  'stale',
]

async function loseTheLast({ site, life }: Planting): Promise<Undo> {
  const { cluster, ground } = site
  const configure = async (isSynchronous: boolean) => {
    const { address } = (await cluster.primary())!
    const credentials = Buffer.from(`patroni:${passwords.PATRONI_PASSWORD}`).toString('base64')
    const answer = await fetch(`http://${address}:8008/config`, {
      method: 'PATCH',
      headers: { authorization: `Basic ${credentials}`, 'content-type': 'application/json' },
      body: JSON.stringify({ synchronous_mode: isSynchronous }),
    })
    if (!answer.ok) throw new Error(`Patroni refuses: ${answer.status} ${await answer.text()}`)
  }
  await configure(false)
  await until('asynchronous replication', async () => {
    const { rows } = await site.admin.query<{ names: string }>(
      "select current_setting('synchronous_standby_names') as names",
    )
    return rows[0]!.names === ''
  })
  const former = (await cluster.primary())!
  ground.cut(former.name, 'nodes')
  await until('another primary', async () => {
    const primary = await cluster.primary()
    return primary !== undefined && primary.name !== former.name
  })
  ground.heal(former.name)
  await untilWritten(life.record)
  await pause(1000)
  return async () => {
    await configure(true)
    await until('a whole cluster', () => areWhole(cluster), 120_000)
  }
}
