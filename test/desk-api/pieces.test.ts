import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { languageFor, readBuild, spaPaths } from '../../server/http/desk-api/spa.ts'
import { testApp, testSite } from '../../testkit/app.ts'
import { deskOf, makeModerator, makePieceByActs } from '../../testkit/desk.ts'
import { makeDraft, makeKey, makeWriter } from '../../testkit/factories.ts'
import { captureLog } from '../../testkit/log.ts'

/** The list of a writer's own pieces: search, filter, count. */

const { log, lines } = captureLog()
const { url, admin, app } = await testSite({}, log)
const writer = await makeWriter(admin)
const desk = deskOf(app, writer)
const other = await makeWriter(admin)

const listed = async (query: string) => {
  const answer = await desk.ask('GET', `pieces?${query}`)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json().pieces as { id: string; headline: string; key: string | null; words: number }[]
}
const headlines = async (query: string) => (await listed(query)).map(({ headline }) => headline).sort()

test('a piece is found by words of its headline, standfirst or text, in any letter case', async () => {
  await desk.begin({ headline: 'On Tea', body_md: 'Leaves.' })
  await desk.begin({ headline: 'Kettles', sub: 'What tea needs', body_md: 'Iron.' })
  await desk.begin({ headline: 'Water', body_md: 'One part of the TEA.' })
  await desk.begin({ headline: 'Coffee', body_md: 'Another matter.' })
  await makeDraft(admin, other, { headline: 'Tea of somebody else' })
  assert.deepEqual(await headlines('q=tea'), ['Kettles', 'On Tea', 'Water'])
  assert.deepEqual(await headlines('q=part%20of%20the'), ['Water'])
  assert.deepEqual(await headlines('q=nothing-such'), [])
})

test('signs that mean something to the database are themselves', async () => {
  await desk.begin({ headline: '100% done', body_md: 'a_b and c\\d' })
  for (const q of ['100%', 'a_b', 'c\\d']) {
    assert.deepEqual(await headlines(`q=${encodeURIComponent(q)}`), ['100% done'], q)
  }
  assert.deepEqual(await headlines('q=%25'), ['100% done'])
  for (const q of ['', '%20', 'x'.repeat(201)]) {
    assert.equal((await desk.ask('GET', `pieces?q=${q}`)).statusCode, 400, q)
  }
  await desk.begin({ headline: 'Cafe\u0301', body_md: 'Noir.' })
  assert.deepEqual(await headlines(`q=${encodeURIComponent('caf\u00e9')}`), ['Caf\u00e9'])
})

test('what a key began carries the name of the key, and can be listed alone', async () => {
  const { key } = await makeKey(admin, writer)
  const sent = await app.inject({
    method: 'POST',
    url: '/api/v1/pieces',
    headers: { authorization: `Bearer ${key}` },
    payload: { headline: 'By a program', body_md: 'One two  three\n\nfour.' },
  })
  assert.equal(sent.statusCode, 201)
  const [piece, ...more] = await listed('by=key')
  assert.deepEqual([piece?.headline, piece?.key, piece?.words, more.length], ['By a program', 'A key', 4, 0])
  assert.ok((await listed('by=me')).every((one) => one.key === null && one.headline !== 'By a program'))
  assert.equal((await desk.ask('GET', `pieces/${piece!.id}`)).json().piece.key, 'A key')
  assert.equal((await desk.ask('GET', 'pieces?by=nobody')).statusCode, 400)
})

test('words are counted as readers see them, as the editor counts', async () => {
  await desk.begin({
    headline: 'Counted',
    body_md: '## At sea\n\n![A harbour at dusk](/media/x) [Wait](https://a.test/b).',
  })
  assert.deepEqual(
    (await listed('q=counted')).map(({ words }) => words),
    [3],
  )
})

test('a search is paged like any list', async () => {
  for (const n of [1, 2, 3]) await desk.begin({ headline: `Paged ${n}`, body_md: 'Quixotic.' })
  const first = (await desk.ask('GET', 'pieces?q=quixotic&limit=2')).json()
  const second = (await desk.ask('GET', `pieces?q=quixotic&limit=2&cursor=${first.next_cursor}`)).json()
  const seen = [...first.pieces, ...second.pieces].map(({ headline }: { headline: string }) => headline)
  assert.deepEqual([seen.sort(), second.next_cursor], [['Paged 1', 'Paged 2', 'Paged 3'], null])
})

