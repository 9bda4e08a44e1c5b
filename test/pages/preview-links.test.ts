import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { previewedPiece } from '../../server/features/pieces/preview.ts'
import { createRenderer } from '../../server/features/pieces/rendering/renderer.ts'
import { urlsFor } from '../../server/features/urls.ts'
import { createSigner } from '../../server/platform/crypto.ts'
import { Database } from '../../server/platform/db/database.ts'
import { testSite } from '../../testkit/app.ts'
import { deskOf, makeModerator } from '../../testkit/desk.ts'
import { makeWriter } from '../../testkit/factories.ts'
import { mediaFolder, photograph, uploaderOf } from '../../testkit/media.ts'

/** Preview links: the future page of a piece, for anyone with a valid token. */

const { url, admin, app } = await testSite({ MEDIA_URL: mediaFolder().url })
const ada = await makeWriter(admin, { slug: 'ada', name: 'Ada Okafor', shown: false })
const bob = await makeWriter(admin, { slug: 'bob' })
const moderator = await makeModerator(admin)
const [desk, theirs] = [deskOf(app, ada), deskOf(app, bob)]

const open = (path: string, accept = 'text/html') => app.inject({ url: path, headers: { accept } })
const pathOf = (address: string) => new URL(address, 'https://site.test').pathname
const pageOf = async (id: string): Promise<string> => (await desk.ask('POST', `pieces/${id}/preview`)).json().page
const linkTo = async (id: string, days = 7) => (await desk.ask('POST', `pieces/${id}/links`, { days })).json().link
const save = (id: string, changes: object) => desk.ask('PATCH', `pieces/${id}`, changes, { 'if-match': '*' })

/** The main part of the page, without dates, addresses that only one of the two has, and sizes of public pictures. */
const mainOf = (page: string) =>
  /<main[\s\S]*<\/main>/
    .exec(page)![0]
    .replace(/<time[\s\S]*?<\/time>/g, '')
    .replace(/<\/?picture>|<source[^>]*>| (?:srcset|sizes)="[^"]*"/g, '')
    // Topics have a page once a piece is filed under them.
    .replace(/<a href="[^"]*" rel="tag">(.*?)<\/a>/g, '$1')
    .replace(/https:\/\/site\.test\/desk\/preview\/[\w-]{43}/g, 'https://site.test')

test('a preview is the very page that publishing makes, but for the pixel by which readers are counted', async () => {
  const hash = await uploaderOf(app, ada).upload(await photograph(1))
  const id = await desk.begin({
    headline: 'As it will be',
    sub: 'A standfirst',
    body_md: `## A part\n\n*Text* and a table.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n![A field](/media/${hash})`,
    tags: ['tea'],
  })
  const page = await pageOf(id)
  assert.match(page, /^\/desk\/preview\/[\w-]{43}$/)
  const before = await open(page)
  assert.equal(before.statusCode, 200)
  await desk.act('publish', id)
  const { piece } = (await open(`/api/public/pieces/${id}`)).json()
  const after = await open(pathOf(piece.url))
  const pixel = /<img src="[^"]*\/r\/[\da-f-]{36}\.gif" alt="" width="1" height="1">/
  assert.doesNotMatch(before.body, pixel)
  assert.match(after.body, pixel)
  assert.equal(mainOf(before.body), mainOf(after.body).replace(pixel, ''))
  await desk.act('unpublish', id)
})

