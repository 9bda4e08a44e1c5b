import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { missingPrograms, scratchFolder, waitUntil } from '../../testkit/engines/engine.ts'
import { createSiteDatabase, passwordOf, startPgBouncer, startPrimary } from '../../testkit/engines/postgres.ts'
import { runCli, startServer, startWorker } from '../../testkit/engines/site.ts'
import { failedOf, type Kind, load } from '../../testkit/load/load.ts'

/** A site behind PgBouncer, set up as docs/operations.md says, under load. */

const cannot = missingPrograms('pgbouncer')
const rate = Number(process.env['RATE'] ?? 500)
const seconds = Number(process.env['SECONDS'] ?? 60)
/** A stalling machine is no failure: time limits and overload limits are ten times as high. */
const factor = 10
const name = 'standfirst'
const roles = ['svc_public', 'svc_api', 'svc_desk', 'svc_worker']

/** PostgreSQL that requires a password for every role, and the pooler with the stored password hashes. */
async function startBoth() {
  const primary = await startPrimary()
  await createSiteDatabase(primary, name, factor)
  const run = (text: string) => primary.query<Record<string, string>>(name, text)
  for (const role of roles) await run(`alter role ${role} password '${passwordOf(role)}'`)
  writeFileSync(
    `${primary.folder}/pg_hba.conf`,
    'host all postgres 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n',
  )
  await run('select pg_reload_conf()')
  const docs = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8')
  const [, question] = /psql -Atc "(select format\([\s\S]+?)" > userlist\.txt/.exec(docs)!
  const users = (await run(question!.replaceAll('\\"', '"'))).map(({ format }) => `${format}\n`).join('')
  return {
    primary,
    run,
    pooler: await startPgBouncer({ port: primary.port, users, settings: { query_wait_timeout: 2 * factor } }),
  }
}

test('through PgBouncer no request fails while a worker is killed, and no lock is left behind', {
  skip: cannot,
}, async (t) => {
  const { primary, run, pooler } = await startBoth()
  const log = `${scratchFolder('pooler')}/log`
  const owner = { DATABASE_URL: primary.urlOf(name) }
  await runCli(owner, 'seed', '--pieces', '2000')
  const minted = await runCli(owner, 'key', 'mint', await writerIn(run), '--name', 'load')
  const key = /pk_live_\w+/.exec(minted)![0]
  const direct = new URL(primary.urlOf(name, 'svc_worker'))
  direct.password = passwordOf('svc_worker')
  const env = {
    POOLER: 'transaction',
    TIMEOUT_FACTOR: String(factor),
    LOAD_FACTOR: String(factor),
    PUBLIC_DATABASE_URL: pooler.urlOf(name, 'svc_public'),
    API_DATABASE_URL: pooler.urlOf(name, 'svc_api'),
    DESK_DATABASE_URL: pooler.urlOf(name, 'svc_desk'),
    WORKER_DATABASE_URL: pooler.urlOf(name, 'svc_worker'),
    DIRECT_DATABASE_URL: direct.href,
  }
  const server = await startServer({ env, log })
  const [worker, other] = [await startWorker({ env, log }), await startWorker({ env, log })]
  // Also after a failure: running processes would keep the test from ending.
  t.after(() => Promise.all([worker, other, server, pooler].map((program) => program.stop())))
  await waitUntil('the seeded pieces are indexed', async () => (await run('select from search.waiting')).length === 0)
  const pieces = (await run('select id from pub.pieces order by id limit 500')).map(({ id }) => id)
  const kinds = askedFor(key, pieces as string[])
  const plan = (length: number) => ({
    port: Number(new URL(server.base).port),
    kinds,
    phases: [{ name: 'load', seconds: length, rate }],
    connections: 200,
    timeout: 1000 * factor,
  })
  await load(plan(2))
  const [report] = await Promise.all([
    load(plan(seconds)),
    pause((seconds * 1000) / 3).then(() => worker.restart('SIGKILL')),
  ])
  const [outcome] = report.phases
  const { asked, statuses, failures, admitted } = outcome!
  t.diagnostic(
    `figure: ${Math.round(asked / seconds)} requests a second for ${seconds} s; ${JSON.stringify({ ...statuses, ...failures })}; p50 ${Math.round(admitted.p50)} ms, p99 ${Math.round(admitted.p99)} ms`,
  )
  assert.equal(failedOf(outcome!), 0, JSON.stringify(outcome!.kinds))
  assert.deepEqual(Object.keys(statuses), ['200', '201'])
  await waitUntil('a worker files', async () => {
    const held = await run('select from search.lease where until > clock_timestamp()')
    return held.length === 1
  })
  await Promise.all([worker.stop(), other.stop()])
  await waitUntil('no lock is left', async () => {
    const locks = await run(`select from pg_locks l join pg_database d on d.oid = l.database
                              where d.datname = '${name}' and l.locktype = 'advisory'`)
    return locks.length === 0
  })
})

async function writerIn(run: (text: string) => Promise<Record<string, string>[]>): Promise<string> {
  const [writer] = await run('select slug from app.writers order by slug limit 1')
  return writer!['slug']!
}

/** Mostly pieces; 10 % lists, 5 % searches, 5 % drafts. */
const askedFor = (key: string, pieces: readonly string[]): Kind[] => [
  { name: 'piece', share: 16, paths: pieces.map((id) => `/api/public/pieces/${id}`) },
  { name: 'recent', share: 2, paths: ['/api/public/pieces/recent'] },
  {
    name: 'search',
    share: 1,
    paths: ['the', 'water', 'night', 'stone'].map((word) => `/api/public/pieces/search?q=${word}`),
  },
  {
    name: 'draft',
    share: 1,
    method: 'POST',
    paths: ['/api/v1/pieces'],
    headers: [`authorization: Bearer ${key}`, 'content-type: application/json'],
    body: JSON.stringify({ headline: 'Under load', category: 'life', body_md: 'A body.' }),
  },
]
