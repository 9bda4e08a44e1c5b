import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DeskFollowers, ImportPreview } from '../../server/features/followers/desk-schema.ts'
import { claimEmails, expandAnnouncements, settleEmails } from '../../server/features/followers/email-queue.ts'
import { stopEmail, stopFollowing } from '../../server/features/followers/follow.ts'
import { applyImport } from '../../server/features/followers/imports.ts'
import { testSite } from '../../testkit/app.ts'
import { standfirst } from '../../testkit/cli.ts'
import { workerDatabase } from '../../testkit/database.ts'
import { deskOf } from '../../testkit/desk.ts'
import { makePiece, makeWriter } from '../../testkit/factories.ts'
import { followSite, makeEmailsDue, makeFollower, readerWith } from '../../testkit/followers.ts'
import { testWorker } from '../../testkit/jobs.ts'
import { startMailbox } from '../../testkit/mailbox.ts'
import { readersOf } from '../../testkit/reader-emails.ts'
import { until } from '../../testkit/waiting.ts'

/** Followers that a writer brings from elsewhere: who is added, asked or left out, and what they and the writer get. */

const database = await testSite({ SITE_NAME: 'Tea Site' })
const { url, admin, app } = database
const site = followSite({ url, admin })
const worker = workerDatabase(url)
const readers = readersOf(database, { SITE_NAME: 'Tea Site' })

async function writer(slug: string) {
  const made = await makeWriter(admin, { slug, name: slug })
  await makePiece(admin, made, { headline: `By ${slug}` })
  while (await expandAnnouncements(worker));
  const desk = deskOf(app, made)
  const upload = (file: string | Buffer) =>
    desk.ask('POST', 'followers/imports', Buffer.from(file as string), { 'content-type': 'text/csv' })
  const agree = (id: string) => desk.ask('POST', `followers/imports/${id}/agree`)
  return {
    ...made,
    desk,
    upload,
    agree,
    async preview(file: string): Promise<ImportPreview> {
      const answer = await upload(file)
      assert.equal(answer.statusCode, 201, answer.body)
      return answer.json()
    },
    /** To the end, as the worker's job does. */
    async import(file: string) {
      const { id } = await this.preview(file)
      const answer = await agree(id)
      assert.equal(answer.statusCode, 200, answer.body)
      await applyImport(worker, { import: id }, new AbortController().signal)
      return (await this.followers()).imports[0]!
    },
    followers: async () => (await desk.ask('GET', 'followers')).json<DeskFollowers>(),
    async addresses() {
      const { body } = await desk.ask('GET', 'followers.csv')
      return body
        .trimEnd()
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(',')[0])
    },
  }
}

const list = (...lines: string[]) => ['email,consent date,text', ...lines].map((line) => `${line}\n`).join('')
const dated = (name: string, count: number, domain = 'list') =>
  list(...Array.from({ length: count }, (_, at) => `${name}-${at}@${domain}.test,2024-01-02,At the fair`))

/** Kinds of the emails that are due for a reader. */
async function dueFor(reader: string): Promise<string[]> {
  while (await expandAnnouncements(worker));
  const { rows } = await admin.query(
    "select kind from app.reader_emails where reader_id = $1 and state = 'pending' order by 1",
    [reader],
  )
  return rows.map(({ kind }) => kind)
}

test('a preview counts what a file would change, and adds nobody', async () => {
  const ada = await writer('ada')
  await makeFollower(site, 'known@a.test', 'author/ada')
  await stopFollowing(site, await makeFollower(site, 'left@a.test', 'author/ada'))
  const gone = await makeFollower(site, 'gone@a.test', 'site')
  await admin.query(
    "update app.readers set suppressed_at = now() - interval '1 year', suppressed_for = 'bounced', sealed_address = null where id = $1",
    [gone],
  )
  const preview = await ada.preview(
    list(
      'new@a.test,2024-01-02,Fair',
      'NEW@a.test,2024-01-02,',
      'unsure@a.test,,',
      'known@a.test,2024-01-02,',
      'left@a.test,2024-01-02,',
      'gone@a.test,2024-01-02,',
      'nobody,2024-01-02,',
    ),
  )
  const { id, statement, ok, ...counted } = preview
  assert.deepEqual(counted, { rows: 7, added: 1, asked: 1, known: 1, ended: 2, malformed: 1, repeated: 1 })
  assert.match(statement, /^These people agreed/)
  const { total, imports } = await ada.followers()
  assert.deepEqual([total, imports], [1, []])
  assert.equal(await readerWith(site, 'new@a.test'), undefined)
  assert.doesNotMatch(JSON.stringify(preview), /a\.test/)
})

