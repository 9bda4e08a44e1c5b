import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { anyAddress } from '../../testkit/accounts.ts'
import { testApp, testSite } from '../../testkit/app.ts'
import { allRows } from '../../testkit/attacks.ts'
import { makeDraft, makePiece, makeWriter, unpublish } from '../../testkit/factories.ts'
import { withoutId } from '../../testkit/http.ts'
import { until } from '../../testkit/waiting.ts'

/** "Report this piece", as a browser without scripts sends it. */

const { url, admin, app } = await testSite()
const writer = await makeWriter(admin, { slug: 'ada', name: 'Ada Okafor' })
const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const ours = { ...html, 'sec-fetch-site': 'same-origin', origin: 'https://site.test' }

interface Sending {
  readonly from?: string
  readonly headers?: Record<string, string>
  readonly site?: FastifyInstance
}

/** Asks again when the server is busy. */
const send = (id: string, form: Record<string, string> | string, { from, headers, site = app }: Sending = {}) =>
  until(async () => {
    const answer = await site.inject({
      method: 'POST',
      url: `/desk/report/${id}`,
      remoteAddress: from ?? anyAddress(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...ours, ...headers },
      payload: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
    })
    return answer.statusCode !== 503 && answer
  }, `the report of ${id} is answered by anything but 503`)

const look = (id: string, headers: Record<string, string> = html) => app.inject({ url: `/desk/report/${id}`, headers })

async function reportsOf(id: string) {
  const { rows } = await admin.query(
    'select reason, note, email, settled_at from app.reports where piece_id = $1 order by id',
    [id],
  )
  return rows
}

test('a reader reports a piece and is thanked; reloading the thanks sends nothing', async () => {
  const id = await makePiece(admin, writer, { headline: 'On tea' })
  const sent = await send(id, { reason: 'copyright', note: 'Line one\r\nline two', email: ' me@reader.test ' })
  assert.deepEqual([sent.statusCode, sent.headers.location], [303, `/desk/report/${id}/thanks`])
  assert.deepEqual(await reportsOf(id), [
    { reason: 'copyright', note: 'Line one\nline two', email: 'me@reader.test', settled_at: null },
  ])
  for (let time = 0; time < 2; time++) {
    const thanks = await app.inject({ url: String(sent.headers.location), headers: html })
    assert.equal(thanks.statusCode, 200)
    assert.match(thanks.body, /<h1>Report sent<\/h1>/)
    assert.match(thanks.body, /href="https:\/\/site\.test\/author\/ada\/on-tea"/)
  }
  assert.equal((await reportsOf(id)).length, 1)
})

test('the form names the piece, sets no cookie, runs no script and is for this site alone', async () => {
  const id = await makePiece(admin, writer, { headline: 'Tea & <b>biscuits</b>' })
  for (const address of [id, id.toUpperCase()]) {
    const { statusCode, headers, body } = await look(address)
    assert.equal(statusCode, 200)
    assert.match(body, /Tea &amp; &lt;b&gt;biscuits&lt;\/b&gt;/)
    assert.match(body, /by <bdi>Ada Okafor<\/bdi>/)
    assert.equal(headers['set-cookie'], undefined)
    assert.equal(headers['cache-control'], 'no-store')
    const policy = String(headers['content-security-policy'])
    for (const part of ["script-src 'none'", "form-action 'self'", "frame-ancestors 'none'"]) {
      assert.ok(policy.includes(part), policy)
    }
  }
})

/** Everything of an answer that could differ. */
const seen = ({ statusCode, body, headers: { date: _, 'x-request-id': _id, ...headers } }: LightMyRequestResponse) => ({
  statusCode,
  body: withoutId(body),
  headers,
})

test('what is not public cannot be reported, and nobody learns whether it exists', async () => {
  const draft = await makeDraft(admin, writer, { headline: 'Not yet' })
  const gone = await makePiece(admin, writer, { headline: 'No more' })
  await unpublish(admin, writer, gone)
  const never = '00000000-0000-4000-8000-000000000000'
  for (const headers of [html, { accept: 'application/json' }]) {
    const [first, ...others] = (await Promise.all([never, draft, gone, 'nonsense'].map((id) => look(id, headers)))).map(
      seen,
    )
    assert.equal(first!.statusCode, 404)
    for (const other of others) assert.deepEqual(other, first)
  }
  const [first, ...others] = (await Promise.all([never, draft, gone].map((id) => send(id, { reason: 'spam' })))).map(
    seen,
  )
  assert.equal(first!.statusCode, 404)
  for (const other of others) assert.deepEqual(other, first)
  const thanks = await Promise.all(
    [never, draft].map((id) => app.inject({ url: `/desk/report/${id}/thanks`, headers: html })),
  )
  assert.deepEqual(seen(thanks[1]!), seen(thanks[0]!))
  assert.equal((await admin.query('select from app.reports where piece_id = any($1)', [[draft, gone]])).rowCount, 0)
})

const wrong: Record<string, { form: Record<string, string>; says: RegExp[] }> = {
  'nothing chosen': { form: {}, says: [/Choose what’s wrong with this piece\./] },
  'a reason nobody offers': { form: { reason: 'boring' }, says: [/Choose what’s wrong/] },
  'something else, and not what': {
    form: { reason: 'other', note: ' \u200b ' },
    says: [/Tell us in a few words what’s wrong\./],
  },
  'too many words': {
    form: { reason: 'spam', note: '👍'.repeat(1001) },
    says: [/has 1,001 characters\. Shorten it to 1,000\./],
  },
  'no e-mail address': { form: { reason: 'spam', email: 'nobody' }, says: [/Enter a valid email address/] },
  'everything at once': {
    form: { note: 'x'.repeat(1200), email: '"><script>alert(1)</script>@' },
    says: [/Choose what’s wrong/, /has 1,200 characters/, /Enter a valid email address/],
  },
}

