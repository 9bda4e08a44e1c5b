import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPayload } from '../../server/features/jobs.ts'
import { testSite } from '../../testkit/app.ts'
import { standfirst } from '../../testkit/cli.ts'
import { deskOf, makeModerator } from '../../testkit/desk.ts'
import { makePiece, makeWriter } from '../../testkit/factories.ts'
import { testWorker } from '../../testkit/jobs.ts'
import { startMailbox } from '../../testkit/mailbox.ts'

/** Who is notified of a suspension, and the operator's commands for it. */

const { url, admin, app } = await testSite()
const mailbox = await startMailbox()
await testWorker(url, { SMTP_URL: mailbox.url })
const moderators = deskOf(app, await makeModerator(admin))

test('the writer gets the reason by email, and another when it is over', async () => {
  await makeWriter(admin, { slug: 'ada' })
  const reason = 'Sixty pieces that sell the same watch.'
  await moderators.ask('POST', 'review/writers/ada/suspend', { reason })
  const email = await mailbox.waitForEmail('ada@site.test', /suspended/)
  assert.ok(email.text.includes(`“${reason}”`), email.text)
  const { rows } = await admin.query("select data from jobs.job where name like 'account.%'")
  assert.doesNotMatch(JSON.stringify(rows), /watch/)
  await moderators.ask('POST', 'review/writers/ada/restore', { reason: 'It was another Ada.' })
  assert.match(
    (await mailbox.waitForEmail('ada@site.test', /restored/)).text,
    /Everything that was public before is public again/,
  )
})

test('no job can put words into that email', () => {
  const to = { account: '0b5f2c4e-8a5d-4d3f-9d57-0c7a1b2c3d4e' }
  const params = { at: '2026-05-03T14:05:09.123Z', reason: 'Pay at https://evil.example' }
  assert.equal(readPayload('mail', { to, letter: 'writer-suspended', params }), undefined)
  const restored = { to, params: { at: params.at } }
  for (const name of ['letter', 'template'])
    assert.deepEqual(readPayload('mail', { ...restored, [name]: 'writer-restored' }), {
      ...restored,
      template: 'writer-restored',
    })
})

test('the operator suspends and restores from the command line, also a moderator', async () => {
  const writer = (...args: string[]) => standfirst({ DATABASE_URL: url }, 'writer', ...args)
  const bo = await makeWriter(admin, { slug: 'bo' })
  const piece = await makePiece(admin, bo)
  await admin.query("update app.accounts set role = 'moderator' where id = $1", [bo.accountId])
  const status = async () => (await app.inject(`/api/public/pieces/${piece}`)).statusCode
  assert.match((await writer('suspend', 'bo', '--reason', 'Spam.')).out, /^bo is suspended/)
  assert.equal(await status(), 404)
  assert.match((await writer('suspend', 'bo', '--reason', 'Spam.')).error, /already suspended/)
  assert.match((await writer('verify', 'bo')).error, /suspended. Restore them first/)
  assert.match((await writer('restore', 'bo')).out, /^bo is no longer suspended/)
  assert.equal(await status(), 200)
  assert.match((await writer('restore', 'nobody')).error, /There is no writer with the slug “nobody”/)
  const { rows } = await admin.query('select act, note from app.writer_audit where writer_id = $1 order by id', [bo.id])
  assert.deepEqual(rows, [
    { act: 'suspend', note: 'Spam.' },
    { act: 'restore', note: null },
  ])
})
