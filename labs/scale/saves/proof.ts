import { readdirSync, readFileSync } from 'node:fs'
import type pg from 'pg'
import { type DeskWriter, makeWriters } from '../../../testkit/desk-client.ts'
import { scratchFolder } from '../../../testkit/engines/engine.ts'
import { createSiteDatabase, startPrimary } from '../../../testkit/engines/postgres.ts'
import { startServer } from '../../../testkit/engines/site.ts'
import { typedDraft } from '../../../testkit/factories.ts'
import type { Length } from '../site.ts'

/**
 * What saving costs: drafts of 6 kB saved repeatedly at the desk as they are typed, each in forty sittings; then
 * their history a day later. The figures go into labs/scale/plan/costs.ts by hand.
 */

const drafts: Readonly<Record<Length, number>> = { short: 2, usual: 20, long: 100 }
const saves = 400
const mostKept = 60_000

export async function proveSaves(length: Length): Promise<boolean> {
  const count = drafts[length]
  const primary = await startPrimary()
  const { admin, urlOf } = await createSiteDatabase(primary)
  const writers = await makeWriters(admin, count, 1)
  const bodies = typedDraft(saves, 6000)
  const server = await startServer({ env: { DATABASE_URL: urlOf() }, log: `${scratchFolder('saves')}/log` })

  const figures = async () => ({
    wal: await numberOf(admin, "select pg_current_wal_insert_lsn() - '0/0' as value"),
    server: processorOf(server.child.pid!),
    database: processorOfAll(Number(readFileSync(`${primary.folder}/postmaster.pid`, 'utf8').split('\n')[0])),
  })
  await admin.query('checkpoint')
  const before = await figures()
  for (const body_md of bodies) await Promise.all(writers.map((writer) => save(server.base, writer, body_md)))
  const after = await figures()
  const made = count * saves
  const each = (of: keyof typeof after) => (after[of] - before[of]) / made
  console.log(
    `${made} saves of ${count} drafts: each ${(each('wal') / 1000).toFixed(1)} kB of WAL, ${each('server').toFixed(2)} ms of a core in the server, ${each('database').toFixed(2)} in PostgreSQL`,
  )
  const rows = await bytesOf(admin)
  console.log(`${(rows / made / 1000).toFixed(2)} kB of database for each save of the last day`)

  await backdate(admin)
  const unpacked = await figures()
  while ((await numberOf(admin, 'select app.pack_history(100) as value')) === 100);
  const packed = await figures()
  const packing = (of: 'wal' | 'database') => (packed[of] - unpacked[of]) / made
  console.log(
    `Packing: ${(packing('wal') / 1000).toFixed(1)} kB of WAL and ${packing('database').toFixed(2)} ms of a core in PostgreSQL for each save`,
  )
  await admin.query('vacuum full app.recent_revisions, app.packed_revisions')
  const kept = (await bytesOf(admin)) / count
  const wrong = await wrongOnes(admin, bodies)
  console.log(
    `${(kept / 1000).toFixed(1)} kB of history a piece (at most ${mostKept / 1000}), ${wrong} kept revisions differ from what was saved`,
  )
  await server.stop()
  await admin.end()
  return kept <= mostKept && wrong === 0
}

async function save(base: string, { sessionToken, drafts }: DeskWriter, body_md: string): Promise<void> {
  const answer = await fetch(`${base}/desk/api/pieces/${drafts[0]}`, {
    method: 'PATCH',
    headers: {
      cookie: `desk=${sessionToken}`,
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/json',
      'if-match': '*',
    },
    body: JSON.stringify({ body_md }),
  })
  if (!answer.ok) throw new Error(`a save was answered ${answer.status}: ${await answer.text()}`)
  await answer.arrayBuffer()
}

/** Two days ago, in forty sittings of ten saves, half an hour apart. */
const backdate = (admin: pg.Pool): Promise<unknown> =>
  admin.query(
    `update app.recent_revisions
        set saved_at = date_trunc('hour', now()) - interval '2 days'
                       + (revision / 10) * interval '30 minutes' + (revision % 10) * interval '20 seconds'`,
  )

/** The first revision is the draft as it was made. */
async function wrongOnes(admin: pg.Pool, bodies: readonly string[]): Promise<number> {
  const { rows } = await admin.query<{ revision: number; body_md: string }>(
    'select revision, body_md from app.past_revisions where revision > 1',
  )
  return rows.filter(({ revision, body_md }) => bodies[revision - 2] !== body_md).length
}

const bytesOf = (admin: pg.Pool): Promise<number> =>
  numberOf(
    admin,
    "select pg_total_relation_size('app.recent_revisions') + pg_total_relation_size('app.packed_revisions') as value",
  )

async function numberOf(admin: pg.Pool, text: string): Promise<number> {
  const { rows } = await admin.query<{ value: string }>(text)
  return Number(rows[0]!.value)
}

/** From /proc/<pid>/stat, what comes after the name of the program. */
const statOf = (pid: number): string[] => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
const tick = 10

/** Milliseconds of a core. */
function processorOf(pid: number): number {
  const stat = statOf(pid)
  return (Number(stat[11]) + Number(stat[12])) * tick
}

/** Of a process and its children, those that have ended too. */
function processorOfAll(parent: number): number {
  const stat = statOf(parent)
  const ended = (Number(stat[13]) + Number(stat[14])) * tick
  const living = readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && statOf(Number(name))[1] === String(parent)
    } catch {
      // It has ended.
      return false
    }
  })
  return living.reduce((sum, pid) => sum + processorOf(Number(pid)), ended + processorOf(parent))
}
