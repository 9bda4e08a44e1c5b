import { database, databases, type Setting, wrong } from './setting.ts'

/** Where the database is, and what is between it and this process. */

const poolers = ['none', 'transaction', 'prepared'] as const

export const databaseSettings = {
  DATABASE_URL: database(
    'The database, as its owner: migrations, seeding, the commands for operators; and, by SET ROLE, whatever has no address of its own below. Always PostgreSQL itself, never a pooler. Required.',
  ),
  PUBLIC_DATABASE_URL: database('Signs in as `svc_public`. In production, the only address a public process needs.'),
  REPLICA_DATABASE_URL: databases(
    'A streaming replica for public reads, signing in as `svc_public`: one for a server; for a worker all that servers read from, by commas. Beside it a server needs the address of the primary, which knows what the replica lacks and counts reads; with this one alone readers may see what was, and no read is counted.',
  ),
  API_DATABASE_URL: database('Signs in as `svc_api`: what the write API may do.'),
  DESK_DATABASE_URL: database('Signs in as `svc_desk`: what people at the desk may do.'),
  WORKER_DATABASE_URL: database('Signs in as `svc_worker`: what jobs may do.'),
  POOLER: {
    about:
      'What is between this process and the database at the addresses above: `none`, or a connection pooler: `transaction` for PgBouncer in transaction mode, `prepared` where it also knows named statements (PgBouncer from 1.21 on, with `max_prepared_statements`). With a pooler each role needs its own address, and `migrate` the same value.',
    fallback: 'none',
    parse: (given: string): (typeof poolers)[number] =>
      poolers.find((one) => one === given) ?? wrong(`one of ${poolers.join(', ')}`),
  },
  DIRECT_DATABASE_URL: database(
    'With `POOLER`: PostgreSQL itself, for what is heard as it happens, which no pooler hands on: signs in as `svc_worker` where jobs run, else as `svc_public`. Without it jobs and webhooks look once a second. Required beside `REPLICA_DATABASE_URL` where public pages are served.',
  ),
} satisfies Record<string, Setting<unknown>>