test('those with a date of consent are followers without an email; the others are asked, and added once they confirm', async () => {
  const berta = await writer('berta')
  await berta.desk.ask('PUT', 'followers/welcome', { text: 'Welcome.' })
  const done = await berta.import(list('dated@b.test,2024-01-02,At the fair of a@b.test', 'undated@b.test,,'))
  const { added, asked, rows, is_finished, is_stopped } = done
  assert.deepEqual(
    { added, asked, rows, is_finished, is_stopped },
    { added: 1, asked: 1, rows: 2, is_finished: true, is_stopped: false },
  )
  const [one, two] = [(await readerWith(site, 'dated@b.test'))!, (await readerWith(site, 'undated@b.test'))!]
  assert.deepEqual([await dueFor(one), await dueFor(two)], [[], ['confirm']])
  assert.deepEqual(await berta.addresses(), ['dated@b.test'])
  const { total, days } = await berta.followers()
  assert.deepEqual([total, days.at(-1)!.gained], [1, 1])

  const asking = await readers.written(two, 'confirm')
  assert.match(asking.text, /You are on an earlier list of berta\./)
  await readers.confirm(two)
  assert.deepEqual(await berta.addresses(), ['dated@b.test', 'undated@b.test'])
  const { rows: kept } = await admin.query('select asked_at, asked_on, consent from app.follows where reader_id = $1', [
    one,
  ])
  assert.deepEqual(kept, [
    { asked_at: new Date('2024-01-02'), asked_on: '/desk/followers', consent: 'At the fair of …' },
  ])
})

test('the first email says why its reader gets it, the second does not, and one click ends both', async () => {
  const carla = await writer('carla')
  await carla.import(list('reader@c.test,2024-03-04,'))
  const reader = (await readerWith(site, 'reader@c.test'))!
  await makePiece(admin, carla, { headline: 'One' })
  const email = await readers.due(reader, 'piece')
  const first = await readers.write(email)
  assert.match(first!.text, /carla now sends new pieces with Tea Site\..* on 4 March 2024\./)
  assert.match(first!.html, /carla now sends new pieces with Tea Site\./)
  await settleEmails(worker, [{ id: email.id, token: email.lease_token, outcome: 'sent', wait: null }])
  await makePiece(admin, carla, { headline: 'Two' })
  const second = await readers.written(reader, 'piece')
  assert.doesNotMatch(second.text, /now sends/)
  assert.match(second.text, /You follow carla\./)
  await stopEmail(site, email.id)
  assert.deepEqual(await carla.addresses(), [])
})

test('who stopped is never added again by a list, but by the form, and then belongs to the writer as before', async () => {
  const dora = await writer('dora')
  const file = list('reader@d.test,2024-01-02,', 'asked@d.test,,')
  await dora.import(file)
  await stopFollowing(site, (await readerWith(site, 'reader@d.test'))!)
  await admin.query("update app.follows set asked_at = asked_at - interval '8 days' where confirmed_at is null")
  await worker.run({ text: 'select app.sweep_readers()' })
  const again = await dora.import(file)
  assert.deepEqual([again.added, again.asked, again.ended], [0, 0, 2])
  assert.equal(await readerWith(site, 'reader@d.test'), undefined)
  await makeFollower(site, 'reader@d.test', 'author/dora')
  assert.equal((await dora.import(file)).known, 1)
  const other = await writer('doris')
  assert.equal((await other.import(file)).added, 1)
})

