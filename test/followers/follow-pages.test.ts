import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { anyAddress } from '../../testkit/accounts.ts'
import { testSite } from '../../testkit/app.ts'
import { makeDraft, makePiece, makeSeries, makeWriter, unpublish } from '../../testkit/factories.ts'
import { readerKeys as keys } from '../../testkit/followers.ts'
import { withoutId } from '../../testkit/http.ts'
import { captureLog } from '../../testkit/log.ts'
import { renameAuthor } from '../../testkit/pages-site.ts'

/** Following by email as a browser without scripts, or a mail program, does it. */

const { log, lines } = captureLog()
const { admin, app } = await testSite({}, log)
const ada = await makeWriter(admin, { slug: 'ada', name: 'Ada Okafor' })
const adaKey = `author:${ada.id}`

const ours = { 'sec-fetch-site': 'same-origin', origin: 'https://site.test', accept: 'text/html' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }

interface Sending {
  readonly from?: string
  readonly headers?: Record<string, string>
}

const post = (path: string, fields: Record<string, string>, { from, headers }: Sending = {}) =>
  app.inject({
    method: 'POST',
    url: path,
    remoteAddress: from ?? anyAddress(),
    headers: { ...ours, ...form, ...headers },
    payload: new URLSearchParams(fields).toString(),
  })

const look = (path: string) => app.inject({ url: path, headers: { accept: 'text/html' } })

let readers = 0
const newAddress = () => `kim-${readers++}@reader.test`

const follow = (subject: string, fields: Record<string, string> = {}, sending: Sending = {}) =>
  post(`/desk/follow/${subject}`, { email: newAddress(), frequency: 'each', website: '', ...fields }, sending)

async function followsOf(email: string) {
  const { rows } = await admin.query(
    `select f.*, f.confirmed_at is not null as is_confirmed, r.sealed_address, r.language
       from app.follows f join app.readers r on r.id = f.reader_id where r.address_hash = any ($1) order by f.subject`,
    [keys.addressHashes(email)],
  )
  return rows
}

const short = async (email: string) =>
  (await followsOf(email)).map(({ subject, frequency, is_confirmed }) => [subject, frequency, is_confirmed])

async function readerOf(email: string): Promise<string | undefined> {
  const { rows } = await admin.query('select id from app.readers where address_hash = any ($1)', [
    keys.addressHashes(email),
  ])
  return rows[0]?.id
}

const emailsOf = async (email: string) =>
  (
    await admin.query(
      'select kind from app.reader_emails e join app.readers r on r.id = e.reader_id where r.address_hash = any ($1)',
      [keys.addressHashes(email)],
    )
  ).rows.map(({ kind }) => kind)

const pageOf = async (email: string): Promise<string> => {
  const reader = await readerOf(email)
  assert.ok(reader, `${email} is no reader`)
  return `/desk/following/${keys.readerToken(reader)}`
}

/** Follows and confirms. */
async function follower(...follows: readonly (readonly [subject: string, frequency: string])[]) {
  const email = newAddress()
  for (const [subject, frequency] of follows) {
    const { statusCode, body } = await follow(subject, { email, frequency })
    assert.equal(statusCode, 303, body)
  }
  const page = await pageOf(email)
  assert.equal((await post(`${page}/confirm`, {})).statusCode, 303)
  return { email, page }
}

/** An email that was sent to a reader. */
async function sentEmail(email: string, kind: 'piece' | 'weekly', piece?: string): Promise<string> {
  const { rows } = await admin.query(
    `insert into app.reader_emails (reader_id, kind, piece_id, period, domain_hash, state, due_at, ended_at)
     select id, $2, $3, $4, domain_hash, 'sent', now(), now() from app.readers where address_hash = any ($1)
     on conflict (piece_id, reader_id) where piece_id is not null do update set state = 'sent', ended_at = now()
     returning id`,
    [keys.addressHashes(email), kind, piece ?? null, kind === 'piece' ? null : '2026-01-05'],
  )
  return rows[0].id
}

test('the form names what is followed, says what one agrees to, and gives the feeds', async () => {
  const { statusCode, headers, body } = await look('/desk/follow/author/ada')
  assert.equal(statusCode, 200)
  assert.match(body, /<h1 dir="auto">Follow Ada Okafor<\/h1>/)
  assert.match(
    body,
    /We’ll email you new pieces by Ada Okafor, who can download the addresses of their followers\. First we email you a link to confirm\./,
  )
  assert.match(body, /value="each" required checked/)
  assert.match(body, /href="https:\/\/site\.test\/author\/ada\/feed\.xml"/)
  assert.match(body, /href="https:\/\/site\.test\/author\/ada\/feed\.json"/)
  assert.match(body, /<meta name="robots" content="noindex">/)
  assert.doesNotMatch(body, /<script/)
  assert.equal(headers['set-cookie'], undefined)
  assert.equal(headers['cache-control'], 'no-store')
  assert.ok(String(headers['content-security-policy']).includes("form-action 'self'"))
})