for (const [what, { form, says }] of Object.entries(wrong)) {
  test(`${what}: the form comes back with what was written, and says what to mend`, async () => {
    const id = await makePiece(admin, writer)
    const { statusCode, body } = await send(id, form)
    assert.equal(statusCode, 400)
    for (const words of says) assert.match(body, words)
    assert.doesNotMatch(body, /<script>alert/)
    if (form['note']?.trim()) assert.ok(body.includes(`\n${form['note']}</textarea>`))
    if (form['reason'] === 'spam') assert.match(body, /value="spam" required checked/)
    assert.deepEqual(await reportsOf(id), [])
  })
}

test('a thousand characters are kept whole, whatever their bytes', async () => {
  const id = await makePiece(admin, writer)
  const note = '👍'.repeat(1000)
  assert.equal((await send(id, { reason: 'danger', note })).statusCode, 303)
  assert.equal((await reportsOf(id))[0].note, note)
})

test('only forms are read, and only from pages of this site', async () => {
  const id = await makePiece(admin, writer)
  const form = { reason: 'spam' }
  const refused: [number, Promise<LightMyRequestResponse>][] = [
    [403, send(id, form, { headers: { 'sec-fetch-site': 'cross-site', origin: 'https://evil.test' } })],
    [403, send(id, form, { headers: { 'sec-fetch-site': 'none' } })],
    [400, send(id, form, { headers: { authorization: 'Bearer x' } })],
    [415, send(id, JSON.stringify(form), { headers: { 'content-type': 'application/json' } })],
    [415, send(id, 'reason=spam', { headers: { 'content-type': 'text/plain' } })],
    [415, send(id, 'reason=spam', { headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-7' } })],
    [413, send(id, `reason=spam&note=${'x'.repeat(32_001)}`)],
  ]
  for (const [status, answer] of refused) assert.equal((await answer).statusCode, status)
  assert.deepEqual(await reportsOf(id), [])
  const elsewhere = await app.inject({
    method: 'POST',
    url: '/desk/api/sign-in',
    headers: { ...ours, 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'email=a&password=b',
  })
  assert.equal(elsewhere.statusCode, 415, 'forms are read nowhere else')
})

test('what cannot be meant is answered decently and kept by no one', async () => {
  const id = await makePiece(admin, writer)
  for (const payload of [
    '',
    '&&&===',
    'reason=%',
    'reason=%ff%fe',
    'reason=spam%00',
    '__proto__=1&constructor=2',
    '\u0000',
  ]) {
    assert.equal((await send(id, payload)).statusCode, 400, JSON.stringify(payload))
  }
  assert.equal((await send(id, 'reason=spam&reason=other&note=a%00b%1b&email=')).statusCode, 303)
  assert.deepEqual(
    (await reportsOf(id)).map(({ reason, note }) => [reason, note]),
    [['spam', 'ab']],
  )
})

test('the same report sent twice is one, and three of an address are enough', async () => {
  const id = await makePiece(admin, writer)
  const from = anyAddress()
  const twice = await Promise.all([1, 2].map(() => send(id, { reason: 'spam', note: 'Twice' }, { from })))
  assert.deepEqual(
    twice.map(({ statusCode }) => statusCode),
    [303, 303],
  )
  assert.equal((await reportsOf(id)).length, 1)
  for (const note of ['Second', 'Third']) await send(id, { reason: 'spam', note }, { from })
  // The same /64 network counts as the same reader.
  const fourth = await send(id, { reason: 'spam', note: 'Fourth' }, { from: from.replace(/::1$/, '::2') })
  assert.equal(fourth.statusCode, 409)
  assert.match(fourth.body, /You’ve reported this piece three times\. A moderator will review it\./)
  assert.equal((await reportsOf(id)).length, 3)
  assert.equal((await send(id, { reason: 'spam', note: 'Fourth' })).statusCode, 303, 'another reader')
})

test('a program that fills in every field is thanked and not heard', async () => {
  const id = await makePiece(admin, writer)
  assert.equal((await send(id, { reason: 'spam', website: 'https://a.example' })).statusCode, 303)
  assert.deepEqual(await reportsOf(id), [])
})

test('an address that reports all the time is told when to come back', async () => {
  const strict = await testApp(url, { RATE_SIGN_IN: '2' })
  const id = await makePiece(admin, writer)
  const from = anyAddress()
  const answers = []
  for (let n = 0; n < 3; n++) answers.push(await send(id, { reason: 'spam', note: `${n}` }, { from, site: strict }))
  assert.deepEqual(
    answers.map(({ statusCode }) => statusCode),
    [303, 303, 429],
  )
  assert.match(String(answers[2]!.headers['retry-after']), /^\d+$/)
})

test("the site keeps no reporter's address, and what it keeps instead means nothing the day after", async () => {
  const id = await makePiece(admin, writer)
  const from = '203.0.113.77'
  await send(id, { reason: 'spam', note: 'Today' }, { from })
  assert.ok(!JSON.stringify(await allRows(admin)).includes(from))
  const salts = async () => (await admin.query("select encode(salt, 'hex') as salt from app.report_salts")).rows
  const [today, ...others] = await salts()
  assert.deepEqual(others, [])
  await admin.query('update app.report_salts set day = day - 1')
  await send(id, { reason: 'spam', note: 'Tomorrow' }, { from })
  const after = await salts()
  assert.equal(after.length, 1)
  assert.notEqual(after[0].salt, today.salt)
  const { rows } = await admin.query('select count(distinct reporter)::int as n from app.reports where piece_id = $1', [
    id,
  ])
  assert.equal(rows[0].n, 2)
})
