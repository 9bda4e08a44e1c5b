import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { message } from '../../server/messages/message.ts'
import { toStored } from '../../server/messages/stored.ts'
import { hashOf } from '../../server/platform/crypto.ts'
import { testSite } from '../../testkit/app.ts'
import { attempt, noRow } from '../../testkit/attacks.ts'
import { type Desk, deskOf } from '../../testkit/desk.ts'
import { type MadeWriter, makePiece, makeWriter } from '../../testkit/factories.ts'

/** A writer's profile at the desk: what they see, what they can change, and which parts become public. */

const { url, admin, app } = await testSite()

async function newWriter(given: Parameters<typeof makeWriter>[1] = {}): Promise<{ writer: MadeWriter; desk: Desk }> {
  const writer = await makeWriter(admin, given)
  return { writer, desk: deskOf(app, writer) }
}
const profileOf = async (desk: Desk) => (await desk.ask('GET', 'profile')).json().profile
const publicAuthor = async (slug: string) => (await app.inject(`/api/public/authors/${slug}`)).json().author

/** The tags of the purges queued since the last call. */
async function purged(): Promise<string[]> {
  const { rows } = await admin.query("delete from jobs.job where name = 'cache.purge' returning data")
  return rows.flatMap(({ data }) => data.tags).sort()
}

test('a new profile has nothing but a name and an address, and no reader sees it', async () => {
  const { writer, desk } = await newWriter({ name: 'Ada Okafor', shown: false })
  const { website_token: token, ...profile } = await profileOf(desk)
  assert.match(token, /^[\w-]{32}$/)
  assert.deepEqual(profile, {
    slug: writer.slug,
    name: 'Ada Okafor',
    bio: null,
    role: null,
    niche: null,
    location: null,
    avatar_url: null,
    website: null,
    socials: { x: null, linkedin: null, facebook: null, youtube: null, instagram: null, newsletter: null },
    identity_verified: false,
    is_public: false,
    website_check: { state: 'none', method: null, evidence: null, checked_at: null, proven_at: null },
    urls: {
      profile: `https://site.test/author/${writer.slug}`,
      badge_svg: `https://site.test/embed/${writer.slug}/badge.svg`,
      feed_json: `https://site.test/author/${writer.slug}/feed.json`,
      feed_xml: `https://site.test/author/${writer.slug}/feed.xml`,
    },
  })
  assert.equal((await desk.ask('PATCH', 'profile', { bio: 'Tea.' })).statusCode, 200)
  assert.equal((await app.inject(`/api/public/authors/${writer.slug}`)).statusCode, 404)
})

test('why a website is not verified is said in the language of the desk, and what an earlier release wrote as it is', async () => {
  const { writer, desk } = await newWriter()
  const website = 'https://ada.example/'
  await desk.ask('PATCH', 'profile', { website })
  const evidenceIn = async (language: string, stored: string) => {
    await admin.query(
      `insert into app.website_checks (writer_id, website, state, evidence, checked_at)
       values ($1, $2, 'not_found', $3, now()) on conflict (writer_id) do update set evidence = excluded.evidence`,
      [writer.id, website, stored],
    )
    const answer = await desk.ask('GET', 'profile', undefined, { 'accept-language': language })
    return answer.json().profile.website_check.evidence
  }
  const stored = toStored(message('error.website.page_not_found', { status: 404 }))
  assert.match(await evidenceIn('en-GB', stored), /^Your server returned 404: there’s no page at this address\./)
  assert.match(await evidenceIn('de-AT', stored), /^Ihr Server hat 404 gemeldet:/)
  assert.equal(await evidenceIn('de-AT', 'This address isn’t a web page.'), 'This address isn’t a web page.')
})

test('what a writer changes is public at once, found by search, and the caches are told', async () => {
  const { writer, desk } = await newWriter()
  await makePiece(admin, writer)
  await purged()
  const changes = {
    name: '  Ada\u00a0 Okafor ',
    bio: 'Writes of kettles.\n\n\n\nAnd of patience.\u202e',
    role: 'Essayist',
    niche: 'Slow samovars',
    location: 'Lagos',
    website: 'https://ADA.example/me',
    socials: { x: 'https://x.com/ada', newsletter: 'https://ada.example/letters' },
  }
  const answer = await desk.ask('PATCH', 'profile', changes)
  assert.equal(answer.statusCode, 200, answer.body)
  const shown = await publicAuthor(writer.slug)
  const expected = {
    name: 'Ada Okafor',
    bio: 'Writes of kettles.\n\nAnd of patience.',
    role: 'Essayist',
    niche: 'Slow samovars',
    location: 'Lagos',
    website: 'https://ada.example/me',
  }
  for (const [field, value] of Object.entries(expected)) {
    assert.deepEqual([shown[field], answer.json().profile[field]], [value, value], field)
  }
  assert.deepEqual([shown.socials.x, shown.socials.linkedin], ['https://x.com/ada', null])
  assert.deepEqual(await purged(), [`author-${writer.slug}`, 'authors', `byline-${writer.slug}`, 'pieces'])
  const found = (await app.inject('/api/public/authors/search?q=samovars')).json()
  assert.equal(found.results[0].slug, writer.slug)

  const emptied = await desk.ask('PATCH', 'profile', { role: null, niche: ' ', socials: { x: null } })
  assert.deepEqual(emptied.json().profile.socials.newsletter, 'https://ada.example/letters')
  const after = await publicAuthor(writer.slug)
  assert.deepEqual([after.role, after.niche, after.socials.x, after.location], [null, null, null, 'Lagos'])
})