test('an exported list imports elsewhere as it is: addresses, frequency, words and time of consent', async () => {
  const [emma, fritz] = [await writer('emma'), await writer('fritz')]
  await emma.import(list('+one@e.test,2024-01-02,=1+1', 'two@e.test,2023-01-02,"At the ""fair"", twice"'))
  await makeFollower(site, 'three@e.test', 'author/emma', 'weekly')
  const { body } = await emma.desk.ask('GET', 'followers.csv')
  assert.match(body, /^'\+one@e\.test/m)
  await fritz.import(body)
  const own = (slug: string) =>
    admin.query(
      `select r.address_hash, f.frequency, date_trunc('milliseconds', f.asked_at) as asked_at, f.consent
         from app.follows f join app.readers r on r.id = f.reader_id join pub.authors a on f.subject = 'author:' || a.id
        where a.slug = $1 order by 1`,
      [slug],
    )
  assert.deepEqual((await own('fritz')).rows, (await own('emma')).rows)
  assert.equal((await own('fritz')).rowCount, 3)
})

test('at most thirty are asked a day from one network, whatever forms were sent from there', async () => {
  const greta = await writer('greta')
  const file = list(...Array.from({ length: 40 }, (_, at) => `asked-${at}@g-${at}.test,,`))
  const first = await greta.import(file)
  assert.ok(first.asked <= 30 && first.over_limit >= 10 && first.asked + first.over_limit === 40)
  const second = await greta.import(file)
  assert.deepEqual([second.asked, second.known, second.over_limit], [0, first.asked, first.over_limit])
})

test('ten thousand rows go on where they were interrupted, and each is counted once', async () => {
  const hanna = await writer('hanna')
  const { id, added } = await hanna.preview(dated('many', 10_000, 'h'))
  assert.equal(added, 10_000)
  await hanna.agree(id)
  await worker.run({ text: 'select app.apply_follower_import($1, 500)', values: [id] })
  const half = (await hanna.followers()).imports[0]!
  assert.deepEqual([half.added, half.is_finished], [500, false])
  await applyImport(worker, { import: id }, new AbortController().signal)
  await applyImport(worker, { import: id }, new AbortController().signal)
  const { total, imports } = await hanna.followers()
  assert.deepEqual([total, imports[0]!.added, imports[0]!.is_finished], [10_000, 10_000, true])
  const { rowCount } = await admin.query('select from app.follower_import_rows where import_id = $1', [id])
  assert.equal(rowCount, 0)
})

test('where too many addresses bounce, none that was imported gets emails, until an operator looks; one click still ends it', async () => {
  const ines = await writer('ines')
  await ines.import(dated('reader', 60, 'i'))
  const own = await makeFollower(site, 'own@i.test', 'author/ines')
  await makePiece(admin, ines, { headline: 'One' })
  while (await expandAnnouncements(worker));
  await makeEmailsDue(admin)
  await admin.query('update app.mail_domains set width = 100')
  const emails = (await claimEmails(worker, 500)).filter(({ kind }) => kind === 'piece')
  const sent = emails.filter(({ reader_id }) => reader_id !== own)
  assert.equal(sent.length, 60)
  const settle = (from: number, to: number, outcome: 'refused' | 'sent') =>
    settleEmails(
      worker,
      sent.slice(from, to).map(({ id, lease_token: token }) => ({ id, token, outcome, wait: null })),
    )
  await settle(0, 19, 'refused')
  assert.equal((await ines.followers()).imports[0]!.is_stopped, false)
  await settle(19, 20, 'refused')
  await settle(20, 60, 'sent')
  assert.equal((await ines.followers()).imports[0]!.is_stopped, true)

  await makePiece(admin, ines, { headline: 'Two' })
  const last = sent.at(-1)!
  assert.deepEqual(await dueFor(last.reader_id), [])
  assert.ok((await dueFor(own)).includes('piece'))
  const refused = await ines.upload(list('more@i.test,2024-01-02,'))
  assert.deepEqual([refused.statusCode, refused.json().reason], [409, 'illegal_transition'])
  const before = await ines.addresses()
  await stopEmail(site, last.id)
  assert.equal((await ines.addresses()).length, before.length - 1)

  const as = { DATABASE_URL: url, BASE_URL: 'http://localhost:8080' }
  assert.match((await standfirst(as, 'writer', 'resume-followers', 'ines')).out, /get emails again/)
  assert.match((await standfirst(as, 'writer', 'resume-followers', 'ines')).out, /weren’t stopped/)
  await makePiece(admin, ines, { headline: 'Three' })
  assert.deepEqual(await dueFor(sent.at(-2)!.reader_id), ['piece'])
})

test('it needs a recent sign-in, one agreement, a fresh preview and the writer’s own; five lists a day', async () => {
  const [jana, other] = [await writer('jana'), await writer('janis')]
  const { id } = await jana.preview(list('one@j.test,2024-01-02,'))
  assert.equal((await other.agree(id)).statusCode, 410)
  const newer = await jana.preview(list('two@j.test,2024-01-02,'))
  assert.equal((await jana.agree(id)).statusCode, 410)
  await admin.query("update app.follower_imports set uploaded_at = uploaded_at - interval '2 hours' where id = $1", [
    newer.id,
  ])
  assert.equal((await jana.agree(newer.id)).statusCode, 410)

  await admin.query("update app.sessions set authenticated_at = now() - interval '11 minutes' where id = $1", [
    jana.sessionId,
  ])
  for (const answer of [await jana.upload(list('one@j.test,,')), await jana.agree(newer.id)])
    assert.deepEqual([answer.statusCode, answer.json().reason], [403, 'fresh_sign_in_required'])
  await admin.query('update app.sessions set authenticated_at = now() where id = $1', [jana.sessionId])

  for (let day = 0; day < 5; day += 1) await jana.import(list(`reader-${day}@j.test,2024-01-02,`))
  const sixth = await jana.preview(list('six@j.test,2024-01-02,'))
  assert.equal((await jana.agree(sixth.id)).json().reason, 'limit_reached')
  const events = (await jana.desk.ask('GET', 'account/history')).json().events
  assert.equal(events.filter(({ act }: { act: string }) => act === 'followers_imported').length, 5)
  for (let file = 0; file < 20; file += 1) await jana.upload(list('seven@j.test,2024-01-02,'))
  assert.equal((await jana.upload(list('seven@j.test,2024-01-02,'))).json().reason, 'limit_reached')
  await worker.run({ text: 'select app.sweep_readers()' })
})

test('what is no list is refused before anything is kept', async () => {
  const kim = await writer('kim')
  for (const [file, type, status] of [
    ['name\nAda\n', 'text/csv', 400],
    ['', 'text/csv', 400],
    [list('a@k.test,,'), 'application/octet-stream', 415],
    [Buffer.alloc(8 * 2 ** 20 + 1, 'a'), 'text/csv', 413],
  ] as const) {
    const answer = await kim.desk.ask('POST', 'followers/imports', Buffer.from(file as string), {
      'content-type': type,
    })
    assert.equal(answer.statusCode, status, answer.body)
  }
  const { rowCount } = await admin.query('select from app.follower_imports where writer_id = $1', [kim.id])
  assert.equal(rowCount, 0)
})

test('the worker imports what was agreed to, once however often, and the account gets an email about it', async () => {
  const mailbox = await startMailbox()
  await testWorker(url, { SMTP_URL: mailbox.url, SITE_NAME: 'Tea Site' })
  const lena = await writer('lena')
  const { id } = await lena.preview(list('reader@l.test,2024-01-02,'))
  const { rows } = await admin.query('select email from app.accounts where id = $1', [lena.accountId])
  assert.equal((await lena.agree(id)).statusCode, 200)
  assert.equal((await lena.agree(id)).statusCode, 200)
  await until(async () => (await lena.followers()).imports[0]!.is_finished, 'the list is imported')
  assert.deepEqual(await lena.addresses(), ['reader@l.test'])
  const { text } = await mailbox.waitForEmail(rows[0].email, /Followers imported/)
  assert.match(text, /\/desk\/followers/)
  const about = mailbox.emails().filter(({ to, subject }) => to[0] === rows[0].email && subject.includes('imported'))
  assert.equal(about.length, 1)
})