test('pieces are counted by state, each writer’s own', async () => {
  const me = await makeWriter(admin)
  const mine = deskOf(app, me)
  const moderators = deskOf(app, await makeModerator(admin))
  const none = { draft: 0, pending: 0, approved: 0, rejected: 0, changes_requested: 0 }
  assert.deepEqual((await mine.ask('GET', 'pieces/counts')).json(), {
    ok: true,
    counts: none,
    scheduled: 0,
    imported: 0,
  })
  for (const status of ['draft', 'draft', 'pending', 'approved', 'rejected', 'changes_requested'] as const) {
    await makePieceByActs(status, mine, moderators)
  }
  const counts = { draft: 2, pending: 1, approved: 1, rejected: 1, changes_requested: 1 }
  assert.deepEqual((await mine.ask('GET', 'pieces/counts')).json(), { ok: true, counts, scheduled: 0, imported: 0 })
})

test('a session that has ended finds and counts nothing', async () => {
  const gone = await makeWriter(admin)
  await makeDraft(admin, gone)
  await admin.query('update app.sessions set revoked_at = now() where id = $1', [gone.sessionId])
  for (const path of ['pieces?q=a', 'pieces/counts']) {
    assert.equal((await deskOf(app, gone).ask('GET', path)).statusCode, 401)
  }
})

test('the list shows how a text begins, and no more of it', async () => {
  await desk.begin({ headline: 'A long one', body_md: `First words. ${'More and more. '.repeat(100)}` })
  const answer = await desk.ask('GET', 'pieces?q=a%20long%20one')
  const [piece] = answer.json().pieces
  assert.match(piece.opening, /^First words\. More and more\. /)
  assert.equal(piece.opening.length, 400)
})

/** What the desk's pages rely on when an answer is lost or another writer signs in. */

const [ada, bo] = [await makeWriter(admin), await makeWriter(admin)]
const [adas, bos] = [deskOf(app, ada), deskOf(app, bo)]
const text = { headline: 'On tea', body_md: 'Four minutes.' }

test('a piece begun twice under the id its page chose is one piece, and stays as it was first', async () => {
  const id = randomUUID()
  const first = await adas.ask('POST', `pieces?id=${id}`, text)
  const again = await adas.ask('POST', `pieces?id=${id}`, { ...text, headline: 'On coffee' })
  assert.deepEqual([first.statusCode, again.statusCode], [201, 201])
  assert.equal(first.json().piece.id, id)
  assert.equal(again.body, first.body)
  assert.equal(again.headers['etag'], first.headers['etag'])
})

test('an id that is another writer’s piece begins nothing, and tells nothing of it', async () => {
  const id = randomUUID()
  await adas.ask('POST', `pieces?id=${id}`, text)
  const taken = await bos.ask('POST', `pieces?id=${id}`, { headline: 'Mine', body_md: 'Mine.' })
  assert.equal(taken.statusCode, 404)
  assert.doesNotMatch(taken.body, /tea/)
  const { rows } = await admin.query('select headline from app.pieces where id = $1', [id])
  assert.deepEqual(rows, [{ headline: 'On tea' }])
})

test('what is no id of ours is refused', async () => {
  for (const id of ['1', 'urn:uuid:x', randomUUID().toUpperCase(), '00000000-0000-0000-0000-000000000000'])
    assert.equal((await adas.ask('POST', `pieces?id=${id}`, text)).statusCode, 400, id)
})

test('a page that one writer opened does nothing for another who has signed in since', async () => {
  const before = (await bos.ask('GET', 'pieces')).json().count
  const refused = await bos.ask('POST', 'pieces', text, { 'x-writer': ada.id })
  assert.deepEqual([refused.statusCode, refused.json().reason], [401, 'signed_out'])
  assert.equal((await bos.ask('GET', 'pieces')).json().count, before)
  assert.equal((await bos.ask('POST', 'pieces', text, { 'x-writer': bo.id })).statusCode, 201)
})

/** Serving the desk's application files. */

test('each of its addresses answers the document, and an address it does not have is 404', async () => {
  for (const place of spaPaths) {
    const path = `/desk${place}`.replace(/\/$/, '').replace(':id', '00000000-0000-4000-8000-000000000000')
    const answer = await app.inject({ url: path, headers: { accept: 'text/html' } })
    assert.equal(answer.statusCode, 200, path)
    assert.match(answer.body, /<div id="desk">/, path)
  }
  for (const path of ['/desk/nowhere', '/desk/edit', '/desk/edit/pieces', '/desk/assets/main.js', '/desk/assets/']) {
    assert.equal((await app.inject({ url: path, headers: { accept: 'text/html' } })).statusCode, 404, path)
  }
})