test('everything that is public has a form: the site, sections, topics and series', async () => {
  const id = await makePiece(admin, ada, { headline: 'On tea', category: 'ideas', tags: ['Green tea'] })
  await makeSeries(admin, ada, 'Slow tea', [id])
  for (const [subject, name] of [
    ['site', 'Standfirst'],
    ['section/ideas', 'Ideas'],
    ['topic/green-tea', 'Green tea'],
    ['series/ada/slow-tea', 'Slow tea'],
  ]) {
    assert.equal((await look(`/desk/follow/${subject}/sent`)).statusCode, 200, subject)
    const { statusCode, body } = await look(`/desk/follow/${subject}`)
    assert.equal(statusCode, 200, subject)
    assert.match(body, new RegExp(`<h1 dir="auto">Follow ${name}</h1>`))
  }
  for (const subject of ['section/boring', 'author/nobody', 'topic/nothing', 'series/ada/none', 'people/ada']) {
    assert.equal((await look(`/desk/follow/${subject}`)).statusCode, 404, subject)
    assert.equal((await follow(subject)).statusCode, 404, subject)
  }
})

test('a former or misspelt address leads to the present one', async () => {
  const bea = await makeWriter(admin, { slug: 'bea', name: 'Bea' })
  await renameAuthor(admin, bea, 'bea-new')
  const former = await look('/desk/follow/author/bea')
  assert.deepEqual([former.statusCode, former.headers.location], [302, 'https://site.test/desk/follow/author/bea-new'])
  const email = newAddress()
  assert.equal((await follow('author/bea', { email })).statusCode, 303)
  assert.deepEqual(await short(email), [[`author:${bea.id}`, 'each', false]])
  const upper = await look('/desk/follow/author/BEA-NEW')
  assert.deepEqual([upper.statusCode, upper.headers.location], [302, 'https://site.test/desk/follow/author/bea-new'])
})

test('nothing is followed before the address confirms it, on a page that only its emails link to', async () => {
  const email = newAddress()
  const sent = await follow(
    'author/ada',
    { email: ` ${email.toUpperCase()} `, frequency: 'daily' },
    { headers: { referer: 'https://site.test/author/ada/on-tea?from=home' } },
  )
  assert.deepEqual([sent.statusCode, sent.headers.location], [303, 'https://site.test/desk/follow/author/ada/sent'])
  const answer = await look('/desk/follow/author/ada/sent')
  assert.match(answer.body, /<h1 dir="auto">Check your email<\/h1>/)
  assert.match(answer.body, /no-reply@site\.test/)
  assert.match(answer.body, /href="https:\/\/site\.test\/author\/ada"/)

  assert.deepEqual(await short(email), [[adaKey, 'daily', false]])
  assert.deepEqual(await emailsOf(email), ['confirm'])
  const [{ asked_on, consent, language, sealed_address }] = await followsOf(email)
  assert.equal(asked_on, '/author/ada/on-tea')
  assert.equal(
    consent,
    'We’ll email you new pieces by Ada Okafor, who can download the addresses of their followers. First we email you a link to confirm. You can stop at any time.',
  )
  assert.equal(language, 'en')
  assert.doesNotMatch(Buffer.from(sealed_address).toString('latin1'), /reader\.test/i)

  const page = await pageOf(email)
  for (let time = 0; time < 2; time++) {
    const { statusCode, headers, body } = await look(page)
    assert.equal(statusCode, 200)
    assert.match(body, /Waiting for you to confirm/)
    assert.match(body, /<bdi>Ada Okafor<\/bdi>/)
    assert.doesNotMatch(body, /kim-|reader\.test/i)
    assert.deepEqual(
      [headers['referrer-policy'], headers['cache-control'], headers['x-robots-tag']],
      ['strict-origin', 'no-store', 'noindex'],
    )
    assert.deepEqual(await short(email), [[adaKey, 'daily', false]], 'opening the page confirms nothing')
  }
  const confirmed = await post(`${page}/confirm`, {})
  assert.deepEqual([confirmed.statusCode, confirmed.headers.location], [303, `https://site.test${page}?done=confirmed`])
  assert.deepEqual(await short(email), [[adaKey, 'daily', true]])
  const after = await look(`${page}?done=confirmed`)
  assert.match(after.body, /role="status">Confirmed\.</)
  assert.doesNotMatch(after.body, /Waiting for you/)
})