describe('what may not be in a profile is refused in words', () => {
  const refused: Record<string, [object, string]> = {
    'a name with a tick': [{ name: 'Ada ✓' }, '/name'],
    'a name with a blue badge': [{ name: 'Ada 🔵' }, '/name'],
    'a name of nothing': [{ name: ' \u200b ' }, '/name'],
    'a name too long': [{ name: 'a'.repeat(81) }, '/name'],
    'a bio too long': [{ bio: 'a'.repeat(2001) }, '/bio'],
    'a website that is a script': [{ website: 'javascript:alert(1)' }, '/website'],
    'a website with a password': [{ website: 'https://me:secret@ada.example' }, '/website'],
    'a social that is no address': [{ socials: { x: '@ada' } }, '/socials/x'],
    'a role with a control': [{ role: 'a\u0000b' }, '/role'],
  }
  for (const [what, [body, pointer]] of Object.entries(refused)) {
    test(what, async () => {
      const { desk } = await newWriter()
      const answer = await desk.ask('PATCH', 'profile', body)
      assert.deepEqual([answer.statusCode, answer.json().errors?.[0]?.pointer], [400, pointer], answer.body)
    })
  }
})

test('another name is not the one that was verified', async () => {
  const { writer, desk } = await newWriter({ name: 'Ada', verified: true })
  await desk.ask('PATCH', 'profile', { name: 'Ada', bio: 'The same name.' })
  assert.equal((await publicAuthor(writer.slug)).identity_verified, true)
  assert.equal(
    (await desk.ask('PATCH', 'profile', { name: 'Somebody Famous' })).json().profile.identity_verified,
    false,
  )
  assert.equal((await publicAuthor(writer.slug)).identity_verified, false)
})

test('another website is not the one that was proven', async () => {
  const { writer, desk } = await newWriter({ website: 'https://ada.example/', websiteVerified: true })
  await desk.ask('PATCH', 'profile', { bio: 'Still the same website.' })
  assert.equal((await publicAuthor(writer.slug)).website_verified, true)
  await desk.ask('PATCH', 'profile', { website: 'https://bank.example/' })
  assert.equal((await publicAuthor(writer.slug)).website_verified, false)
})

test('a writer who moves is found at both addresses, and every page that names them is purged', async () => {
  const { writer, desk } = await newWriter()
  const piece = await makePiece(admin, writer)
  await purged()
  const slug = `moved-${writer.slug}`
  const answer = await desk.ask('PUT', 'profile/slug', { slug: ` ${slug.toUpperCase()} ` })
  assert.deepEqual([answer.statusCode, answer.json().profile?.slug], [200, slug], answer.body)
  assert.deepEqual(
    await purged(),
    [`author-${slug}`, `author-${writer.slug}`, `byline-${slug}`, `byline-${writer.slug}`, 'authors', 'pieces'].sort(),
  )
  const old = await app.inject({ url: `/author/${writer.slug}`, headers: { accept: 'text/html' } })
  assert.deepEqual([old.statusCode, old.headers.location], [301, `https://site.test/author/${slug}`])
  assert.equal((await publicAuthor(writer.slug)).slug, slug)
  assert.match((await app.inject(`/api/public/pieces/${piece}`)).json().piece.url, new RegExp(`/author/${slug}/`))
  // And back again: a writer can take back their own former slug.
  assert.equal((await desk.ask('PUT', 'profile/slug', { slug: writer.slug })).statusCode, 200)
})

