import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { unzip } from '../../server/platform/unzip.ts'
import { testSite } from '../../testkit/app.ts'
import { deskOf } from '../../testkit/desk.ts'
import { makeKey, makeWriter } from '../../testkit/factories.ts'

/** Titles and descriptions that a writer has written for search engines and shared links. */

const { admin, app } = await testSite()
const writer = await makeWriter(admin, { slug: 'ada', name: 'Ada Okafor' })
const desk = deskOf(app, writer)
const base = 'https://site.test'

const pieceOf = async (id: string) => (await desk.ask('GET', `pieces/${id}`)).json().piece
const previewOf = async (id: string) => (await desk.ask('POST', `pieces/${id}/preview`)).json()
const save = (id: string, changes: object, ifMatch = '*') =>
  desk.ask('PATCH', `pieces/${id}`, changes, { 'if-match': ifMatch })
async function published(given: object): Promise<string> {
  const id = await desk.begin({ headline: 'On tea', sub: 'A defence of slow tea.', category: 'life', ...given })
  const answer = await desk.act('publish', id)
  assert.equal(answer.statusCode, 200, answer.body)
  return id
}
async function pageOf(id: string): Promise<string> {
  const { statusCode, body } = await app.inject(new URL((await pieceOf(id)).url).pathname)
  assert.equal(statusCode, 200)
  return body
}
const linkedData = (page: string) =>
  [...page.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map(([, data]) => JSON.parse(data!))
const has = (page: string, ...lines: string[]) => {
  for (const line of lines) assert.ok(page.includes(line), `${line} in ${page.slice(0, page.indexOf('</head>'))}`)
}
const textsIn = (page: string) => ({
  title: /<title>(.*?)<\/title>/.exec(page)?.[1],
  description: /<meta name="description" content="(.*?)">/.exec(page)?.[1],
  social_title: /<meta property="og:title" content="(.*?)">/.exec(page)?.[1],
  social_description: /<meta property="og:description" content="(.*?)">/.exec(page)?.[1],
})

const none = { title: null, description: null, social_title: null, social_description: null }
const all = {
  title: 'Slow tea: why four minutes matter',
  description: 'How long to brew tea.',
  social_title: 'You are brewing it wrong',
  social_description: 'Four minutes. No less.',
}

test('search engines and shared links get what was written for them, and everything else keeps the headline', async () => {
  const id = await published({ meta: all })
  const page = await pageOf(id)
  const { title, ...others } = textsIn(page)
  const site = / · (.+)$/.exec(title!)![1]
  assert.deepEqual({ title, ...others }, { ...all, title: `${all.title} · ${site}` })
  has(
    page,
    '<meta name="twitter:card" content="summary_large_image">',
    `<meta property="og:image:alt" content="${all.social_title}">`,
    '<h1 class="title" dir="auto">On tea</h1>',
    'A defence of slow tea.',
  )
  const [article] = linkedData(page)
  assert.deepEqual([article.headline, article.description], ['On tea', all.description])
  const { piece } = (await app.inject(`/api/public/pieces/${id}`)).json()
  assert.deepEqual([piece.title, piece.summary, 'meta' in piece], ['On tea', 'A defence of slow tea.', false])
  const lists = await Promise.all(['/', '/author/ada', '/author/ada/feed.json'].map((path) => app.inject(path)))
  for (const { body } of lists) assert.doesNotMatch(body, /Slow tea: why|brewing it wrong/)
})

test('shared links say what search results do unless they have texts of their own', async () => {
  const { title, description } = all
  const page = await pageOf(await published({ meta: { title, description } }))
  const { social_title, social_description } = textsIn(page)
  assert.deepEqual([social_title, social_description], [title, description])
  const other = textsIn(await pageOf(await published({ meta: { social_title: 'Only shared', title: null } })))
  assert.deepEqual(
    [other.title?.split(' · ')[0], other.social_title, other.description],
    ['On tea', 'Only shared', 'A defence of slow tea.'],
  )
})

test('a piece without any has the page it always had, byte for byte, also after they are removed', async () => {
  const id = await published({})
  const strip = (page: string) => page.replace(/(modified_time" content="|"dateModified":")[^"]+/g, '$1')
  const before = strip(await pageOf(id))
  await save(id, { meta: all })
  assert.equal((await desk.act('update', id)).statusCode, 200)
  assert.notEqual(strip(await pageOf(id)), before)
  await save(id, { meta: { title: ' ', description: '', social_title: '\u200b', social_description: null } })
  assert.equal((await pieceOf(id)).meta, null)
  assert.equal((await desk.act('update', id)).statusCode, 200)
  assert.equal(strip(await pageOf(id)), before)
  const { rows } = await admin.query('select meta from pub.pieces where id = $1', [id])
  assert.deepEqual(rows, [{ meta: null }])
})

test('they are part of what is published: a change is shown before, needs Update and cancels a schedule', async () => {
  const id = await published({})
  const saved = await save(id, { meta: all })
  const { piece } = saved.json()
  assert.deepEqual([piece.has_unpublished_changes, piece.meta], [true, all])
  assert.equal(textsIn(await pageOf(id)).social_title, 'On tea', 'readers have the page as it was published')
  const { page, meta } = await previewOf(id)
  assert.deepEqual([meta.title, meta.description], ['On tea', 'A defence of slow tea.'], 'what is used otherwise')
  const shown = textsIn((await app.inject(page)).body)
  assert.deepEqual([shown.title?.split(' · ')[0], shown.social_title], [all.title, all.social_title])
  assert.equal((await desk.act('update', id)).statusCode, 200)
  assert.equal(textsIn(await pageOf(id)).social_title, all.social_title)

  const waiting = await desk.begin({ headline: 'Later', category: 'life' })
  const { nonce } = await previewOf(waiting)
  const at = new Date(Date.now() + 3_600_000).toISOString()
  assert.equal((await desk.ask('POST', `pieces/${waiting}/schedule`, { nonce, at })).statusCode, 200)
  await save(waiting, { meta: { title: 'Changed' } })
  assert.equal((await pieceOf(waiting)).schedule.problem, 'changed')
})

test('the drawn picture of a link has the headline unless there is a title for shared links', async () => {
  const digestOf = async (id: string) =>
    createHash('sha256')
      .update((await app.inject((await previewOf(id)).link_picture)).rawPayload)
      .digest('hex')
  const id = await desk.begin({ headline: 'On tea', category: 'life' })
  const plain = await digestOf(id)
  await save(id, { meta: { title: 'For search engines' } })
  assert.equal(await digestOf(id), plain)
  await save(id, { meta: { social_title: 'For shared links' } })
  assert.notEqual(await digestOf(id), plain)
})

test('hostile texts are text: nothing of them is markup, and nothing turns the direction of what follows', async () => {
  const hostile = '"><script>alert(1)</script>\u202Eevil\u2066 & \'</title>'
  const id = await published({
    meta: {
      title: hostile,
      description: `${hostile}</script>`,
      social_title: `a\tb\n${hostile}`,
      social_description: '<!--',
    },
  })
  const page = await pageOf(id)
  assert.doesNotMatch(page, /alert\(1\)<\/script>|[\u202A-\u202E\u2066-\u2069]|evil & '<\/title>|content="<!--/)
  const clean = '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;evil &amp; &#39;&lt;/title&gt;'
  const { title, social_title } = textsIn(page)
  assert.ok(title!.startsWith(clean), title)
  assert.equal(social_title, `a b ${clean}`)
  assert.equal(linkedData(page)[0].description, `"><script>alert(1)</script>evil & '</title></script>`)
})

test('a text is one line in NFC, and one that is too long or has control characters is refused by its name', async () => {
  const id = await desk.begin({ headline: 'Limits' })
  await save(id, { meta: { title: '  Cafe\u0301\u00A0 \n au lait ', description: '茶'.repeat(400) } })
  assert.deepEqual((await pieceOf(id)).meta, { ...none, title: 'Café au lait', description: '茶'.repeat(400) })
  for (const [meta, pointer] of [
    [{ title: 'x'.repeat(201) }, '/meta/title'],
    [{ description: 'x'.repeat(401) }, '/meta/description'],
    [{ social_title: 'x'.repeat(201) }, '/meta/social_title'],
    [{ social_description: 'x'.repeat(401) }, '/meta/social_description'],
    [{ title: 'a\u0000b' }, '/meta/title'],
    [{ title: 1 }, '/meta/title'],
    ['tea', '/meta'],
  ] as const) {
    const answer = await save(id, { meta })
    assert.equal(answer.statusCode, 400, JSON.stringify(meta))
    assert.equal(answer.json().errors[0].pointer, pointer)
  }
  assert.equal((await save(id, { meta: { title: 'Late' } }, '"1"')).statusCode, 412)
})

test('a key names them in a draft, reads and removes them, and a draft without any says nothing of them', async () => {
  const { key } = await makeKey(admin, writer)
  const ask = (method: 'GET' | 'POST' | 'PATCH', path: string, payload?: object) =>
    app.inject({
      method,
      url: `/api/v1/pieces${path}`,
      headers: { authorization: `Bearer ${key}`, 'if-match': '*' },
      ...(payload ? { payload } : {}),
    })
  const made = await ask('POST', '', { headline: 'By key', body_md: 'A body.', meta: { title: all.title, other: 1 } })
  assert.equal(made.statusCode, 201, made.body)
  assert.equal('warnings' in made.json(), false)
  const { id } = made.json()
  const read = async () => (await ask('GET', `/${id}`)).json().piece
  assert.deepEqual((await read()).meta, { ...none, title: all.title })
  await ask('PATCH', `/${id}`, { meta: { description: all.description } })
  assert.deepEqual((await read()).meta, { ...none, description: all.description }, 'the whole is replaced')
  await ask('PATCH', `/${id}`, { sub: 'Other members leave it.' })
  assert.deepEqual((await pieceOf(id)).meta, { ...none, description: all.description })
  await ask('PATCH', `/${id}`, { meta: null })
  assert.equal('meta' in (await read()), false)
})

test('they are in the history and the export, and whoever has a private link sees them in the tab', async () => {
  const id = await desk.begin({ headline: 'Kept', meta: { title: 'First' } })
  await save(id, { meta: all })
  const { rows } = await admin.query(
    "select fields -> 'meta' ->> 'title' as title from app.past_revisions where piece_id = $1 order by revision",
    [id],
  )
  assert.deepEqual(rows.at(0), { title: 'First' })
  const files = unzip(new Uint8Array((await desk.ask('GET', 'account/export')).rawPayload))
  const read = async (folder: string) => {
    const file = files.find(({ name }) => name.startsWith(folder) && name.endsWith(`${id}.json`))
    return JSON.parse(Buffer.from(await file!.read()).toString())
  }
  assert.deepEqual((await read('pieces/')).meta, all)
  assert.deepEqual((await read('revisions/'))[0].meta, { title: 'First' })
  const { link } = (await desk.ask('POST', `pieces/${id}/links`, { days: 1 })).json()
  const { body } = await app.inject(new URL(link.url, base).pathname)
  assert.equal(textsIn(body).title?.split(' · ')[0], all.title)
})
