import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { testSite } from '../../testkit/app.ts'
import { deskOf, makeModerator } from '../../testkit/desk.ts'
import { makeKey, makeWriter } from '../../testkit/factories.ts'
import { mediaFolder, photograph, uploaderOf } from '../../testkit/media.ts'
import { readJsonFeed, readRss } from '../feeds/readers.ts'

/** Covers: who may name which picture, and where readers and programs find it. */

const folder = mediaFolder()
const { admin, app } = await testSite({ MEDIA_URL: folder.url })
const ada = await makeWriter(admin, { slug: 'ada' })
const bob = await makeWriter(admin, { slug: 'bob' })
const moderator = await makeModerator(admin)
const [desk, adas] = [deskOf(app, ada), uploaderOf(app, ada)]
const { key } = await makeKey(admin, ada)
const hash = await adas.upload(await photograph(1, { width: 900, height: 600 }))
const theirs = await uploaderOf(app, bob).upload(await photograph(2))

const open = (path: string) => app.inject({ method: 'GET', url: path })
const byKey = (method: 'POST' | 'PATCH', path: string, payload: object, headers = {}) =>
  app.inject({
    method,
    url: `/api/v1/pieces${path}`,
    headers: { authorization: `Bearer ${key}`, ...headers },
    payload,
  })
const draft = (cover: unknown) => ({ headline: 'Covered', body_md: 'Text.', cover })
const cover = {
  image: `/media/${hash}`,
  alt: 'A field & a fence',
  caption: 'The field <in May>',
  credit: 'Ada Okafor',
  focus: { x: 20, y: 80 },
}

describe('a key', () => {
  test('names a cover of its writer, reads it, changes and removes it', async () => {
    const made = await byKey('POST', '', draft({ ...cover, image: `https://site.test/media/${hash}` }))
    assert.equal(made.statusCode, 201, made.body)
    const { id } = made.json()
    const path = `/${id}`
    const read = await app.inject({
      method: 'GET',
      url: `/api/v1/pieces${path}`,
      headers: { authorization: `Bearer ${key}` },
    })
    assert.deepEqual(read.json().piece.cover, cover)
    const changed = await byKey('PATCH', path, { cover: { image: cover.image, alt: '' } }, { 'if-match': '*' })
    assert.deepEqual(changed.json().piece.cover, {
      image: cover.image,
      alt: '',
      caption: null,
      credit: null,
      focus: { x: 50, y: 50 },
    })
    const removed = await byKey('PATCH', path, { cover: null }, { 'if-match': '*' })
    assert.equal(removed.json().piece.cover, undefined)
  })

  test('is told what to do if the picture is not one of its writer’s, in the same words whether it exists or not', async () => {
    const answers = [theirs, '0'.repeat(64)].map(async (one) => {
      const answer = await byKey('POST', '', draft({ ...cover, image: `/media/${one}` }))
      return [answer.statusCode, answer.json().detail]
    })
    const refusal = [400, 'The cover isn’t one of your pictures. Upload it at the desk, then use its /media/… address.']
    assert.deepEqual(await Promise.all(answers), [refusal, refusal])
  })

  const hostile: Readonly<Record<string, unknown>> = {
    'a focus outside of the picture': { ...cover, focus: { x: 101, y: 0 } },
    'a focus before it': { ...cover, focus: { x: -1, y: 0 } },
    'half a focus': { ...cover, focus: { x: 1 } },
    'a focus that is no number': { ...cover, focus: { x: '<b>', y: null } },
    'a long caption': { ...cover, caption: 'x'.repeat(401) },
    'a long credit': { ...cover, credit: 'x'.repeat(201) },
    'long alt text': { ...cover, alt: 'x'.repeat(401) },
    'no alt text at all': { image: cover.image },
    'another path': { ...cover, image: '/media/../../etc/passwd' },
    'a script': { ...cover, image: `javascript:/media/${hash}x` },
    'a list': [cover],
  }
  for (const [what, given] of Object.entries(hostile))
    test(`is refused ${what}`, async () => {
      const answer = await byKey('POST', '', draft(given))
      assert.equal(answer.statusCode, 400, answer.body)
    })
})

test('at the desk the picture of another is refused too', async () => {
  const id = await desk.begin({ body_md: 'Text.' })
  const answer = await desk.ask(
    'PATCH',
    `pieces/${id}`,
    { cover: { ...cover, image: `/media/${theirs}` } },
    { 'if-match': '*' },
  )
  assert.equal(answer.statusCode, 400)
})