test('nobody takes an address that is, was or looks like another’s', async () => {
  const { desk: first } = await newWriter({ slug: 'modern-ada' })
  assert.equal((await first.ask('PUT', 'profile/slug', { slug: 'ada-willow' })).statusCode, 200)
  const { desk } = await newWriter()
  for (const slug of [
    'ada-willow',
    'modern-ada',
    'rnodern-ada',
    'modem-ada',
    'ada-vvillow',
    'ada-wi11ow',
    'ada-will0w',
  ]) {
    const answer = await desk.ask('PUT', 'profile/slug', { slug })
    assert.deepEqual([answer.statusCode, answer.json().reason], [409, 'slug_taken'], `${slug}: ${answer.body}`)
  }
  for (const slug of ['desk', 'adrnin', 'a--', '-a', 'ä', '', 'a'.repeat(41), 'a/b']) {
    const { statusCode } = await desk.ask('PUT', 'profile/slug', { slug })
    assert.equal(statusCode, slug === 'adrnin' ? 409 : 400, slug)
  }
})

test('five moves a day are enough', async () => {
  const { writer, desk } = await newWriter()
  for (let move = 1; move <= 5; move += 1) {
    assert.equal((await desk.ask('PUT', 'profile/slug', { slug: `${writer.slug}-to-${move}` })).statusCode, 200)
  }
  const sixth = await desk.ask('PUT', 'profile/slug', { slug: `${writer.slug}-to-6` })
  assert.deepEqual([sixth.statusCode, sixth.json().reason], [409, 'limit_reached'])
  assert.equal((await profileOf(desk)).slug, `${writer.slug}-to-5`)
})

test('two who want one address at the same moment: one has it', async () => {
  const people = await Promise.all([newWriter(), newWriter(), newWriter(), newWriter()])
  const answers = await Promise.all(people.map(({ desk }) => desk.ask('PUT', 'profile/slug', { slug: 'wanted' })))
  assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [200, 409, 409, 409])
})

test('two pages that save different fields at the same moment lose nothing', async () => {
  const { writer, desk } = await newWriter()
  await Promise.all([desk.ask('PATCH', 'profile', { bio: 'Bio.' }), desk.ask('PATCH', 'profile', { role: 'Role.' })])
  const { bio, role } = await profileOf(desk)
  assert.deepEqual([bio, role], ['Bio.', 'Role.'])
  const { rows } = await admin.query('select search_text from app.writers where id = $1', [writer.id])
  assert.match(rows[0].search_text, /role\.\u001fbio\./)
})

describe('with SQL as the desk speaks it', () => {
  test('a profile is nobody’s without a session, and no mark can be given', async () => {
    const { writer } = await newWriter()
    const { writer: other } = await newWriter()
    await admin.query('update app.sessions set revoked_at = now() where id = $1', [other.sessionId])
    const hash = (one: MadeWriter) => `'\\x${hashOf(one.sessionToken).toString('hex')}'::bytea`
    const as = (role: string, sql: string) =>
      attempt(url, role, sql, { 'app.session_hash': hashOf(writer.sessionToken).toString('hex') })
    const setting = (session: string) =>
      `select app.desk_set_profile(${session}, 'X', null, null, null, null, null, '{}', 'x')`
    assert.equal(await as('svc_desk', setting(hash(other))), 'SF401')
    assert.equal(await as('svc_desk', setting("'\\x00'")), 'SF401')
    assert.equal(await as('svc_desk', `select app.desk_rename(${hash(other)}, 'x-y-z')`), 'SF401')
    for (const sql of [
      "update app.writers set name = 'X'",
      'update app.writers set identity_verified_at = now()',
      'update app.writers set website_verified_at = now()',
      "insert into app.former_slugs (slug, writer_id) select 'y', id from app.writers",
      "insert into app.website_checks (writer_id, website, state) select id, 'x', 'proven' from app.writers",
      "update app.website_checks set state = 'proven'",
      'delete from app.writer_audit',
      `select app.keep_website_check('${writer.id}', 'x', 'proven', 'meta', 'x')`,
      `select app.rename_writer('${writer.id}', 'zz', null)`,
      `select app.show_if_public('${writer.id}')`,
    ]) {
      assert.equal(await as('svc_desk', sql), '42501', sql)
      assert.equal(await as('svc_api', sql), '42501', sql)
    }
    for (const role of ['svc_api', 'svc_public', 'svc_worker']) {
      assert.equal(await as(role, setting(hash(writer))), '42501', role)
    }
  })

  test('what is known of a website is its writer’s alone', async () => {
    const { writer } = await newWriter()
    const { writer: other } = await newWriter({ website: 'https://o.example/' })
    await deskOf(app, other).ask('POST', 'profile/website/check')
    const settings = { 'app.session_hash': hashOf(writer.sessionToken).toString('hex') }
    assert.equal(await attempt(url, 'svc_desk', 'select from app.website_checks', settings), noRow)
  })
})
