import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { sweepMedia } from '../../server/features/media/uploads.ts'
import { folderStore } from '../../server/platform/media/store.ts'
import { testApp, testSite } from '../../testkit/app.ts'
import { workerDatabase } from '../../testkit/database.ts'
import { deskOf } from '../../testkit/desk.ts'
import { makeWriter } from '../../testkit/factories.ts'
import { testWorker } from '../../testkit/jobs.ts'
import { mediaFolder, photograph } from '../../testkit/media.ts'
import { serve } from '../../testkit/network.ts'
import { until } from '../../testkit/waiting.ts'

/** A link alone on a line becomes a card, fetched once by the worker and kept here. */

type Answer = (response: ServerResponse) => void
const pages = new Map<string, Answer>()
const asked: { path: string; cookie: string | undefined; agent: string | undefined }[] = []
const { port } = await serve(({ url: path = '', headers }, response) => {
  asked.push({ path, cookie: headers.cookie, agent: headers['user-agent'] })
  const page = pages.get(path)
  if (page) page(response)
  else response.writeHead(404).end()
})
const elsewhere = `http://127.0.0.1:${port}`
const page =
  (body: string, type = 'text/html; charset=utf-8'): Answer =>
  (response) =>
    response.writeHead(200, { 'content-type': type }).end(body)
const picture = await photograph(7)
const askedFor = (path: string) => asked.filter((one) => one.path === path).length

const folder = mediaFolder()
const { url, admin, app } = await testSite({ MEDIA_URL: folder.url })
const ada = await makeWriter(admin, { slug: 'ada' })
const desk = deskOf(app, ada)
await testWorker(url, { MEDIA_URL: folder.url, OUTBOUND_ALLOW: `127.0.0.1:${port}` })

/** Publishes a piece with this text, and returns how to read it. */
async function publish(body_md: string, headline = 'On tea') {
  const id = await desk.begin({ headline, body_md })
  const answer = await desk.act('publish', id)
  assert.equal(answer.statusCode, 200, answer.body)
  const { rows } = await admin.query('select slug from pub.pieces where id = $1', [id])
  const path = `/author/ada/${rows[0].slug}`
  return { id, path, html: async () => (await app.inject({ url: path, headers: { accept: 'text/html' } })).body }
}

const cardsIn = (html: string) => html.match(/<p class="link-card">.*?<\/p>/g) ?? []
const cardOf = (html: () => Promise<string>) => until(async () => cardsIn(await html())[0], 'the card is there')
const tried = (path: string, attempts: number) =>
  until(async () => {
    const { rowCount } = await admin.query('select from pub.link_cards where url = $1 and attempts >= $2', [
      elsewhere + path,
      attempts,
    ])
    return rowCount
  }, `${path} was tried ${attempts} times`)

