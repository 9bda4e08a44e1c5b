import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { testApp } from '../../testkit/app.ts'
import { type Desk, deskOf } from '../../testkit/desk.ts'
import { createSiteDatabase, type Postgres, type SiteDatabase, startPrimary } from '../../testkit/engines/postgres.ts'
import { type MadeWriter, makeKey, makeWriter } from '../../testkit/factories.ts'
import { missingPostgres } from '../../testkit/replica-site.ts'
import { until } from '../../testkit/waiting.ts'

/** A primary configured to wait for a standby that does not exist. */
const primary = missingPostgres ? undefined : await startPrimary({ fsync: 'off' })
const database = primary && (await createSiteDatabase(primary))
// The server gives up on a commit that no standby confirms.
const app = database && (await testApp(database.urlOf(), { TIMEOUT_FACTOR: '2' }))

describe('what no standby has confirmed', { skip: missingPostgres }, () => {
  const [server, site, { admin, urlOf }] = [
    app as FastifyInstance,
    primary as Postgres,
    database ?? ({} as SiteDatabase),
  ]
  let me: MadeWriter
  let desk: Desk

  before(async () => {
    me = await makeWriter(admin)
    desk = deskOf(server, me)
  })
  after(async () => {
    await expect('')
    await admin.end()
    await server.close()
    await site.stop('immediate')
  })

  /** A commit that writes only a log message; ended by the test if it waits for a standby. */
  const commit = async (): Promise<'done' | 'waited for'> => {
    const client = new pg.Client({ connectionString: urlOf() })
    await client.connect()
    const { rows } = await client.query('select pg_backend_pid() as pid')
    let isDone = false
    const committed = client.query("select pg_logical_emit_message(true, 'standfirst', 'a test')").then(() => {
      isDone = true
    })
    const outcome = await until(async () => {
      if (isDone) return 'done'
      const { rowCount } = await admin.query(
        "select pg_cancel_backend(pid) from pg_stat_activity where pid = $1 and wait_event = 'SyncRep'",
        [rows[0].pid],
      )
      return rowCount ? 'waited for' : undefined
    }, 'a commit is done, or waits')
    await committed
    await client.end()
    return outcome
  }
  const expect = async (standby: string) => {
    await admin.query(`alter system set synchronous_standby_names = '${standby}'`)
    await admin.query('select pg_reload_conf()')
    const waits = standby !== ''
    await until(async () => (await commit()) === (waits ? 'waited for' : 'done'), `commits wait: ${waits}`)
  }
  const headers = () => ({ cookie: `__Host-desk=${me.sessionToken}`, 'sec-fetch-site': 'same-origin' })
  const nonceOf = async (id: string): Promise<string> => (await desk.ask('POST', `pieces/${id}/preview`)).json().nonce
  /** Sends once, unlike the testkit's desk client, which retries when the site is busy. */
  const publish = (id: string, nonce: string) =>
    server.inject({ method: 'POST', url: `/desk/api/pieces/${id}/publish`, headers: headers(), payload: { nonce } })

  const endWaits = () =>
    until(async () => {
      const { rowCount } = await admin.query(
        "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'",
      )
      return rowCount
    }, 'a commit waits')

  test('is not acknowledged, though it happened here', async () => {
    const id = await desk.begin()
    const nonce = await nonceOf(id)
    await expect('nobody')
    const answer = await publish(id, nonce)
    await expect('')
    assert.equal(answer.statusCode, 503, answer.body)
    assert.match(answer.json().detail, /^This may have worked, .* Check before you try again\.$/)
    assert.equal(answer.headers['set-cookie'], undefined)
    assert.equal((await desk.ask('GET', `pieces/${id}`)).json().piece.status, 'approved')
  })

  test('is not acknowledged when the wait is ended by hand', async () => {
    const id = await desk.begin()
    const nonce = await nonceOf(id)
    await expect('nobody')
    const asked = publish(id, nonce)
    await endWaits()
    const answer = await asked
    await expect('')
    assert.equal(answer.statusCode, 503, answer.body)
    assert.match(answer.json().detail, /^This may have worked/)
  })

  test('is no draft that a key was promised, and asking again with its Idempotency-Key is safe', async () => {
    const { key } = await makeKey(admin, me)
    const create = () =>
      server.inject({
        method: 'POST',
        url: '/api/v1/pieces',
        headers: { authorization: `Bearer ${key}`, 'idempotency-key': 'once-and-again' },
        payload: { headline: 'Nobody confirms this', body_md: 'A body.' },
      })
    await expect('nobody')
    const asked = create()
    await endWaits()
    const answer = await asked
    await expect('')
    assert.equal(answer.statusCode, 503, answer.body)
    assert.match(answer.json().detail, /^This may have worked/)
    await expect('nobody')
    const early = create()
    await endWaits()
    assert.equal((await early).statusCode, 503, 'a repetition promises no more than the first try')
    await expect('')
    const again = await create()
    assert.ok([200, 201].includes(again.statusCode), again.body)
    const { rows } = await admin.query("select from app.pieces where headline = 'Nobody confirms this'")
    assert.equal(rows.length, 1)
  })
})