test('all that the document names is there, with its type, and may be kept for ever', async () => {
  const { body } = await app.inject({ url: '/desk' })
  const named = [...body.matchAll(/(?:src|href)="(\/desk\/[^"]+)"/g)].map((match) => match[1]!)
  assert.ok(named.length >= 3, named.join(' '))
  for (const path of named) {
    const answer = await app.inject({ url: path })
    assert.equal(answer.statusCode, 200, path)
    assert.match(
      String(answer.headers['content-type']),
      path.endsWith('.js') ? /^text\/javascript/ : /^text\/css/,
      path,
    )
    assert.match(String(answer.headers['cache-control']), /immutable/, path)
    assert.equal(answer.headers['x-content-type-options'], 'nosniff', path)
  }
  assert.doesNotMatch(body, /<script(?![^>]* src=)/, 'no script stands in the document itself')
  assert.doesNotMatch(body, /style="|<style/)
})

test('files are found where they were built, and missed where they were not', () => {
  assert.equal(readBuild(new URL('file:///nowhere/')), undefined)
  assert.ok(readBuild()!.assets.size > 10)
})

test('the desk is in the language that was chosen, or the first accepted one that we speak, or that of the site', () => {
  const spoken = ['en', 'de', 'pt-BR']
  const nearest = (tag: string) => spoken.find((one) => one.split('-')[0] === tag.split('-')[0])
  const languageOf = (accepted: string, cookie = '') =>
    languageFor({ 'accept-language': accepted, cookie }, 'en', nearest)
  assert.equal(languageOf(''), 'en')
  assert.equal(languageOf('fr, nl;q=0.9'), 'en')
  assert.equal(languageOf('fr-FR,fr;q=0.9,de;q=0.7,en;q=0.8'), 'en')
  assert.equal(languageOf('fr, de-AT;q=0.7, en;q=0'), 'de')
  assert.equal(languageOf('de', 'desk=x; language=pt'), 'pt-BR')
  assert.equal(languageOf('de', 'language=tlh; other_language=en'), 'de')
})

test('the document says its language and preloads its messages', async () => {
  const { body } = await app.inject({ url: '/desk/sign-in', headers: { 'accept-language': 'fr, en-US;q=0.5' } })
  assert.match(body, /<html lang="fr" dir="ltr">/)
  assert.match(body, /<title>Espace de rédaction · /)
  const preloaded = [...body.matchAll(/<link rel="modulepreload" href="([^"]+)"/g)].map((match) => match[1]!)
  const scripts = await Promise.all(preloaded.map(async (path) => (await app.inject({ url: path })).body))
  assert.ok(scripts.some((script) => script.includes('desk.common.save')))
})

test('what the policy refused is a line in the log, shortened; what is no report is not', async () => {
  const send = (payload: string, type = 'application/reports+json') =>
    app.inject({
      method: 'POST',
      url: '/desk/csp-reports',
      headers: { 'content-type': type, 'sec-fetch-site': 'same-origin' },
      payload,
    })
  const body = { effectiveDirective: 'script-src-elem', blockedURL: `https://evil.test/${'x'.repeat(5000)}` }
  assert.equal((await send(JSON.stringify([{ type: 'csp-violation', body }, null, 7, {}]))).statusCode, 204)
  const reports = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'policy_violated')
  assert.equal(reports.length, 1)
  assert.equal(reports[0].directive, 'script-src-elem')
  assert.equal(reports[0].blocked.length, 200)
  assert.equal((await send('{}', 'application/json')).statusCode, 415)
  assert.equal((await send('[', 'application/reports+json')).statusCode, 400)
  assert.equal((await send('x'.repeat(20_000))).statusCode, 413)
})

test('the desk calls the tool server by the same name as the guide does', async () => {
  const site = await testApp(url, { SITE_NAME: 'Über Land’s Æther' })
  const { body } = await site.inject({ url: '/desk' })
  assert.match(body, /<meta name="site-slug" content="uber-lands-aether">/)
  const guide = await site.inject({ url: '/developers/tools.md' })
  assert.match(guide.body, /claude mcp add --transport http uber-lands-aether /)
})
