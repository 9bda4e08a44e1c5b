import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { anyEmail, cheapScrypt, type DeskBrowser, goodPassword, makeAccount, openDesk } from '../../testkit/accounts.ts'
import { testSite } from '../../testkit/app.ts'
import { attempt } from '../../testkit/attacks.ts'

/** Ten recovery codes, each of which signs in once, for people who have lost every other credential. */

cheapScrypt()
const { url, admin, app } = await testSite()

async function withCodes() {
  const email = anyEmail()
  const { id } = await makeAccount(admin, { email })
  const desk = openDesk(app)
  assert.equal((await desk.post('/sign-in', { email, password: goodPassword })).statusCode, 200)
  return { id, email, desk, codes: await make(desk) }
}
async function make(desk: DeskBrowser): Promise<string[]> {
  const answer = await desk.post('/account/recovery-codes')
  assert.equal(answer.statusCode, 201, answer.body)
  return answer.json().codes
}
const give = (email: string, code: string, desk = openDesk(app)) => desk.post('/sign-in/recovery-code', { email, code })
const codesOf = async (desk: DeskBrowser) => (await desk.get('/account')).json().account.recovery_codes

describe('a code', () => {
  test('signs in once, ends every other session and what waits, and is counted and told', async () => {
    const { id, email, desk, codes } = await withCodes()
    assert.equal(new Set(codes).size, 10)
    for (const code of codes) assert.match(code, /^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/)
    await desk.post('/account/email', { email: anyEmail() })
    const here = openDesk(app)
    assert.equal((await give(email, codes[3]!, here)).statusCode, 200)
    assert.equal((await desk.get('/account')).statusCode, 401)
    const { account } = (await here.get('/account')).json()
    assert.deepEqual([account.recovery_codes.left, account.email_change], [9, null])
    assert.equal((await give(email, codes[3]!)).statusCode, 401)
    const { rows } = await admin.query(
      `select data->>'letter' as letter from jobs.job where name = 'mail' and data->'to'->>'account' = $1 order by 1`,
      [id],
    )
    assert.deepEqual(
      rows.map(({ letter }) => letter).filter((letter) => /recovery/.test(letter)),
      ['recovery-code-used', 'recovery-codes-made'],
    )
    const { events } = (await here.get('/account/history')).json()
    const found = events.map(({ act, facts }: { act: string; facts: { by?: string } }) => `${act} ${facts.by ?? ''}`)
    assert.ok(found.includes('signed_in recovery_code') && found.includes('recovery_codes_made '), String(found))
  })

  test('opens a session in which a new password is set', async () => {
    const { email, codes } = await withCodes()
    const here = openDesk(app)
    await give(email, codes[0]!, here)
    const password = 'marble anchor thimble gravel'
    assert.equal((await here.send('PUT', '/account/password', { password })).statusCode, 200)
    assert.equal((await openDesk(app).post('/sign-in', { email, password })).statusCode, 200)
    assert.equal((await codesOf(here)).left, 9)
  })

  test('is taken as it is typed from paper', async () => {
    const { email, codes } = await withCodes()
    const typed = (codes[0] ?? '').toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')
    assert.equal((await give(email, ` ${typed} `)).statusCode, 200)
  })

  test('given by two at the same moment lets one in', async () => {
    const { email, codes } = await withCodes()
    const answers = await Promise.all([give(email, codes[0]!), give(email, codes[0]!)])
    assert.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 1)
  })

  test('of somebody else opens nothing', async () => {
    const [one, other] = [await withCodes(), await withCodes()]
    assert.equal((await give(one.email, other.codes[0]!)).statusCode, 401)
    assert.equal((await codesOf(other.desk)).left, 10)
  })

  test('opens nothing while the account is disabled', async () => {
    const { id, email, codes } = await withCodes()
    await admin.query('update app.accounts set disabled_at = now() where id = $1', [id])
    assert.equal((await give(email, codes[0]!)).statusCode, 401)
  })
})

describe('codes', () => {
  test('are made by a recent session alone, and replace those before', async () => {
    const { id, email, desk, codes } = await withCodes()
    await make(desk)
    assert.equal((await give(email, codes[0]!)).statusCode, 401)
    await admin.query(
      "update app.sessions set authenticated_at = now() - interval '11 minutes' where account_id = $1",
      [id],
    )
    const stale = await desk.post('/account/recovery-codes')
    assert.deepEqual([stale.statusCode, stale.json().reason], [403, 'fresh_sign_in_required'])
    assert.equal((await openDesk(app).post('/account/recovery-codes')).statusCode, 401)
  })

  test('are nowhere but on the screen: the database has hashes, and no role reads those', async () => {
    const { codes } = await withCodes()
    const { rows } = await admin.query('select c::text as row from app.recovery_codes c')
    const kept = rows.map(({ row }) => row).join('\n')
    for (const code of codes)
      for (const form of [code, code.replaceAll('-', '')])
        assert.ok(!kept.includes(form) && !kept.includes(Buffer.from(form).toString('hex')))
    for (const role of ['svc_public', 'svc_api', 'svc_desk', 'svc_worker', 'svc_publisher'])
      assert.equal(await attempt(url, role, 'select from app.recovery_codes', {}), '42501', role)
  })

  test('are guessed no faster than passwords, and cost tries at either', async () => {
    const { email, codes } = await withCodes()
    const guess = async (place: DeskBrowser) => (await give(email, 'AAAA-AAAA-AAAA-AAAA', place)).statusCode
    const here = openDesk(app)
    assert.deepEqual([await guess(here), await guess(here)], [401, 429])
    for (let tries = 1; tries < 20; tries += 1) await guess(openDesk(app))
    assert.equal((await give(email, codes[0]!)).statusCode, 429)
    assert.equal((await openDesk(app).post('/sign-in', { email, password: goodPassword })).statusCode, 429)
  })
})