test('a moderator sees the cover of what waits for them, on the page and as a picture', async () => {
  const id = await desk.begin({ ...draft(cover), headline: 'Waiting' })
  const asModerator = uploaderOf(app, moderator)
  assert.equal((await asModerator.get(`/desk/media/${hash}`)).statusCode, 404)
  await desk.act('submit', id)
  const shown = (await deskOf(app, moderator).ask('POST', `review/${id}/show`)).json()
  const page = (await open(shown.page)).body
  const [, address] = /<figure class="piece-cover">\s*<img src="https:\/\/site\.test([^"]+)"/.exec(page)!
  assert.equal((await open(address!)).headers['content-type'], 'image/webp')
  assert.equal((await asModerator.get(`/desk/media/${hash}`)).statusCode, 200)
  assert.equal((await open(`/media/${hash}`)).statusCode, 404)
  await desk.act('withdraw', id)
})

test('a preview shows the cover of its revision, and no other picture', async () => {
  const id = await desk.begin({ ...draft(cover), headline: 'Previewed' })
  const { link } = (await desk.ask('POST', `pieces/${id}/links`, { days: 1 })).json()
  const path = new URL(link.url).pathname
  assert.ok((await open(path)).body.includes(`${path}/media/${hash}" alt="A field &amp; a fence"`))
  await desk.ask('PATCH', `pieces/${id}`, { cover: null }, { 'if-match': '*' })
  assert.doesNotMatch((await open(path)).body, /piece-cover/)
  assert.equal((await open(`${path}/media/${hash}`)).statusCode, 404)
})

const cropped = await adas.upload(await photograph(3, { width: 900, height: 600 }))

describe('of a public piece', async () => {
  const id = await desk.begin({ ...draft({ ...cover, image: `/media/${cropped}` }), headline: 'In public' })
  await desk.act('publish', id)
  const url = `https://site.test/media/${cropped}`
  const { piece } = (await open(`/api/public/pieces/${id}`)).json()

  test('the API has it with its size', () => {
    assert.deepEqual(
      [piece.image, piece.cover],
      [
        url,
        {
          ...{ url, width: 900, height: 600 },
          ...{ alt: cover.alt, caption: cover.caption, credit: cover.credit, focus: cover.focus },
        },
      ],
    )
  })

  test('JSON Feed has `image`, and the rest as an extension', async () => {
    const { items } = readJsonFeed((await open('/author/ada/feed.json')).body)
    const item = items.find((one) => one.id.endsWith(id)) as Record<string, unknown> | undefined
    assert.deepEqual([item?.['image'], item?.['_cover'], item?.['cover']], [url, piece.cover, undefined])
  })

  test('RSS has media:content, with caption and credit, and is well-formed', async () => {
    const { body } = await open('/author/ada/feed.xml')
    readRss([body])
    assert.ok(
      body.includes(`<media:content url="${url}" type="image/webp" medium="image" width="900" height="600">
<media:description type="plain">The field &lt;in May&gt;</media:description>
<media:credit>Ada Okafor</media:credit>
</media:content>`),
      body,
    )
  })

  test('Markdown begins with it', async () => {
    const { body } = await open(`${new URL(piece.url).pathname}.md`)
    assert.ok(
      body.includes(`---\n\n![A field & a fence](${url})\n\nThe field \\<in May> · Credit: Ada Okafor\n\nText.`),
      body,
    )
  })

  test('the page crops nothing, and says who made it', async () => {
    const { body } = await open(new URL(piece.url).pathname)
    assert.match(body, /alt="A field &amp; a fence" width="900" height="600" fetchpriority="high"/)
    assert.match(body, /<figcaption dir="auto">The field &lt;in May&gt; <span class="credit">.*Ada Okafor/)
  })

  test('lists crop it around its focus', async () => {
    assert.match((await open('/')).body, /class="cover x2 y8" alt=""/)
  })

  test('its receipt is the same as without it', async () => {
    const before = (await open(`/p/${id}/receipt`)).json().receipt.content
    await desk.ask('PATCH', `pieces/${id}`, { cover: null }, { 'if-match': '*' })
    await desk.act('update', id)
    assert.equal((await open(`/p/${id}/receipt`)).json().receipt.content, before)
    assert.equal((await open(`/media/${cropped}`)).statusCode, 404)
  })
})
