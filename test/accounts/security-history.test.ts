import assert from 'node:assert/strict'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { sendEmailChange } from '../../server/features/accounts/email-change.ts'
import { findBroken, securityEventCounts, sweepHistory } from '../../server/features/accounts/history.ts'
import { sendLinkEmail } from '../../server/features/accounts/mail.ts'
import type { SecurityEvent } from '../../server/features/accounts/schema.ts'
import { endSessionsOf, setBarred } from '../../server/features/accounts/sessions.ts'
import {
  anyEmail,
  cheapScrypt,
  type DeskBrowser,
  goodPassword,
  makeAccount,
  makeSoftPasskey,
  openDesk,
  signIn,
} from '../../testkit/accounts.ts'
import { testSite } from '../../testkit/app.ts'
import { attempt } from '../../testkit/attacks.ts'
import { standfirst } from '../../testkit/cli.ts'
import { testDatabase, workerDatabase } from '../../testkit/database.ts'

/** The security history of an account: a hash chain for its owner that shows tampering. */

cheapScrypt()
const { url, admin, app } = await testSite()
const worker = workerDatabase(url)

async function openAccount() {
  const email = anyEmail()
  const { id } = await makeAccount(admin, { email })
  await admin.query("insert into app.writers (account_id, slug, name, search_text) values ($1, $2, 'Ada', 'ada')", [
    id,
    `ada-${email.slice(1, 8)}`,
  ])
  const desk = openDesk(app, '192.0.2.7', 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0')
  assert.equal((await desk.post('/sign-in', { email, password: goodPassword })).statusCode, 200)
  return { id, email, desk }
}

const historyOf = async (desk: DeskBrowser): Promise<SecurityEvent[]> => {
  const answer = await desk.get('/account/history')
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json().events
}
/** The events added since, oldest first. */
async function whatCame(desk: DeskBrowser, act: () => Promise<unknown>): Promise<SecurityEvent[]> {
  const before = (await historyOf(desk)).length
  await act()
  const now = await historyOf(desk)
  return now.slice(0, now.length - before).reverse()
}
const acts = (events: readonly SecurityEvent[]) => events.map(({ act }) => act)

async function deliver(account: string, email: string): Promise<{ letter: string; token: string }[]> {
  const got: { letter: string; token: string }[] = []
  const { rows } = await admin.query(
    `delete from jobs.job where name in ('account.letter', 'account.email')
        and (data->>'account' = $1 or data->>'email' = $2) returning name, data`,
    [account, email],
  )
  for (const { name, data } of rows)
    await (name === 'account.email' ? sendEmailChange : sendLinkEmail)(
      worker,
      async (_to, { template: letter, params }) =>
        void got.push({ letter, token: (params as { token: string }).token }),
      data,
    )
  return got
}

describe('everything that concerns the safety of an account is in its history', () => {
  test('a sign-in says by what, and from where', async () => {
    const { desk } = await openAccount()
    const [last] = await historyOf(desk)
    assert.equal(last?.act, 'signed_in')
    assert.deepEqual(last.facts, {
      by: 'password',
      address: '192.0.2.7',
      browser: 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0',
    })
  })

  test('a hundred wrong passwords within an hour are one row, and a reset keeps it', async () => {
    const { id, email, desk } = await openAccount()
    const came = await whatCame(desk, async () => {
      for (let guess = 0; guess < 5; guess += 1) {
        await openDesk(app).post('/sign-in', { email, password: `wrong guess ${guess}` })
      }
    })
    assert.deepEqual(acts(came), ['sign_in_failed'])
    await openDesk(app).post('/forgot-password', { email })
    const [link] = await deliver(id, email)
    const reset = { token: link!.token, password: 'marble anchor thimble gravel' }
    assert.equal((await openDesk(app, '198.51.100.9').post('/reset-password', reset)).statusCode, 200)
    const again = await signIn(app, email, { password: reset.password })
    const history = await historyOf(again)
    assert.deepEqual(acts(history.slice(0, 4)).sort(), [
      'password_reset',
      'sessions_ended',
      'sign_in_failed',
      'signed_in',
    ])
    assert.equal(history.find(({ act }) => act === 'password_reset')?.facts['address'], '198.51.100.9')
  })

  test('an address without an account leaves none', async () => {
    const before = await admin.query('select from app.security_events')
    await openDesk(app).post('/sign-in', { email: anyEmail(), password: 'wrong guess at nobody' })
    assert.equal((await admin.query('select from app.security_events')).rowCount, before.rowCount)
  })

  test('what its owner does at the desk, from where, by its name', async () => {
    const { id, email, desk } = await openAccount()
    await signIn(app, email)
    const piece = (await desk.post('/pieces', { headline: 'Mine', body_md: 'Words.' })).json().piece.id
    let passkey = ''
    let key = ''
    let link = ''
    const steps: [string, () => Promise<unknown>, string[]][] = [
      ['confirming who it is', () => desk.post('/reauthenticate', { password: goodPassword }), []],
      ['signing out elsewhere', () => desk.post('/sessions/end-others'), ['sessions_ended']],
      [
        'a passkey',
        async () => {
          const made = makeSoftPasskey((await desk.post('/passkeys/options')).json().options)
          passkey = (await desk.post('/passkeys', { credential: made.credential, name: 'Phone' })).json().id
        },
        ['passkey_added'],
      ],
      ['without it', () => desk.send('DELETE', `/passkeys/${passkey}`), ['passkey_deleted']],
      ['a key', async () => (key = (await desk.post('/keys', { name: 'Script' })).json().id), ['key_made']],
      ['without it', () => desk.send('DELETE', `/keys/${key}`), ['key_revoked']],
      [
        'a private link',
        async () => (link = (await desk.post(`/pieces/${piece}/links`, { days: 7 })).json().link.id),
        ['link_made'],
      ],
      ['without it', () => desk.send('DELETE', `/pieces/${piece}/links/${link}`), ['link_revoked']],
      ['another address', () => desk.post('/account/email', { email: anyEmail() }), ['email_asked']],
      ['not after all', () => desk.send('DELETE', '/account/email'), ['email_cancelled']],
      [
        'a password',
        () => desk.send('PUT', '/account/password', { password: 'marble anchor thimble gravel' }),
        ['password_set'],
      ],
    ]
    for (const [name, act, expected] of steps) {
      const came = await whatCame(desk, act)
      assert.deepEqual(acts(came), expected, name)
      for (const { facts } of came) assert.equal(facts['address'], '192.0.2.7', name)
    }
    const named = await historyOf(desk)
    assert.equal(named.find(({ act }) => act === 'key_made')?.facts['name'], 'Script')
    assert.equal(named.find(({ act }) => act === 'passkey_deleted')?.facts['name'], 'Phone')
    assert.equal(named.find(({ act }) => act === 'sessions_ended')?.facts['count'], '1')
    assert.equal(findBroken(named), undefined)
    assert.ok(id)
  })

  test('a key that was revoked and is used again, once an hour; of a key that nobody has, nothing', async () => {
    const { desk } = await openAccount()
    const { id, key } = (await desk.post('/keys', { name: 'Script' })).json()
    await desk.send('DELETE', `/keys/${id}`)
    const use = (token: string) =>
      app.inject({ url: '/api/v1/pieces/me', headers: { authorization: `Bearer ${token}` } })
    const came = await whatCame(desk, async () => {
      for (const token of [key, key, `pk_live_${'0'.repeat(64)}`]) assert.equal((await use(token)).statusCode, 403)
    })
    assert.deepEqual(acts(came), ['dead_key_used'])
    assert.equal(came[0]?.facts['name'], 'Script')
  })

  test('a change of address, and its undoing from the old one', async () => {
    const { id, email, desk } = await openAccount()
    const to = anyEmail()
    await desk.post('/account/email', { email: to })
    const links = await deliver(id, email)
    const confirm = links.find(({ letter }) => letter === 'confirm-new-email')!
    const undo = links.find(({ letter }) => letter === 'email-change-asked')!
    const came = await whatCame(desk, () => desk.post('/account/email/confirm', { token: confirm.token }))
    assert.deepEqual(acts(came), ['email_confirmed'])
    assert.deepEqual([came[0]?.facts['from'], came[0]?.facts['to']], [email, to])
    const password = 'marble anchor thimble gravel'
    assert.equal((await openDesk(app).post('/reset-password', { token: undo.token, password })).statusCode, 200)
    const back = await signIn(app, email, { password })
    assert.ok(acts(await historyOf(back)).includes('email_undone'))
  })

  test('what an operator does to it', async () => {
    const { id, email, desk } = await openAccount()
    const owner = await admin.connect()
    try {
      await owner.query("update app.accounts set role = 'moderator' where id = $1", [id])
      await setBarred(owner, email, true)
      await setBarred(owner, email, false)
      await endSessionsOf(owner, email)
    } finally {
      owner.release()
    }
    await desk.post('/sign-in', { email, password: goodPassword })
    assert.deepEqual(acts(await historyOf(desk)).slice(1, 5), ['sessions_ended', 'enabled', 'disabled', 'role_changed'])
  })
})

describe('it is its owner’s', () => {
  test('nobody else reads it, and nobody without a session', async () => {
    const [one, other] = [await openAccount(), await openAccount()]
    for (const { account } of await historyOf(one.desk)) assert.equal(account, one.id)
    assert.notEqual(one.id, other.id)
    for (const path of ['/account/history', '/account/history/download'])
      assert.equal((await openDesk(app).get(path)).statusCode, 401)
    for (const role of ['svc_public', 'svc_api', 'svc_desk', 'svc_worker', 'svc_publisher'])
      assert.equal(await attempt(url, role, 'select from app.security_events', {}), '42501', role)
  })

  test('page by page, and as one file that verifies', async () => {
    const { id, email, desk } = await openAccount()
    for (let key = 0; key < 60; key += 1)
      await admin.query(
        "update app.accounts set role = case role when 'writer' then 'moderator' else 'writer' end where id = $1",
        [id],
      )
    const first = (await desk.get('/account/history')).json()
    const second = (await desk.get(`/account/history?before=${first.next}`)).json()
    assert.deepEqual([first.events.length, second.next], [50, null])
    const download = await desk.get('/account/history/download')
    assert.match(String(download.headers['content-disposition']), /attachment; filename="security-history\.json"/)
    const whole: SecurityEvent[] = download.json()
    assert.deepEqual(whole, [...first.events, ...second.events])
    const file = join(mkdtempSync(join(tmpdir(), 'history-')), 'security-history.json')
    writeFileSync(file, download.body)
    const verified = await standfirst({}, 'account', 'history-verify', file)
    assert.match(verified.out, /^Verified: \d+ events/, verified.error)
    const changed = whole.map((event) => (event.number === 7 ? { ...event, act: 'signed_in' } : event))
    assert.equal(findBroken(changed), 7)
    assert.equal(findBroken(whole.filter(({ number }) => number !== 9)), 10)
    assert.ok(email)
  })
})

describe('it is only ever added to', () => {
  const forbidden = [
    "update app.security_events set act = 'signed_in'",
    'delete from app.security_events',
    'truncate app.security_events',
  ]
  for (const role of ['svc_public', 'svc_api', 'svc_desk', 'svc_worker', 'svc_publisher', 'svc_owner', 'superuser'])
    test(`${role} neither changes nor deletes a row`, async () => {
      await openAccount()
      for (const sql of forbidden) assert.equal(await attempt(url, role, sql, {}), '42501', sql)
    })

  test('what somebody changes past the triggers is found, and the first wrong row is named', async () => {
    const site = await testDatabase()
    const { id } = await makeAccount(site.admin)
    const flip =
      "update app.accounts set role = case role when 'writer' then 'moderator' else 'writer' end where id = $1"
    for (let times = 0; times < 6; times += 1) await site.admin.query(flip, [id])
    const verify = () => standfirst({ DATABASE_URL: site.url }, 'account', 'history-verify')
    assert.match((await verify()).out, /^Verified: 1 history is intact/)
    const past = async (sql: string) => {
      const client = await site.admin.connect()
      await client.query('begin; alter table app.security_events disable trigger user')
      await client.query(sql)
      await client.query('alter table app.security_events enable always trigger guard_security_events; commit')
      client.release()
    }
    const faults: [string, number][] = [
      [`update app.security_events set facts = '{"from":"writer"}' where number = 6`, 6],
      [`update app.security_events set at = at - interval '1 day' where number = 4`, 4],
      ['delete from app.security_events where number = 3', 3],
      [`update app.security_events set previous = '' where number = 2`, 2],
    ]
    for (const [sql, number] of faults) {
      await past(sql)
      const { out, code } = await verify()
      assert.match(out, new RegExp(`^Account ${id}: event ${number} was changed or is missing`), sql)
      assert.equal(code, 1)
    }
    const cut = await makeAccount(site.admin)
    for (let times = 0; times < 3; times += 1) await site.admin.query(flip, [cut.id])
    await past(`delete from app.security_events where account_id = '${cut.id}' and number = 3`)
    assert.match((await verify()).out, new RegExp(`Account ${cut.id}: event 3 was changed or is missing`))
    const { rows } = await site.admin.query("select count from app.security_figures() where act = 'chain_broken'")
    assert.equal(rows[0].count, 2)
  })

  test('after a year rows go, the oldest first, and what stays is still whole', async () => {
    const site = await testDatabase()
    const { id } = await makeAccount(site.admin)
    for (const role of ['moderator', 'writer', 'moderator'])
      await site.admin.query('update app.accounts set role = $2 where id = $1', [id, role])
    // Two of the four are more than a year old.
    await site.admin.query(`
      alter table app.security_events disable trigger user;
      update app.security_events set at = at - interval '366 days' where number <= 2;
      do $$ begin for each in 1..4 loop
        update app.security_events e set previous = o.hash from app.security_events o
         where e.number = each and o.number = each - 1;
        update app.security_events e set hash = app.security_hash(e) where number = each;
      end loop; end $$;
      update app.security_heads h set hash = e.hash from app.security_events e where e.number = h.number;
      alter table app.security_events enable always trigger guard_security_events`)
    const sweeper = workerDatabase(site.url)
    await sweepHistory(sweeper)
    const { rows } = await site.admin.query('select number from app.security_events order by 1')
    assert.deepEqual(rows, [{ number: 3 }, { number: 4 }])
    const { rows: checked } = await site.admin.query('select broken from app.check_security_chains(null, 10)')
    assert.deepEqual(checked, [{ broken: null }])
  })
})

test('those who watch see what happened in the last hour, and wrong tries at addresses that nobody has', async () => {
  await openAccount()
  const triesIn = async () => (await securityEventCounts(worker)).find(({ act }) => act === 'wrong_try')!.count
  const before = await triesIn()
  await openDesk(app).post('/sign-in', { email: anyEmail(), password: 'wrong guess at nobody' })
  assert.equal(await triesIn(), before + 1)
  const figures = Object.fromEntries((await securityEventCounts(worker)).map(({ act, count }) => [act, count]))
  assert.ok(figures['signed_in']! > 0)
  assert.equal(figures['chain_broken'], 0)
})

test('acts at the same moment are one chain', async () => {
  const { desk } = await openAccount()
  await Promise.all(Array.from({ length: 8 }, (_, at) => desk.post('/keys', { name: `Key ${at}` })))
  const history = await historyOf(desk)
  assert.equal(history.filter(({ act }) => act === 'key_made').length, 8)
  assert.equal(findBroken(history), undefined)
})
