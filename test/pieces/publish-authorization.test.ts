import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { goodPassword, makeAccount, makeSoftPasskey, openDesk, signWithSoftPasskey } from '../../testkit/accounts.ts'
import { testApp } from '../../testkit/app.ts'
import { testDatabase } from '../../testkit/database.ts'
import { type Desk, deskOf, makeModerator, makePieceByActs } from '../../testkit/desk.ts'
import { type MadeWriter, makeWriter } from '../../testkit/factories.ts'

/** Which sessions may publish: recent or old, by password or by passkey. */

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
const outcome = async (answer: Promise<LightMyRequestResponse>) => {
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
    assert.match(refused.json().detail, /signed in more than 12 hours ago\. Confirm your password or passkey/)
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

  test('is told to add a passkey where the site asks for one and they have none', async () => {
    const desk = deskOf(passkey!, await makeWriter(admin))
    const none = await desk.act('publish', await desk.begin())
    assert.deepEqual([none.statusCode, none.json().reason], [403, 'forbidden'])
    assert.match(none.json().detail, /Add one in your account settings/)
  })
})

describe('where the site asks for a passkey, it is shown for the text that is published', () => {
  const opened = async () => {
    const writer = await makeWriter(admin)
    const desk = openDesk(passkey!)
    desk.cookies.set('__Host-desk', writer.sessionToken)
    await signedIn(writer, '1 minute')
    const { options } = (await desk.post('/passkeys/options')).json()
    const own = makeSoftPasskey(options)
    assert.equal((await desk.post('/passkeys', { credential: own.credential })).statusCode, 201)
    const shown = async () => {
      const { piece } = (await desk.post('/pieces', { headline: 'A headline', body_md: 'A body.' })).json()
      return { id: piece.id as string, nonce: (await desk.post(`/pieces/${piece.id}/preview`)).json().nonce as string }
    }
    return {
      desk,
      shown,
      publish: ({ id, nonce }: { id: string; nonce: string }) => outcome(desk.post(`/pieces/${id}/publish`, { nonce })),
      /** Requests a passkey prompt for one text and uses it for another. */
      confirm: async (asked: object, answered = asked) => {
        const offer = (await desk.post('/reauthenticate/options', asked)).json()
        const credential = signWithSoftPasskey(own, offer.options)
        return (await desk.post('/reauthenticate', { credential, ...answered })).statusCode
      },
    }
  }

  test('and one touch is enough for it', async () => {
    const { shown, publish, confirm } = await opened()
    const { id, nonce } = await shown()
    assert.deepEqual(await publish({ id, nonce }), byPassword)
    assert.equal(await confirm({ nonce }), 200)
    assert.equal(await publish({ id, nonce }), 200, 'the text that was looked at before')
    const { proof } = (
      await passkey!.inject({ url: `/p/${id}/receipt`, headers: { accept: 'application/json' } })
    ).json().receipt
    assert.deepEqual([proof.method, proof.of_this_revision], ['passkey', true])
  })

  test('and not for another text, nor for no text', async () => {
    const { shown, publish, confirm } = await opened()
    const [one, other] = [await shown(), await shown()]
    assert.equal(await confirm({}), 200)
    assert.deepEqual(await publish(one), byPassword)
    assert.equal(await confirm({ nonce: other.nonce }), 200)
    assert.deepEqual(await publish(one), byPassword)
    assert.equal(await confirm({ nonce: other.nonce }, { nonce: one.nonce }), 401)
    assert.equal(await confirm({}, { nonce: one.nonce }), 401)
    assert.deepEqual(await publish(one), byPassword)
    assert.equal(await publish(other), 200)
  })

  test('and not by another person', async () => {
    const [mine, theirs] = [await opened(), await opened()]
    const one = await mine.shown()
    await theirs.confirm({ nonce: one.nonce })
    assert.deepEqual(await mine.publish(one), byPassword)
  })
})

describe('a moderator', () => {
  const acts: Record<string, (desk: Desk, writer: Desk, slug: string) => Promise<Awaited<ReturnType<Desk['ask']>>>> = {
    approves: async (desk, writer) => desk.act('approve', await makePieceByActs('pending', writer, desk)),
    'takes down': async (desk, writer) => desk.act('take_down', await makePieceByActs('approved', writer, desk)),
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
  const { method, seconds, of_this_revision } = (await ask('application/json')).json().receipt.proof
  assert.deepEqual([method, of_this_revision], ['passkey', false])
  assert.equal(Math.floor(seconds / 3600), 2)
  assert.match((await ask('text/html')).body, /signed in or confirmed with a passkey 2 hours before/)
})

test('whoever confirms their password publishes what they had looked at', async () => {
  const { email, id } = await makeAccount(admin)
  await admin.query("insert into app.writers (account_id, slug, name, search_text) values ($1, $2, 'Ada', 'ada')", [
    id,
    `ada-${id}`,
  ])
  const desk = openDesk(recent!)
  assert.equal((await desk.post('/sign-in', { email, password: goodPassword })).statusCode, 200)
  const { piece } = (await desk.post('/pieces', { headline: 'A headline', body_md: 'A body.' })).json()
  const { nonce } = (await desk.post(`/pieces/${piece.id}/preview`)).json()
  const old = new Map(desk.cookies)
  assert.equal((await desk.post('/reauthenticate', { password: goodPassword })).statusCode, 200)
  assert.equal(await outcome(desk.post(`/pieces/${piece.id}/publish`, { nonce })), 200)
  for (const [name, value] of old) desk.cookies.set(name, value)
  assert.equal((await desk.get('/account')).statusCode, 401, 'the token from before')
})