const wrong: Record<string, { fields: Record<string, string>; says: readonly RegExp[] }> = {
  'no address': { fields: { email: '' }, says: [/Enter your email address\./] },
  'no real address': {
    fields: { email: 'kim at reader' },
    says: [/Enter a valid email address/, /value="kim at reader"/],
  },
  'a frequency nobody offers': { fields: { frequency: 'hourly' }, says: [/Choose how often/] },
  'both wrong': { fields: { email: 'x', frequency: '' }, says: [/Enter a valid/, /Choose how often/] },
  'markup for an address': { fields: { email: '"><script>' }, says: [/value="&quot;&gt;&lt;script&gt;"/] },
}

for (const [what, { fields, says }] of Object.entries(wrong)) {
  test(`a form with ${what} comes back with what is wrong`, async () => {
    const { statusCode, body } = await follow('author/ada', fields)
    assert.equal(statusCode, 400)
    for (const words of says) assert.match(body, words)
    assert.match(body, /role="alert"/)
  })
}

test('an empty body, other types and other sites are refused', async () => {
  const empty = await app.inject({ method: 'POST', url: '/desk/follow/site', headers: ours })
  assert.equal(empty.statusCode, 400)
  const json = { ...ours, 'content-type': 'application/json' }
  const typed = await app.inject({ method: 'POST', url: '/desk/follow/site', headers: json, payload: '{}' })
  assert.equal(typed.statusCode, 415)
  const email = newAddress()
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }])
    assert.equal((await follow('site', { email }, { headers })).statusCode, 403)
  assert.equal(await readerOf(email), undefined)
})

test('a bot that fills in the trap sees success and nothing is kept', async () => {
  const email = newAddress()
  const { statusCode } = await follow('author/ada', { email, website: 'https://spam.test' })
  assert.equal(statusCode, 303)
  assert.equal(await readerOf(email), undefined)
})

test('the answer is the same whatever is known of the address', async () => {
  const { email } = await follower(['author/ada', 'each'])
  const seen = ({
    statusCode,
    body,
    headers: { date: _, 'x-request-id': _id, ...headers },
  }: LightMyRequestResponse) => ({
    statusCode,
    body: withoutId(body),
    headers,
  })
  const [known, unknown] = [await follow('author/ada', { email }), await follow('author/ada', {})]
  assert.deepEqual(seen(known), seen(unknown))
  assert.equal(known.statusCode, 303)
})

test('an address gets three emails to confirm a day, and a network sends thirty forms', async () => {
  const email = newAddress()
  for (const subject of ['site', 'author/ada', 'section/ideas', 'section/culture', 'section/ideas'])
    assert.equal((await follow(subject, { email })).statusCode, 303)
  // One waits to be sent: another would be the same.
  await admin.query("update app.reader_emails set state = 'sent', ended_at = now() where kind = 'confirm'")
  for (let time = 0; time < 4; time++) {
    assert.equal((await follow('site', { email })).statusCode, 303)
    await admin.query("update app.reader_emails set state = 'sent', ended_at = now() where state = 'pending'")
  }
  assert.ok((await emailsOf(email)).length <= 3, String(await emailsOf(email)))

  const from = anyAddress()
  for (let time = 0; time < 30; time++) assert.equal((await follow('site', {}, { from })).statusCode, 303)
  const refused = await follow('author/ada', {}, { from })
  assert.equal(refused.statusCode, 409)
  assert.match(refused.body, /Too many requests today/)
  assert.match(refused.body, /href="https:\/\/site\.test\/author\/ada\/feed\.xml"/)
})

test('a reader changes how often, stops one, and is forgotten with the last', async () => {
  const { email, page } = await follower(['author/ada', 'each'], ['site', 'daily'])
  const changed = await post(`${page}/change`, { subject: adaKey, frequency: 'weekly' })
  assert.equal(changed.headers.location, `https://site.test${page}?done=changed`)
  assert.deepEqual(await short(email), [
    [adaKey, 'weekly', true],
    ['site', 'daily', true],
  ])
  assert.match((await look(page)).body, /<option value="weekly" selected>/)
  for (const fields of [{ subject: adaKey, frequency: 'never' }, { subject: '\0', frequency: 'each' }, {}])
    assert.equal((await post(`${page}/change`, fields as Record<string, string>)).statusCode, 303)
  assert.deepEqual((await short(email))[0], [adaKey, 'weekly', true])

  await post(`${page}/stop`, { subject: 'site' })
  assert.deepEqual(await short(email), [[adaKey, 'weekly', true]])
  await post(`${page}/stop`, {})
  assert.equal((await short(email)).length, 1, 'a form without a subject stops nothing')
  await post(`${page}/stop`, { subject: adaKey })
  assert.equal(await readerOf(email), undefined)
  const { statusCode, body } = await look(`${page}?done=stopped`)
  assert.equal(statusCode, 200)
  assert.match(body, /You get no emails, and we’ve deleted your address\./)
})

