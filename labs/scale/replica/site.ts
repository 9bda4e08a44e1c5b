import pg from 'pg'
import { migrate } from '../../../server/sql/migrate.ts'
import { type DeskWriter, makeWriters } from '../../../testkit/desk-client.ts'
import { scratchFolder } from '../../../testkit/engines/engine.ts'
import { type Postgres, startPrimary, startReplica } from '../../../testkit/engines/postgres.ts'
import { type SiteProcess, startServer, startWorker } from '../../../testkit/engines/site.ts'

/** A primary, a prompt replica and one that is held back, a server on each, a desk and a worker. */

export interface Site {
  readonly primary: Postgres
  readonly prompt: Postgres
  /** Reads from the prompt replica, or from the one that is held back. */
  readonly near: SiteProcess
  readonly far: SiteProcess
  readonly desk: SiteProcess
  readonly writers: readonly DeskWriter[]
  readonly logs: string
}

const database = 'site'
/** What is replayed there is older than this. */
export const heldBackBy = 5

export async function startSite(writers: number, drafts: number): Promise<Site> {
  const logs = scratchFolder('logs')
  const primary = await startPrimary()
  await primary.query('postgres', `create database ${database} locale 'C.UTF-8' template template0`)
  await migrate(primary.urlOf(database))
  const [prompt, late] = await Promise.all([
    startReplica(primary, 'prompt', { hot_standby_feedback: 'on' }),
    startReplica(primary, 'late', { hot_standby_feedback: 'on', recovery_min_apply_delay: `${heldBackBy}s` }),
  ])
  const admin = new pg.Pool({ connectionString: primary.urlOf(database), max: 2 })
  admin.on('error', () => {})
  const made = await makeWriters(admin, writers, drafts)
  await admin.end()

  const replicaOf = (replica: Postgres) => replica.urlOf(database, 'svc_public')
  const reader = (name: string, replica: Postgres) =>
    startServer(
      {
        env: {
          PUBLIC_DATABASE_URL: primary.urlOf(database, 'svc_public'),
          REPLICA_DATABASE_URL: replicaOf(replica),
          LOAD_FACTOR: '20',
          TIMEOUT_FACTOR: '2',
          // A search that ran out of its time is partial, and not stale.
          SEARCH_BUDGET: '5000',
        },
        log: `${logs}/${name}`,
      },
      '--surfaces',
      'public',
    )
  const [near, far, desk] = await Promise.all([
    reader('near', prompt),
    reader('far', late),
    startServer(
      {
        env: { DESK_DATABASE_URL: primary.urlOf(database, 'svc_desk'), LOAD_FACTOR: '20', TIMEOUT_FACTOR: '2' },
        log: `${logs}/desk`,
      },
      '--surfaces',
      'desk',
    ),
    startWorker({
      env: {
        WORKER_DATABASE_URL: primary.urlOf(database, 'svc_worker'),
        REPLICA_DATABASE_URL: [prompt, late].map(replicaOf).join(','),
      },
      log: `${logs}/worker`,
    }),
  ])
  return { primary, prompt, near, far, desk, writers: made, logs }
}