test('it has the title, the site and a picture that is served from here', async () => {
  pages.set(
    '/tea',
    page(
      '<title>Slow tea</title><meta property="og:site_name" content="The Kettle"><meta property="og:image" content="/tea.jpg">',
    ),
  )
  pages.set('/tea.jpg', page('', 'image/jpeg'))
  pages.set('/tea.jpg', (response) => response.writeHead(200, { 'content-type': 'image/jpeg' }).end(picture))
  const { id, html, path } = await publish(`Before.\n\n<${elsewhere}/tea>\n\nAfter.`)
  const card = await cardOf(html)
  assert.match(card, new RegExp(`<a href="${elsewhere}/tea" rel="ugc nofollow noopener noreferrer">`))
  assert.match(card, /<strong dir="auto">Slow tea<\/strong>/)
  assert.match(card, new RegExp(`<bdi>The Kettle</bdi> · <bdi>127\\.0\\.0\\.1:${port}</bdi>`))
  const [, hash = ''] = /<img src="\/media\/([0-9a-f]{64})" alt="" width="480" height="252"/.exec(card) ?? []
  const image = await app.inject(`/media/${hash}`)
  assert.deepEqual([image.statusCode, image.headers['content-type']], [200, 'image/webp'])
  assert.equal(image.headers['surrogate-key'], `piece-${id} product-${id} byline-ada`)

  const plain = `<p><a href="${elsewhere}/tea" rel="ugc nofollow noopener noreferrer">${elsewhere}/tea</a></p>`
  const { piece } = (await app.inject(`/api/public/pieces/${id}`)).json()
  assert.ok(piece.content_html.includes(plain), 'the API has the plain link')
  assert.doesNotMatch((await app.inject('/author/ada/feed.json')).body, /link-card/)
  assert.match(
    (await app.inject({ url: path, headers: { accept: 'text/markdown' } })).body,
    new RegExp(`${elsewhere}/tea`),
  )

  assert.deepEqual(
    asked.map((one) => one.path),
    ['/tea', '/tea.jpg'],
  )
  for (const { cookie, agent } of asked) {
    assert.equal(cookie, undefined)
    assert.match(agent ?? '', /^Standfirst-Link-Cards\/1 \(\+https:\/\/site\.test\//)
  }
  const { rows } = await admin.query(
    `select 1 from jobs.job where name = 'cache.purge' and data -> 'tags' = jsonb_build_array('piece-' || $1::text)`,
    [id],
  )
  assert.equal(rows.length, 1, 'the page is purged when the card arrives')
})

test('another piece with the same link asks nobody, and an update asks again only after a month', async () => {
  const before = asked.length
  const { id, html } = await publish(`<${elsewhere}/tea>`)
  assert.equal(cardsIn(await html()).length, 1, 'at once')
  await desk.act('update', id)
  await until(
    async () =>
      (await admin.query("select from jobs.job where name = 'links.fetch' and state < 'completed'")).rowCount === 0,
    'the jobs are done',
  )
  assert.equal(asked.length, before)
  pages.set('/tea', page('<title>Slower tea</title>'))
  await asPublisher("update pub.link_cards set tried_at = now() - interval '31 days'")
  await desk.act('update', id)
  await until(async () => (await html()).includes('Slower tea'), 'the card is new')
  assert.equal(asked.length, before + 1)
})

async function asPublisher(text: string, values: unknown[] = []): Promise<void> {
  const client = await admin.connect()
  try {
    await client.query('begin; set local role svc_publisher')
    await client.query(text, values)
    await client.query('commit')
  } finally {
    client.release()
  }
}

test('what is not alone, has a name or stands in code stays a link, and so does the site’s own', async () => {
  pages.set('/other', page('<title>Other</title>'))
  const link = `${elsewhere}/other`
  const before = asked.length
  const { html } = await publish(
    [
      `[Named](${link})`,
      `See <${link}> there.`,
      `<${link}>\n<${link}?2>`,
      `- <${link}>`,
      `\`<${link}>\``,
      `[https://good.example/](${link})`,
      '<https://site.test/author/ada>',
    ].join('\n\n'),
  )
  await until(
    async () =>
      (await admin.query("select from pub.link_cards where url = 'https://site.test/author/ada' and attempts = 3"))
        .rowCount,
    'its own site is refused',
  )
  assert.equal(asked.length, before)
  assert.deepEqual(cardsIn(await html()), [])
})

test('a page that fails is tried three times, one that is missing or no page once, and the link stays', async () => {
  pages.set('/busy', (response) => response.writeHead(503).end())
  pages.set('/file', page('%PDF-', 'application/pdf'))
  pages.set('/empty', page('<p>Nothing'))
  pages.set('/loop', (response) => response.writeHead(302, { location: '/loop' }).end())
  const { html } = await publish(
    ['busy', 'gone', 'file', 'empty', 'loop'].map((path) => `<${elsewhere}/${path}>`).join('\n\n'),
  )
  await tried('/busy', 1)
  for (const attempt of [2, 3]) {
    await until(async () => {
      await admin.query(
        "update jobs.job set start_after = now() where name = 'links.fetch' and state = 'created' and start_after > now()",
      )
      return (
        await admin.query('select from pub.link_cards where url = $1 and attempts = $2', [`${elsewhere}/busy`, attempt])
      ).rowCount
    }, `it is tried ${attempt} times`)
  }
  for (const path of ['/gone', '/file', '/empty', '/loop']) await tried(path, 3)
  assert.deepEqual(
    [askedFor('/busy'), askedFor('/gone'), askedFor('/file'), askedFor('/empty'), askedFor('/loop')],
    [3, 1, 1, 1, 4],
  )
  assert.deepEqual(cardsIn(await html()), [])
  assert.ok((await html()).includes(`>${elsewhere}/busy</a></p>`))
})

test('what others wrote is text, and a picture that is none is left out', async () => {
  pages.set(
    '/evil',
    page(
      '<title>&lt;script&gt;alert(1)&lt;/script&gt; "quoted"</title><meta property=og:site_name content="<img src=x>"><meta property="og:image" content="/evil.svg">',
    ),
  )
  pages.set(
    '/evil.svg',
    page('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 'image/svg+xml'),
  )
  const { html } = await publish(`<${elsewhere}/evil>`)
  const card = await cardOf(html)
  assert.match(card, /&lt;script&gt;alert\(1\)&lt;\/script&gt;/)
  assert.doesNotMatch(card, /<img|<script/)
})

test('a page longer than 512 KiB is read as far as that, and a picture of more than 5 MiB not at all', async () => {
  pages.set('/long', page(`<title>Long</title><meta property="og:image" content="/huge.jpg">${' '.repeat(2_000_000)}`))
  pages.set('/huge.jpg', (response) =>
    response.writeHead(200, { 'content-type': 'image/jpeg' }).end(Buffer.concat([picture, Buffer.alloc(6_000_000)])),
  )
  const { html } = await publish(`<${elsewhere}/long>`)
  const card = await cardOf(html)
  assert.match(card, /Long/)
  assert.doesNotMatch(card, /<img/)
})

test('no more than twenty links of a piece are fetched', async () => {
  const { id } = await publish(Array.from({ length: 25 }, (_, at) => `<https://site.test/${at}>`).join('\n\n'))
  const { rows } = await admin.query('select count(*)::integer as links from pub.link_cards where piece_id = $1', [id])
  assert.equal(rows[0].links, 20)
  await desk.act('unpublish', id)
})

test('cards go with their piece, and the picture with the last that shows it', async () => {
  pages.set('/once', page('<title>Once</title><meta property="og:image" content="/once.jpg">'))
  const own = await photograph(8)
  pages.set('/once.jpg', (response) => response.writeHead(200, { 'content-type': 'image/jpeg' }).end(own))
  const first = await publish(`<${elsewhere}/once>`)
  const [, hash = ''] = /media\/([0-9a-f]{64})/.exec(await cardOf(first.html)) ?? []
  const second = await publish(`<${elsewhere}/once>`)
  const stored = () => existsSync(join(folder.path, hash.slice(0, 2), hash.slice(2, 4), hash))
  const db = workerDatabase(url)
  const sweep = () => sweepMedia(db, folderStore(folder.path))
  assert.ok(stored())
  await desk.act('unpublish', first.id)
  await sweep()
  assert.equal((await app.inject(`/media/${hash}`)).statusCode, 200)
  assert.ok(stored())
  await desk.act('unpublish', second.id)
  assert.equal((await app.inject(`/media/${hash}`)).statusCode, 404)
  const { rowCount } = await admin.query('select from pub.link_cards where url = $1', [`${elsewhere}/once`])
  assert.equal(rowCount, 0)
  await sweep()
  assert.ok(!stored())
})

test('a link that an update takes out loses its card', async () => {
  const { id } = await publish(`<${elsewhere}/tea>`)
  const { piece } = (await desk.ask('GET', `pieces/${id}`)).json()
  const saved = await desk.ask(
    'PATCH',
    `pieces/${id}`,
    { body_md: 'Nothing any more.' },
    { 'if-match': `"${piece.revision}"` },
  )
  assert.equal(saved.statusCode, 200, saved.body)
  await desk.act('update', id)
  assert.equal((await admin.query('select from pub.link_cards where piece_id = $1', [id])).rowCount, 0)
})

test('LINK_CARDS=off shows plain links', async () => {
  const { path, html } = await publish(`<${elsewhere}/tea>`)
  await cardOf(html)
  const without = await testApp(url, { LINK_CARDS: 'off' })
  assert.deepEqual(cardsIn((await without.inject({ url: path, headers: { accept: 'text/html' } })).body), [])
})

test('nobody but the worker’s function writes a card', async () => {
  const { id } = await publish('Text.')
  for (const role of ['svc_public', 'svc_api', 'svc_desk', 'svc_worker', 'svc_owner']) {
    const client = await admin.connect()
    try {
      await client.query(`begin; set local role ${role}`)
      await assert.rejects(
        client.query("insert into pub.link_cards (piece_id, url) values ($1, 'https://x.example/')", [id]),
      )
    } finally {
      await client.query('rollback')
      client.release()
    }
  }
})
