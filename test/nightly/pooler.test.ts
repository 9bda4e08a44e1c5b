import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { lackOf, runToEnd, scratchFolder, until } from '../../scale/engines/engine.ts'
import { startServer, startWorker } from '../../scale/engines/house.ts'
import { passwordOf, startPgBouncer } from '../../scale/engines/pgbouncer.ts'
import { startPrimary } from '../../scale/engines/postgres.ts'
import { migrate } from '../../server/platform/db/migrate.ts'
import { cli } from '../../server/testing/program.ts'

/** A site behind PgBouncer, set up as docs/operations.md says, under load. */

const cannot = lackOf('pgbouncer')
const rate = Number(process.env['RATE'] ?? 500)
const seconds = Number(process.env['SECONDS'] ?? 60)
/** A machine that stalls by itself is no failure of ours: limits of time and the walls before overload are ten times as far. */
const factor = 10
const name = 'standfirst'
const roles = ['svc_public', 'svc_api', 'svc_desk', 'svc_worker']

/** PostgreSQL that asks every role for its password, and the pooler with the passwords as PostgreSQL keeps them. */
async function startBoth() {
  const primary = await startPrimary()
  const run = (text: string) => primary.query<Record<string, string>>(name, text)
  await primary.query('postgres', `create database ${name} encoding 'UTF8' locale 'C.UTF-8' template template0`)
  await migrate(primary.urlOf(name), undefined, factor)
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
  await runToEnd([process.execPath, cli, 'seed', '--pieces', '2000'], owner)
  const minted = await runToEnd([process.execPath, cli, 'key', 'mint', await writerIn(run), '--name', 'load'], owner)
  const key = /pk_live_\w+/.exec(minted)![0]
  const direct = new URL(primary.urlOf(name, 'svc_worker'))
  direct.password = passwordOf('svc_worker')
  const env = {
    POOLER: 'transaction',
    TIMEOUT_FACTOR: String(factor),
    PATIENCE: String(factor),
    PUBLIC_DATABASE_URL: pooler.urlOf(name, 'svc_public'),
    API_DATABASE_URL: pooler.urlOf(name, 'svc_api'),
    DESK_DATABASE_URL: pooler.urlOf(name, 'svc_desk'),
    WORKER_DATABASE_URL: pooler.urlOf(name, 'svc_worker'),
    DIRECT_DATABASE_URL: direct.href,
  }
  const server = await startServer({ env, log })
  const [worker, other] = [await startWorker({ env, log }), await startWorker({ env, log })]
  const pieces = (await run('select id from pub.pieces order by id limit 500')).map(({ id }) => id)
  const ask = asking(server.base, key, pieces as string[])
  for (let at = 0; at < 200; at += 1) await ask(at)

  const outcomes = new Map<string, number>()
  const times: number[] = []
  const under: Promise<void>[] = []
  const began = performance.now()
  const killed = pause((seconds * 1000) / 3).then(() => worker.restart('SIGKILL'))
  for (let at = 0; at < rate * seconds; at += 1) {
    const late = began + (at * 1000) / rate - performance.now()
    if (late > 1) await pause(late)
    const start = performance.now()
    under.push(
      ask(at).then((status) => {
        outcomes.set(status, (outcomes.get(status) ?? 0) + 1)
        times.push(performance.now() - start)
      }),
    )
  }
  const took = (performance.now() - began) / 1000
  await Promise.all([...under, killed])
  const at = (share: number) => Math.round(times.toSorted((a, b) => a - b)[Math.floor(times.length * share)]!)
  const said = [...outcomes].sort().map(([status, count]) => `${status}: ${count}`)
  t.diagnostic(
    `figure: ${Math.round(times.length / took)} requests a second for ${Math.round(took)} s; ${said.join(', ')}; p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`,
  )
  assert.deepEqual(
    [...outcomes.keys()].filter((status) => status !== '200' && status !== '201'),
    [],
  )
  await until('a worker files', async () => {
    const held = await run('select from search.lease where until > clock_timestamp()')
    return held.length === 1
  })
  await Promise.all([worker.stop(), other.stop()])
  await until('no lock is left', async () => {
    const locks = await run(`select from pg_locks l join pg_database d on d.oid = l.database
                              where d.datname = '${name}' and l.locktype = 'advisory'`)
    return locks.length === 0
  })
  await Promise.all([server.stop(), pooler.stop()])
})

async function writerIn(run: (text: string) => Promise<Record<string, string>[]>): Promise<string> {
  const [writer] = await run('select slug from app.writers order by slug limit 1')
  return writer!['slug']!
}

/** Mostly pieces; a tenth lists, a twentieth searches, a twentieth drafts. Where there was no answer, why. */
function asking(base: string, key: string, pieces: readonly string[]): (at: number) => Promise<string> {
  const words = ['the', 'water', 'night', 'stone']
  const draft = {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ headline: 'Under load', category: 'life', body_md: 'A body.' }),
  }
  return async (at) => {
    const kind = at % 20
    const path =
      kind === 0
        ? `/api/public/pieces/search?q=${words[at % words.length]}${at % 7}`
        : kind === 1 || kind === 2
          ? '/api/public/pieces/recent'
          : `/api/public/pieces/${pieces[(at * 31) % pieces.length]}`
    try {
      const answer = await (kind === 3 ? fetch(`${base}/api/v1/pieces`, draft) : fetch(`${base}${path}`))
      await answer.arrayBuffer()
      return String(answer.status)
    } catch (error) {
      return String((error as { cause?: { code?: string } }).cause?.code ?? error)
    }
  }
}