test('what waits can be removed instead of confirmed', async () => {
  const { email, page } = await follower(['author/ada', 'each'])
  await follow('section/ideas', { email })
  await post(`${page}/stop`, { subject: 'section:ideas' })
  await post(`${page}/confirm`, {})
  assert.deepEqual(await short(email), [[adaKey, 'each', true]])
})

test('stopping all emails forgets the reader at once', async () => {
  const { email, page } = await follower(['author/ada', 'each'], ['site', 'daily'], ['section/ideas', 'weekly'])
  const stopped = await post(`${page}/stop`, { all: 'yes' })
  assert.equal(stopped.statusCode, 303)
  assert.equal(await readerOf(email), undefined)
  assert.equal((await post(`${page}/stop`, { all: 'yes' })).statusCode, 303)
})

test('one who follows only what is not public any more can still stop it', async () => {
  const bob = await makeWriter(admin, { slug: 'bob', name: 'Bob' })
  const { email, page } = await follower(['author/bob', 'each'])
  await admin.query('update app.follows set subject = $1 where subject = $2', [
    `author:${crypto.randomUUID()}`,
    `author:${bob.id}`,
  ])
  const { body } = await look(page)
  assert.match(body, /isn’t public at the moment/)
  assert.match(body, /Stop all emails/)
  await post(`${page}/stop`, { all: 'yes' })
  assert.equal(await readerOf(email), undefined)
})

test('a link that is wrong or of another kind is a friendly 404, and changes nothing', async () => {
  const { email, page } = await follower(['author/ada', 'each'])
  const token = page.split('/').at(-1)!
  const emailToken = keys.emailToken((await readerOf(email))!)
  const flipped = (token.startsWith('A') ? 'B' : 'A') + token.slice(1)
  for (const bad of [flipped, token.slice(0, -2), emailToken, 'nonsense', '%00', 'x'.repeat(99)]) {
    const { statusCode, body } = await look(`/desk/following/${bad}`)
    assert.equal(statusCode, 404, bad)
    assert.match(body, /This link doesn’t work/)
    for (const act of ['confirm', 'change', 'stop'])
      assert.equal((await post(`/desk/following/${bad}/${act}`, { all: 'yes' })).statusCode, 404)
    if (bad !== emailToken) {
      assert.equal((await look(`/desk/following/stop/${bad}`)).statusCode, 404, bad)
      assert.equal((await post(`/desk/following/stop/${bad}`, {})).statusCode, 404, bad)
    }
  }
  assert.equal((await short(email)).length, 1)
})

const oneClick: Record<string, Pick<InjectOptions, 'headers' | 'payload'>> = {
  'as a form': { headers: form, payload: 'List-Unsubscribe=One-Click' },
  'as parts': {
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    payload: '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
  },
  'without a body': {},
  'from another site': {
    headers: { ...form, origin: 'https://mail.test', 'sec-fetch-site': 'cross-site' },
    payload: '',
  },
}

for (const [how, request] of Object.entries(oneClick)) {
  test(`a mail program stops what an email was sent for, with one request ${how}`, async () => {
    const piece = await makePiece(admin, ada)
    await admin.query(
      `insert into app.announcements (piece_id, published_at, subjects, daily, weekly)
       values ($1, now(), $2, '2026-01-05', '2026-01-05')
       on conflict (piece_id) do update set subjects = excluded.subjects, daily = excluded.daily, weekly = excluded.weekly`,
      [piece, ['site', adaKey]],
    )
    const { email } = await follower(['author/ada', 'each'], ['section/culture', 'each'], ['site', 'weekly'])
    const address = `/desk/following/stop/${keys.emailToken(await sentEmail(email, 'piece', piece))}`
    const asked = await look(address)
    assert.equal(asked.statusCode, 200)
    assert.match(asked.body, /Stop these emails\?/)
    assert.doesNotMatch(asked.body, /Ada Okafor|kim-/)
    assert.equal((await short(email)).length, 3, 'opening the page stops nothing')
    for (let time = 0; time < 2; time++) {
      const { statusCode, body } = await app.inject({
        method: 'POST',
        url: address,
        remoteAddress: anyAddress(),
        ...request,
      })
      assert.equal(statusCode, 200, body)
      assert.match(body, /You’ll get no more of these emails/)
      assert.doesNotMatch(body, /Ada Okafor|kim-/)
    }
    assert.deepEqual(await short(email), [
      ['section:culture', 'each', true],
      ['site', 'weekly', true],
    ])
  })
}

