import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DeskFollowers } from '../../server/features/followers/desk-schema.ts'
import { stopFollowing } from '../../server/features/followers/follow.ts'
import { createReaderKeys } from '../../server/features/followers/keys.ts'
import { testSite } from '../../testkit/app.ts'
import { deskOf, makeModerator } from '../../testkit/desk.ts'
import { makeKey, makePiece, makeWriter } from '../../testkit/factories.ts'
import { followSite, makeFollower, sendFollowForm } from '../../testkit/followers.ts'
import { captureLog } from '../../testkit/log.ts'

/** A writer's followers at the desk: numbers for the page, addresses only in a download of the writer's own. */

const { log, lines } = captureLog()
const { url, admin, app } = await testSite({}, log)
const site = followSite({ url, admin })

async function publicWriter(slug: string) {
  const writer = await makeWriter(admin, { slug, name: slug })
  await makePiece(admin, writer, { headline: `By ${slug}` })
  return { ...writer, desk: deskOf(app, writer) }
}
type PublicWriter = Awaited<ReturnType<typeof publicWriter>>

const followersOf = async ({ desk }: PublicWriter) => (await desk.ask('GET', 'followers')).json<DeskFollowers>()
const welcome = ({ desk }: PublicWriter, text: string | null) => desk.ask('PUT', 'followers/welcome', { text })
const download = ({ desk }: PublicWriter) => desk.ask('GET', 'followers.csv')
const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

test('the numbers are those of the writer, day by day, and confirmed followers are the only ones counted', async () => {
  const [ada, berta] = [await publicWriter('ada'), await publicWriter('berta')]
  await makeFollower(site, 'one@reader.test', 'author/ada')
  await makeFollower(site, 'two@reader.test', 'author/ada', 'weekly')
  await stopFollowing(site, await makeFollower(site, 'three@reader.test', 'author/ada'))
  await sendFollowForm(site, 'four@reader.test', 'author/ada')
  await makeFollower(site, 'five@reader.test', 'author/berta')
  await makeFollower(site, 'six@reader.test', 'site')
  await admin.query('insert into app.follower_days (subject, day, gained, lost) values ($1, $2, 5, 6)', [
    `author:${ada.id}`,
    daysAgo(40),
  ])

  const { total, days, welcome: none } = await followersOf(ada)
  assert.deepEqual([total, days.length, none], [2, 90, null])
  assert.deepEqual(days.at(-1), { day: daysAgo(0), gained: 3, lost: 1, total: 2 })
  assert.deepEqual(days.at(-2), { day: daysAgo(1), gained: 0, lost: 0, total: 0 })
  assert.deepEqual([days.at(-41), days.at(-42)?.total], [{ day: daysAgo(40), gained: 5, lost: 6, total: 0 }, 1])
  const others = await berta.desk.ask('GET', 'followers')
  assert.equal(others.json().total, 1)
  for (const { body } of [others, await ada.desk.ask('GET', 'followers')]) assert.doesNotMatch(body, /@|reader/)
})

test('a welcome is saved as text, kept within its limit and removed by nothing', async () => {
  const [clara, dora] = [await publicWriter('clara'), await publicWriter('dora')]
  const saved = await welcome(clara, ' Thank you,\r\ne\u0301veryone\u200b. ')
  assert.deepEqual([saved.statusCode, saved.json()], [200, { ok: true, welcome: 'Thank you,\néveryone.' }])
  assert.equal((await followersOf(clara)).welcome, 'Thank you,\néveryone.')
  assert.equal((await followersOf(dora)).welcome, null)

  for (const [text, code] of [
    ['x'.repeat(5001), 'too_long'],
    // Two characters in the normal form.
    ['\u0958'.repeat(2501), 'too_long'],
    ['NUL \0', 'control_character'],
  ] as const) {
    const { statusCode, body } = await welcome(clara, text)
    assert.equal(statusCode, 400, body)
    assert.deepEqual([JSON.parse(body).errors[0].code, JSON.parse(body).errors[0].pointer], [code, '/text'])
  }
  assert.equal((await welcome(clara, '😀'.repeat(5000))).statusCode, 200)
  assert.equal((await followersOf(clara)).welcome, '😀'.repeat(5000))
  for (const nothing of [null, '', ' \u200b\n']) {
    await welcome(clara, 'Hello.')
    assert.deepEqual((await welcome(clara, nothing)).json(), { ok: true, welcome: null })
    assert.equal((await followersOf(clara)).welcome, null)
  }
})

