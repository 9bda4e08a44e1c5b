import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { testSite } from '../../testkit/app.ts'
import { deskOf } from '../../testkit/desk.ts'
import { makeKey, makeWriter } from '../../testkit/factories.ts'
import { mediaFolder, photograph, uploaderOf } from '../../testkit/media.ts'

/** What the desk asks for and shows before a piece is published: category, angle, tags, and what others will say of the page. */

const folder = mediaFolder()
const { admin, app } = await testSite({ MEDIA_URL: folder.url })
const writer = await makeWriter(admin)
const desk = deskOf(app, writer)
const open = (url: string) => app.inject({ method: 'GET', url })
const pieceOf = async (id: string) => (await desk.ask('GET', `pieces/${id}`)).json().piece
const previewOf = async (id: string) => (await desk.ask('POST', `pieces/${id}/preview`)).json()
const save = (id: string, changes: object) => desk.ask('PATCH', `pieces/${id}`, changes, { 'if-match': '*' })

test('a category is chosen once somebody names it, at the desk or by key, and other changes choose none', async () => {
  const id = await desk.begin()
  const state = async (of: string) => {
    const { category, is_category_chosen } = await pieceOf(of)
    return [category, is_category_chosen]
  }
  assert.deepEqual(await state(id), ['building', false])
  await save(id, { tags: ['tea'], sub: 'In short.' })
  assert.deepEqual(await state(id), ['building', false])
  const { pieces } = (await desk.ask('GET', 'pieces')).json()
  assert.equal(pieces.find((one: { id: string }) => one.id === id).is_category_chosen, false)
  const { revision } = await pieceOf(id)
  await save(id, { category: 'building' })
  assert.deepEqual(await state(id), ['building', true])
  assert.equal((await pieceOf(id)).revision, revision + 1, 'the default that was chosen is a change')
  assert.deepEqual(await state(await desk.begin({ category: 'ideas' })), ['ideas', true])

  const { key } = await makeKey(admin, writer)
  const byKey = async (given: object): Promise<string> => {
    const payload = { headline: 'By key', body_md: 'A body.', ...given }
    const headers = { authorization: `Bearer ${key}` }
    const answer = await app.inject({ method: 'POST', url: '/api/v1/pieces', headers, payload })
    assert.equal(answer.statusCode, 201, answer.body)
    return answer.json().id
  }
  assert.deepEqual(await state(await byKey({})), ['building', false])
  assert.deepEqual(await state(await byKey({ category: 'money' })), ['money', true])
})

test('nobody has chosen an angle until somebody names one, at the desk or by key, and it can be none again', async () => {
  const id = await desk.begin()
  const state = async () => {
    const { frame, is_frame_chosen } = await pieceOf(id)
    return [frame, is_frame_chosen]
  }
  assert.deepEqual(await state(), ['lesson', false])
  await save(id, { sub: 'Something else' })
  assert.deepEqual(await state(), ['lesson', false])
  await save(id, { frame: 'lesson' })
  assert.deepEqual(await state(), ['lesson', true])
  await save(id, { frame: 'origin' })
  assert.deepEqual(await state(), ['origin', true])
  await save(id, { frame: null })
  assert.deepEqual(await state(), ['lesson', false])
})

test('a piece from before counts as chosen', async () => {
  const id = await desk.begin()
  await admin.query("update app.pieces set fields = '{}' where id = $1", [id])
  const { is_category_chosen, is_frame_chosen } = await pieceOf(id)
  assert.deepEqual([is_category_chosen, is_frame_chosen], [true, true])
})

test('tags are suggested that are words of the text, the writer’s own first, and none that it has', async () => {
  const other = deskOf(app, await makeWriter(admin))
  for (const tag of ['Harbours', 'boat', 'Tea', '茶', 'sea salt']) {
    const id = await other.begin({ tags: [tag] })
    assert.equal((await other.act('publish', id)).statusCode, 200)
  }
  await admin.query('select app.count_topics()')
  await desk.begin({ tags: ['Ferries', 'steam (old)'] })
  const id = await desk.begin({
    headline: 'Ferries',
    sub: 'With tea.',
    body_md: 'Boats and steam (old), harbours, sea salt, and 抹茶道.',
    tags: ['tea'],
  })
  const { tags } = (await desk.ask('GET', `pieces/${id}/tags`)).json()
  assert.deepEqual(tags.slice(0, 2), ['Ferries', 'steam (old)'])
  assert.deepEqual(tags.slice(2).toSorted(), ['Harbours', 'sea salt', '茶'])
  assert.equal((await other.ask('GET', `pieces/${id}/tags`)).statusCode, 404)
})

test('the preview says of the page what its tags will say', async () => {
  const id = await desk.begin({
    headline: 'Tea & “time”',
    body_md: `${'Slowly it goes. '.repeat(40)}`,
    category: 'life',
  })
  const { meta } = await previewOf(id)
  assert.ok(meta.description.length <= 201, meta.description)
  assert.equal((await desk.act('publish', id)).statusCode, 200)
  const { body } = await open(new URL((await pieceOf(id)).url).pathname)
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  for (const tag of [
    `<meta name="description" content="${escaped(meta.description)}">`,
    `<meta property="og:title" content="${escaped(meta.title)}">`,
    `<meta property="og:description" content="${escaped(meta.description)}">`,
  ])
    assert.ok(body.includes(tag), tag)
})

test('the picture of shared links is drawn before publication as it is afterwards, for whoever has the token', async () => {
  const hash = await uploaderOf(app, writer).upload(await photograph(1, { width: 900, height: 600 }))
  const cover = { image: `/media/${hash}`, alt: '' }
  const id = await desk.begin({ headline: 'Tea in May', category: 'life', cover })
  const { link_picture } = await previewOf(id)
  const digestOf = async (url: string) => {
    const { statusCode, headers, rawPayload } = await open(url)
    assert.deepEqual([statusCode, headers['content-type']], [200, 'image/png'], url)
    return createHash('sha256').update(rawPayload).digest('hex')
  }
  const before = await digestOf(link_picture)
  assert.match(String((await open(link_picture)).headers['cache-control']), /private|no-store/)
  assert.equal((await open(link_picture.replace(/preview\/..../, 'preview/AAAA'))).statusCode, 404)
  assert.equal((await open(`/image/piece/${id}.png`)).statusCode, 404)
  assert.equal((await desk.act('publish', id)).statusCode, 200)
  assert.equal(await digestOf(`/image/piece/${id}.png`), before)
})