test('the link of a digest ends what is followed so often, and answers when its reader is forgotten', async () => {
  const { email } = await follower(['author/ada', 'weekly'], ['site', 'weekly'])
  const address = `/desk/following/stop/${keys.emailToken(await sentEmail(email, 'weekly'))}`
  assert.match((await post(address, {})).body, /You’ll get no more of these emails/)
  assert.equal(await readerOf(email), undefined)
  const again = await post(address, {})
  assert.equal(again.statusCode, 200)
  assert.match(again.body, /Nothing left to stop/)
})

test('the link of an email that is not kept any more leads people to what they follow, and ends all of it for a mail program', async () => {
  const { email } = await follower(['author/ada', 'weekly'], ['site', 'each'])
  const reader = (await readerOf(email))!
  const id = await sentEmail(email, 'weekly')
  const address = `/desk/following/stop/${keys.emailToken(id, reader)}`
  await admin.query('delete from app.reader_emails where id = $1', [id])
  assert.match((await look(address)).body, /name="page" value="yes"/)
  const chosen = await post(address, { page: 'yes' })
  assert.deepEqual(
    [chosen.statusCode, chosen.headers.location],
    [303, `https://site.test/desk/following/${keys.readerToken(reader)}`],
  )
  assert.equal((await short(email)).length, 2)
  const [request] = Object.values(oneClick)
  const clicked = await app.inject({ method: 'POST', url: address, remoteAddress: anyAddress(), ...request })
  assert.match(clicked.body, /You’ll get no more of these emails/)
  assert.equal(await readerOf(email), undefined)
  const flipped = address.replace(/.(?=.{30}$)/, (one) => (one === 'A' ? 'B' : 'A'))
  assert.equal((await look(flipped)).statusCode, 404)
})

test('public pages lead to the forms, and a piece has one that works without script', async () => {
  const id = await makePiece(admin, ada, { headline: 'Second flush', category: 'ideas', tags: ['Green tea'] })
  const page = await look('/author/ada/second-flush')
  assert.match(page.body, /class="follow-link" href="https:\/\/site\.test\/desk\/follow\/author\/ada"/)
  const [markup] = /<form class="follow-form"[\s\S]*?<\/form>/.exec(page.body) ?? []
  assert.ok(markup)
  assert.match(markup, /method="post" action="https:\/\/site\.test\/desk\/follow\/author\/ada"/)
  assert.match(markup, /name="frequency" value="each"/)
  const email = newAddress()
  const [{ consent } = { consent: '' }] = await follow('author/ada', { email }).then(() => followsOf(email))
  assert.ok(markup.includes(consent), 'the form shows what is kept as consent')
  for (const [path, subject] of [
    ['/', 'site'],
    ['/author/ada', 'author/ada'],
    ['/category/ideas', 'section/ideas'],
    ['/topic/green-tea', 'topic/green-tea'],
    ['/author/ada/series/slow-tea', 'series/ada/slow-tea'],
    ['/topics', 'site'],
  ])
    assert.ok((await look(path!)).body.includes(`https://site.test/desk/follow/${subject}"`), path)
  await unpublish(admin, ada, id)
})

test('a draft shows no form: nobody can follow from it', async () => {
  const id = await makeDraft(admin, ada, { headline: 'Not yet' })
  assert.ok(id)
  assert.doesNotMatch((await look('/author/ada/not-yet')).body, /follow-form/)
})

test('neither the token of a reader nor an address is ever in the log', async () => {
  const { email, page } = await follower(['author/ada', 'each'])
  const token = page.split('/').at(-1)!
  const emailToken = keys.emailToken(await sentEmail(email, 'weekly'))
  await look(page)
  await look(`/desk/following/stop/${emailToken}`)
  await post(`/desk/following/stop/${emailToken}`, {})
  await follow('site', { email: `${email}.` })
  const written = lines.join('')
  assert.ok(written.includes('/desk/following/:token'), 'requests are logged')
  for (const secret of [token, emailToken, 'reader.test', email]) assert.ok(!written.includes(secret), secret)
})