test('the list has exactly the writer’s own confirmed followers, as cells that no spreadsheet runs', async () => {
  const [emma, fiona] = [await publicWriter('emma'), await publicWriter('fiona')]
  await makeFollower(site, 'one@list.test', 'author/emma', 'daily')
  const second = await makeFollower(site, '+two@list.test', 'author/emma')
  const third = await makeFollower(site, 'three@list.test', 'author/emma')
  await sendFollowForm(site, 'unconfirmed@list.test', 'author/emma')
  await makeFollower(site, 'other@list.test', 'author/fiona')
  await admin.query('update app.follows set consent = $2 where reader_id = $1', [second, '=1+1, "said"\nYes'])
  const others = createReaderKeys(['a-secret-that-is-no-longer-set-on-this-site'])
  await admin.query('update app.readers set sealed_address = $2 where id = $1', [
    third,
    others.sealAddress('three@list.test', third),
  ])

  const { statusCode, headers, body } = await download(emma)
  assert.equal(statusCode, 200, body)
  assert.equal(headers['content-type'], 'text/csv; charset=utf-8; header=present')
  assert.match(String(headers['content-disposition']), /^attachment; filename="followers-\d{4}-\d\d-\d\d\.csv"$/)
  assert.equal(headers['cache-control'], 'no-store')
  const time = String.raw`\d{4}-\d\d-\d\dT[\d:.]+Z`
  assert.match(
    body,
    new RegExp(
      [
        'email,frequency,confirmed_at,asked_at,consent',
        `one@list.test,daily,${time},${time},I would like to get emails.`,
        `'\\+two@list.test,each,${time},${time},"'=1\\+1, ""said""\nYes"`,
        '$',
      ].join('\r\n'),
    ),
  )
  const logged = lines.filter((line) => line.includes('followers_unopened')).map((line) => JSON.parse(line))
  assert.deepEqual(
    logged.map(({ count }) => count),
    [1],
  )
  assert.ok(!lines.some((line) => line.includes('@list.test')))
  assert.equal((await download(fiona)).body.split('\r\n').length, 3)
})

test('a long list is read in parts, and none of it is missing', async () => {
  const gerda = await publicWriter('gerda')
  const reader = await makeFollower(site, 'first@long.test', 'author/gerda')
  const many = 2000
  const ids = Array.from({ length: many - 1 }, (_, at) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`)
  await admin.query(
    `insert into app.readers (id, address_hash, sealed_address, domain_hash, language)
     select id, sha256(id::text::bytea), sealed, '\\x0000000000000000', 'en' from unnest($1::uuid[], $2::bytea[]) t (id, sealed)`,
    [ids, ids.map((id, at) => site.keys.sealAddress(`reader-${at}@long.test`, id))],
  )
  await admin.query(
    `insert into app.follows select t.id, f.subject, f.frequency, f.asked_at, f.asked_on, f.asked_from, f.consent, f.confirmed_at,
            f.confirmed_from from unnest($2::uuid[]) t (id), app.follows f where f.reader_id = $1`,
    [reader, ids],
  )
  const addresses = (await download(gerda)).body
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(',')[0])
  assert.equal(new Set(addresses).size, many)
})

test('the list asks for a recent sign-in, and each download is in the security history', async () => {
  const hanna = await publicWriter('hanna')
  await makeFollower(site, 'one@history.test', 'author/hanna')
  const exports = async () =>
    (await hanna.desk.ask('GET', 'account/history'))
      .json()
      .events.filter(({ act }: { act: string }) => act === 'followers_exported')
      .map(({ facts }: { facts: { count: string } }) => facts.count)
  assert.deepEqual(await exports(), [])
  await download(hanna)
  await hanna.desk.ask('GET', 'followers')
  assert.deepEqual(await exports(), ['1'])

  await admin.query("update app.sessions set authenticated_at = now() - interval '11 minutes' where id = $1", [
    hanna.sessionId,
  ])
  const stale = await download(hanna)
  assert.deepEqual([stale.statusCode, stale.json().reason], [403, 'fresh_sign_in_required'])
  assert.equal((await hanna.desk.ask('GET', 'followers')).statusCode, 200)
  assert.deepEqual(await exports(), ['1'])
})

test('keys, other sites, ended sessions and people without a profile get none of it', async () => {
  const ida = await publicWriter('ida')
  await makeFollower(site, 'one@refused.test', 'author/ida')
  const { key } = await makeKey(admin, ida)
  const ended = await makeWriter(admin)
  await admin.query('update app.sessions set revoked_at = now() where id = $1', [ended.sessionId])
  const moderator = await makeModerator(admin)
  await admin.query('delete from app.writers where id = $1', [moderator.id])
  const cookieOf = ({ sessionToken }: { readonly sessionToken: string }) => `__Host-desk=${sessionToken}`
  const own = { 'sec-fetch-site': 'same-origin' }
  const asked = [
    ['GET', 'followers'],
    ['PUT', 'followers/welcome'],
    ['GET', 'followers.csv'],
  ] as const
  for (const [headers, status] of [
    [own, 401],
    [{ ...own, authorization: `Bearer ${key}` }, 400],
    [{ ...own, cookie: cookieOf({ sessionToken: key }) }, 401],
    [{ ...own, cookie: cookieOf(ended) }, 401],
    [{ ...own, cookie: cookieOf(moderator) }, 403],
    [{ cookie: cookieOf(ida), 'sec-fetch-site': 'cross-site' }, 403],
  ] as [Record<string, string>, number][]) {
    for (const [method, path] of asked) {
      // A browser shows another site nothing of an answer.
      if (headers['sec-fetch-site'] === 'cross-site' && path === 'followers') continue
      const payload = method === 'PUT' ? { payload: { text: 'Stolen.' } } : {}
      const answer = await app.inject({ method, url: `/desk/api/${path}`, headers, ...payload })
      assert.equal(answer.statusCode, status, `${method} ${path} ${JSON.stringify(headers)}`)
      assert.doesNotMatch(answer.body, /refused\.test/)
    }
  }
  const { detail } = (await deskOf(app, moderator).ask('GET', 'followers')).json()
  assert.equal(detail, 'Only writers can do this. Sign in with a writer’s account.')
  assert.equal((await followersOf(ida)).welcome, null)
})
