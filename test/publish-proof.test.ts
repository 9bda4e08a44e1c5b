import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { testApp } from '../server/testing/app.ts'
import { testDatabase } from '../server/testing/database.ts'
import { type Desk, deskOf, makeModerator, pieceAt } from '../server/testing/desk.ts'
import { type MadeWriter, makeWriter } from '../server/testing/make.ts'

/** What an old session, and one by password, may put before readers. */

const { url, admin } = await testDatabase()
const [recent, session, passkey] = await Promise.all(
  ['recent', 'session', 'passkey'].map((PUBLISH_PROOF) => testApp(url, { PUBLISH_PROOF })),
)

const signedIn = ({ sessionId }: MadeWriter, ago: string, by = 'password') =>
  admin.query('update app.sessions set authenticated_at = now() - $2::interval, authenticated_by = $3 where id = $1', [
    sessionId,
    ago,
    by,
  ])
const givePasskey = ({ accountId }: MadeWriter) =>
  admin.query(
    `insert into app.passkeys (account_id, credential_id, public_key, counter, name, seal_hash)
     values ($1::uuid, sha256(convert_to($1::text, 'UTF8')), '\\x01', 0, 'Passkey', sha256('x'))`,
    [accountId],
  )
const outcome = async (answer: ReturnType<Desk['ask']>) => {
  const { statusCode, json } = await answer
  return statusCode === 200 ? 200 : [statusCode, json().reason]
}
const tooOld = [403, 'fresh_sign_in_required']
const byPassword = [403, 'passkey_required']

describe('a writer', () => {
  test('publishes and updates within 12 hours of signing in, and then after confirming', async () => {
    const writer = await makeWriter(admin)
    const desk = deskOf(recent!, writer)
    const id = await desk.begin()
    await signedIn(writer, '12 hours 1 minute')
    const refused = await desk.act('publish', id)
    assert.deepEqual(await outcome(Promise.resolve(refused)), tooOld)
    assert.match(refused.json().detail, /sign-in of the last 12 hours\. Confirm your password or passkey/)
    await signedIn(writer, '11 hours 50 minutes')
    assert.equal(await outcome(desk.act('publish', id)), 200)
    await desk.ask('PATCH', `pieces/${id}`, { headline: 'Another' }, { 'if-match': '*' })
    await signedIn(writer, '13 days')
    assert.deepEqual(await outcome(desk.act('update', id)), tooOld)
    assert.equal(await outcome(desk.act('unpublish', id)), 200, 'hiding one’s own words needs no more than a session')
  })

  test('publishes with any live session where the site says so', async () => {
    const writer = await makeWriter(admin)
    const desk = deskOf(session!, writer)
    await signedIn(writer, '13 days')
    assert.equal(await outcome(desk.act('publish', await desk.begin())), 200)
  })

  test('shows a passkey within ten minutes where the site asks for it, and is told to add one who has none', async () => {
    const writer = await makeWriter(admin)
    const desk = deskOf(passkey!, writer)
    const id = await desk.begin()
    const none = await desk.act('publish', id)
    assert.deepEqual([none.statusCode, none.json().reason], [403, 'forbidden'])
    assert.match(none.json().detail, /Add one under Account/)
    await givePasskey(writer)
    assert.deepEqual(await outcome(desk.act('publish', id)), byPassword)
    await signedIn(writer, '11 minutes', 'passkey')
    assert.deepEqual(await outcome(desk.act('publish', id)), byPassword)
    await signedIn(writer, '9 minutes', 'passkey')
    assert.equal(await outcome(desk.act('publish', id)), 200)
  })
})

describe('a moderator', () => {
  const acts: Record<string, (desk: Desk, writer: Desk, slug: string) => Promise<Awaited<ReturnType<Desk['ask']>>>> = {
    approves: async (desk, writer) => desk.act('approve', await pieceAt('pending', writer, desk)),
    'takes down': async (desk, writer) => desk.act('take_down', await pieceAt('approved', writer, desk)),
    'verifies an identity': (desk, _writer, slug) =>
      desk.ask('PUT', `review/writers/${slug}/identity`, { verified: true, note: 'I know them.' }),
  }
  for (const [name, act] of Object.entries(acts)) {
    test(`${name} by a recent sign-in, whatever the site asks of writers, and by passkey once they have one`, async () => {
      for (const app of [recent!, session!]) {
        const [moderator, author] = [await makeModerator(admin), await makeWriter(admin)]
        const [desk, writer] = [deskOf(app, moderator), deskOf(app, author)]
        await signedIn(moderator, '13 hours')
        assert.deepEqual(await outcome(act(desk, writer, author.slug)), tooOld)
        await signedIn(moderator, '11 hours')
        assert.equal(await outcome(act(desk, writer, author.slug)), 200)
        await givePasskey(moderator)
        assert.deepEqual(await outcome(act(desk, writer, author.slug)), byPassword)
        await signedIn(moderator, '11 hours', 'passkey')
        assert.equal(await outcome(act(desk, writer, author.slug)), 200)
      }
    })
  }
})

test('the receipt says by what its person was known, and how long before', async () => {
  const writer = await makeWriter(admin)
  const desk = deskOf(recent!, writer)
  const id = await desk.begin()
  await signedIn(writer, '2 hours', 'passkey')
  assert.equal(await outcome(desk.act('publish', id)), 200)
  const ask = (accept: string) => recent!.inject({ url: `/p/${id}/receipt`, headers: { accept } })
  const { method, seconds } = (await ask('application/json')).json().receipt.proof
  assert.equal(method, 'passkey')
  assert.equal(Math.floor(seconds / 3600), 2)
  assert.match((await ask('text/html')).body, /signed in or confirmed with a passkey, 2 hours before/)
})