test('a preview says to everybody that it is not to be kept, found, framed elsewhere or run', async () => {
  const { headers, body } = await open(await pageOf(await desk.begin()))
  assert.equal(headers['cache-control'], 'no-store')
  assert.match(String(headers['x-robots-tag']), /noindex/)
  assert.match(body, /<meta name="robots" content="noindex/)
  const policy = String(headers['content-security-policy'])
  assert.match(policy, /default-src 'none'; script-src 'none'/)
  assert.match(policy, /frame-ancestors 'self'/)
  assert.match(policy, /; sandbox$/)
  assert.equal(headers['access-control-allow-origin'], undefined)
  for (const marker of ['rel="canonical"', 'og:url', 'ld+json', 'rel="alternate"', 'og:image']) {
    assert.ok(!body.includes(marker), marker)
  }
  assert.equal(headers['link'], undefined)
})

test('a page shows its revision; a link shows the piece as it is now', async () => {
  const id = await desk.begin({ body_md: 'The first words.' })
  const [page, link] = [await pageOf(id), await linkTo(id)]
  await save(id, { body_md: 'The second words.' })
  assert.match((await open(page)).body, /The first words/)
  const now = (await open(pathOf(link.url))).body
  assert.match(now, /The second words/)
  assert.doesNotMatch(now, /The first words/)
})

test('a private link says that it is a draft, in the language of the piece, and has no link that leads nowhere', async () => {
  const writing = {
    headline: 'Über Tee',
    body_md: 'Tee braucht Zeit.\n\n## Vier Minuten\n\nUnd mehr.',
    locale: 'de',
    tags: ['Tee'],
  }
  const id = await desk.begin(writing)
  const { url: address } = await linkTo(id)
  const { body } = await open(pathOf(address))
  assert.match(body, /<p class="draft-note" role="note" lang="de">|<p class="draft-note" role="note">/)
  assert.match(body, /Privater Entwurf: Dieser Beitrag ist nicht veröffentlicht\./)
  const links = [...body.matchAll(/<a\b[^>]* href="(https:\/\/site\.test[^"#]*)/g)].map(([, href]) => pathOf(href!))
  assert.ok(links.length > 0)
  const answers = await Promise.all(links.map(async (path) => `${path} ${(await open(path)).statusCode}`))
  assert.deepEqual(
    answers.filter((answer) => !answer.endsWith(' 200')),
    [],
  )
  assert.ok(!body.includes('facebook.com'), 'sharing an address where nothing is')
  assert.doesNotMatch((await open(await pageOf(id))).body, /draft-note/, 'at the desk it is the very page')

  await desk.act('publish', id)
  await save(id, { body_md: 'Tee braucht viel Zeit.' })
  const changed = (await open(pathOf(address))).body
  assert.match(changed, /Private Vorschau: Diese Änderungen sind nicht veröffentlicht\./)
  assert.match(changed, /facebook\.com/)
  await desk.act('unpublish', id)
})

test('a page is good for ten minutes, a link for its days', async () => {
  const id = await desk.begin()
  const [page, link] = [await pageOf(id), await linkTo(id, 1)]
  const { rows } = await admin.query(
    `select revision is null as link, extract(epoch from expires_at - created_at)::integer as seconds
       from app.previews where piece_id = $1 order by 1`,
    [id],
  )
  assert.deepEqual(
    rows.map((row) => [row.link, row.seconds]),
    [
      [false, 600],
      [true, 86_400],
    ],
  )
  await admin.query('update app.previews set expires_at = now() where piece_id = $1', [id])
  for (const path of [page, pathOf(link.url)]) {
    const late = await open(path, 'application/json')
    assert.deepEqual([late.statusCode, late.json().reason], [404, 'not_found'])
    assert.match(late.json().detail, /has expired/)
  }
  assert.deepEqual((await desk.ask('GET', `pieces/${id}/links`)).json(), { ok: true, count: 0, links: [] })
})

test('only the hash of a token is kept', async () => {
  const { url: address } = await linkTo(await desk.begin())
  const token = address.split('/').at(-1)!
  const { rows } = await admin.query('select row_to_json(p)::text as row from app.previews p')
  assert.ok(rows.every(({ row }) => !row.includes(token)))
  const half = await open(`/desk/preview/${token.slice(0, 42)}x`, 'application/json')
  assert.equal(half.statusCode, 404)
})

test('links are listed with when they were seen, and end when they are taken back', async () => {
  const id = await desk.begin()
  const [kept, taken] = [await linkTo(id, 30), await linkTo(id)]
  await open(pathOf(kept.url))
  const { count, links } = (await desk.ask('GET', `pieces/${id}/links`)).json()
  assert.equal(count, 2)
  const seen = Object.fromEntries(
    links.map((link: { id: string; last_seen_at: string | null }) => [link.id, link.last_seen_at]),
  )
  assert.ok(seen[kept.id])
  assert.equal(seen[taken.id], null)
  assert.ok(links.every((link: object) => !('url' in link)))
  assert.equal((await desk.ask('DELETE', `pieces/${id}/links/${taken.id}`)).statusCode, 204)
  assert.equal((await open(pathOf(taken.url))).statusCode, 404)
  assert.equal((await open(pathOf(kept.url))).statusCode, 200)
  assert.equal((await desk.ask('DELETE', `pieces/${id}/links/${taken.id}`)).statusCode, 404)
})

test('a link lasts 1, 7 or 30 days, and twenty of a piece are the most', async () => {
  const id = await desk.begin()
  for (const days of [0, 2, 31, '7', null]) {
    assert.equal((await desk.ask('POST', `pieces/${id}/links`, { days })).statusCode, 400, String(days))
  }
  for (let made = 0; made < 20; made += 1)
    assert.equal((await desk.ask('POST', `pieces/${id}/links`, { days: 1 })).statusCode, 201)
  const more = await desk.ask('POST', `pieces/${id}/links`, { days: 1 })
  assert.deepEqual([more.statusCode, more.json().reason], [409, 'limit_reached'])
})

test('nobody makes, sees or takes back links to another’s piece', async () => {
  const id = await desk.begin()
  const link = await linkTo(id)
  assert.equal((await theirs.ask('POST', `pieces/${id}/links`, { days: 1 })).statusCode, 404)
  assert.equal((await theirs.ask('GET', `pieces/${id}/links`)).statusCode, 404)
  assert.equal((await theirs.ask('DELETE', `pieces/${id}/links/${link.id}`)).statusCode, 404)
  const own = await theirs.begin()
  assert.equal((await theirs.ask('DELETE', `pieces/${own}/links/${link.id}`)).statusCode, 404)
  await desk.act('submit', id)
  assert.equal((await deskOf(app, moderator).ask('POST', `pieces/${id}/links`, { days: 1 })).statusCode, 404)
  assert.equal((await open(pathOf(link.url))).statusCode, 200)
})

test('a moderator’s page ends when the piece no longer waits', async () => {
  const id = await desk.begin()
  await desk.act('submit', id)
  const { page } = (await deskOf(app, moderator).ask('POST', `review/${id}/show`)).json()
  assert.equal((await open(page)).statusCode, 200)
  await desk.act('withdraw', id)
  assert.equal((await open(page)).statusCode, 404)
})

test('links rest while their piece is rejected, and go with it', async () => {
  const id = await desk.begin()
  const link = await linkTo(id)
  await desk.act('submit', id)
  await deskOf(app, moderator).act('reject', id)
  assert.equal((await open(pathOf(link.url))).statusCode, 404)
  assert.equal((await desk.ask('POST', `pieces/${id}/links`, { days: 1 })).statusCode, 409)
  await desk.act('revise', id)
  assert.equal((await open(pathOf(link.url))).statusCode, 200)
  await desk.ask('DELETE', `pieces/${id}`)
  assert.equal((await open(pathOf(link.url))).statusCode, 404)
})

test('links rest from a take-down until the piece is public again', async () => {
  const id = await desk.begin()
  const link = await linkTo(id)
  const seen = async () => (await open(pathOf(link.url))).statusCode
  const review = deskOf(app, moderator)
  await desk.act('publish', id)
  assert.equal(await seen(), 200)
  await review.act('take_down', id)
  assert.equal(await seen(), 404)
  const more = await desk.ask('POST', `pieces/${id}/links`, { days: 1 })
  assert.deepEqual([more.statusCode, more.json().reason], [409, 'illegal_transition'])
  assert.match(more.json().detail, /taken down/)
  await save(id, { body_md: 'Mended.' })
  await desk.act('resubmit', id)
  assert.equal(await seen(), 404)
  await review.act('approve', id)
  assert.equal(await seen(), 200)
  await desk.act('unpublish', id)
  assert.equal(await seen(), 200)
})

test('the links of a writer who is barred end at once', async () => {
  const barred = await makeWriter(admin)
  const barreds = deskOf(app, barred)
  const id = await barreds.begin()
  const { link } = (await barreds.ask('POST', `pieces/${id}/links`, { days: 1 })).json()
  assert.equal((await open(pathOf(link.url))).statusCode, 200)
  await admin.query('update app.accounts set disabled_at = now() where id = $1', [barred.accountId])
  assert.equal((await open(pathOf(link.url))).statusCode, 404)
})

test('a link outlives the session it was made in, and no ended session makes one', async () => {
  const fleeting = await makeWriter(admin)
  const fleetings = deskOf(app, fleeting)
  const id = await fleetings.begin()
  const { link } = (await fleetings.ask('POST', `pieces/${id}/links`, { days: 1 })).json()
  await admin.query('update app.sessions set revoked_at = now() where id = $1', [fleeting.sessionId])
  assert.equal((await open(pathOf(link.url))).statusCode, 200)
  assert.equal((await fleetings.ask('POST', `pieces/${id}/links`, { days: 1 })).statusCode, 401)
})

test('a token opens the pictures its piece names and the portrait, and no others', async () => {
  const uploads = uploaderOf(app, ada)
  const [named, other] = [await uploads.upload(await photograph(2)), await uploads.upload(await photograph(3))]
  const { avatar_url } = (await uploads.send('PUT', 'profile/avatar', await photograph(4))).json()
  const portrait = avatar_url.slice(-64)
  const id = await desk.begin({ body_md: `![A field](/media/${named})` })
  const page = pathOf((await linkTo(id)).url)
  const { body } = await open(page)
  assert.ok(body.includes(`<img src="https://site.test${page}/media/${named}"`))
  assert.ok(body.includes(`https://site.test${page}/media/${portrait}`))
  assert.doesNotMatch(body, /site\.test\/media\//)
  const shown = await open(`${page}/media/${named}`)
  assert.deepEqual([shown.statusCode, shown.headers['content-type']], [200, 'image/webp'])
  assert.match(String(shown.headers['cache-control']), /no-store/)
  assert.equal(shown.headers['cross-origin-resource-policy'], 'cross-origin')
  assert.equal((await open(`${page}/media/${portrait}`)).statusCode, 200)
  assert.equal((await open(`${page}/media/${other}`)).statusCode, 404)
  const elsewhere = await pageOf(await desk.begin())
  assert.equal((await open(`${elsewhere}/media/${named}`)).statusCode, 404)
})

test('a picture taken out of a text is gone from its links, and stays with the page of the revision that had it', async () => {
  const hash = await uploaderOf(app, ada).upload(await photograph(5))
  const id = await desk.begin({ body_md: `![A face](/media/${hash})` })
  const [page, link] = [await pageOf(id), pathOf((await linkTo(id)).url)]
  assert.equal((await open(`${link}/media/${hash}`)).statusCode, 200)
  await save(id, { body_md: 'No face.' })
  assert.equal((await open(`${link}/media/${hash}`)).statusCode, 404)
  assert.equal((await open(`${page}/media/${hash}`)).statusCode, 200)
  assert.match((await open(page)).body, new RegExp(`/media/${hash}"`))
})

test('a text is set once, however often and by however many its page is asked for', async () => {
  const renderer = createRenderer({ threads: 1 })
  const desks = new Database({ name: 'desk', url, role: 'svc_desk', connections: 4, statementTimeout: 5000 })
  after(() => desks.close())
  const context = {
    db: desks,
    urls: urlsFor('https://site.test'),
    review: 'off' as const,
    reviewFirst: 3,
    allowance: { firstDay: 3, firstWeek: 10 },
    proof: 'recent' as const,
    signer: createSigner('a-secret-of-tests-that-everybody-knows'),
    renderer,
  }
  const id = await desk.begin({ body_md: 'Set once.' })
  const token = (await linkTo(id)).url.split('/').at(-1)
  const look = async () => (await previewedPiece(context, token)).published.piece.content_html ?? ''
  // More than one writer may have queued.
  const looks = await Promise.all(Array.from({ length: 20 }, look))
  assert.equal(new Set(looks).size, 1)
  await save(id, { body_md: 'Set anew.' })
  assert.match(await look(), /Set anew/)
  // Nothing is rendered any more: the page comes from the cache.
  await renderer.close()
  assert.match(await look(), /Set anew/)
})
