import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import type { Jobs } from '../../server/features/jobs.ts'
import { fetchCards, pageLimits, pictureLimits } from '../../server/features/link-cards/fetch.ts'
import { createPictureReader } from '../../server/platform/images/image-intake.ts'
import { folderStore } from '../../server/platform/media/store.ts'
import { createOutbound } from '../../server/platform/outbound/outbound.ts'
import { readAllowList } from '../../server/platform/outbound/rules.ts'
import { testSite } from '../../testkit/app.ts'
import { workerDatabase } from '../../testkit/database.ts'
import { deskOf } from '../../testkit/desk.ts'
import { copyPiece, makeWriter } from '../../testkit/factories.ts'
import { mediaFolder, photograph } from '../../testkit/media.ts'
import { serve } from '../../testkit/network.ts'

/** The jobs that fetch cards, each by hand: no worker runs. */

const asked: string[] = []
const page = (response: ServerResponse, status = 200) =>
  response.writeHead(status, { 'content-type': 'text/html' }).end('<title>Tea</title>')
let answer = (_path: string, response: ServerResponse): unknown => page(response)
/** Requests to one host wait for each other, so there are several. */
const hosts = await Promise.all(
  [1, 2, 3].map(() =>
    serve(({ url: path = '', headers: { host = '' } }, response) => {
      asked.push(`http://${host}${path}`)
      answer(path, response)
    }),
  ),
)

const folder = mediaFolder()
const { url, admin, app } = await testSite({ MEDIA_URL: folder.url })
const ada = await makeWriter(admin, { slug: 'ada' })
const desk = deskOf(app, ada)
const guarded = { ownHosts: [], allow: readAllowList(hosts.map(({ port }) => `127.0.0.1:${port}`).join(','))! }
const context = {
  db: workerDatabase(url),
  pages: createOutbound({ ...guarded, limits: pageLimits }),
  pictures: createOutbound({ ...guarded, limits: pictureLimits }),
  store: folderStore(folder.path),
  readPicture: createPictureReader(),
  userAgent: 'test',
  budget: Number.POSITIVE_INFINITY,
}

async function publish(links: readonly string[]): Promise<string> {
  const id = await desk.begin({ headline: 'On tea', body_md: links.map((link) => `<${link}>`).join('\n\n') })
  const { statusCode, body } = await desk.act('publish', id)
  assert.equal(statusCode, 200, body)
  return id
}

/** The jobs of this piece as they were added, and whether they wait for a while. */
async function jobsOf(piece: string) {
  const { rows } = await admin.query<{ data: Jobs['links.fetch']; later: boolean }>(
    `select data - 'traceparent' as data, start_after > created_on + interval '1 minute' as later from jobs.job
      where name = 'links.fetch' and data ->> 'piece' = $1 order by created_on, start_after`,
    [piece],
  )
  return rows
}

test('a job whose time is over leaves the other links to another, and the last tries again later what failed', async () => {
  answer = (path, response) => page(response, path === '/busy' ? 503 : 200)
  const [first, second, third] = hosts.map(({ base }) => base).sort()
  const links = [`${first}/busy`, `${second}/tea`, `${third}/tea`]
  const piece = await publish(links)
  for (const count of [1, 2, 3]) {
    const { data } = (await jobsOf(piece)).at(-1)!
    await fetchCards({ ...context, budget: 0 }, data)
    assert.deepEqual(asked, links.slice(0, count))
  }
  assert.deepEqual(await jobsOf(piece), [
    { data: { piece }, later: false },
    { data: { piece, after: links[0] }, later: false },
    { data: { piece, after: links[1] }, later: false },
    { data: { piece }, later: true },
  ])
  const { rows } = await admin.query('select url, title from pub.link_cards where piece_id = $1 order by url', [piece])
  assert.deepEqual(
    rows.map(({ title }) => title),
    [null, 'Tea', 'Tea'],
  )
})

test('the card of a link that many pieces have is kept a hundred at a time, and waits for none of them', async () => {
  answer = (_path, response) => page(response)
  const link = `${hosts[0]!.base}/popular`
  const piece = await publish([link])
  await copyPiece(admin, ada, piece, 249)
  const counted = async () => {
    const { rows } = await admin.query(
      'select count(*)::integer as all, count(title)::integer as kept from pub.link_cards where url = $1',
      [link],
    )
    return rows[0]
  }
  assert.deepEqual(await counted(), { all: 250, kept: 0 })
  await admin.query("delete from jobs.job where name = 'cache.purge'")
  const hiding = await admin.connect()
  try {
    await hiding.query('begin; set local role svc_publisher')
    await hiding.query('delete from pub.link_cards where url = $1 and piece_id = $2', [link, piece])
    await fetchCards(context, { piece })
  } finally {
    await hiding.query('rollback')
    hiding.release()
  }
  assert.deepEqual(await counted(), { all: 250, kept: 249 })
  const { rows } = await admin.query("select data -> 'tags' as tags from jobs.job where name = 'cache.purge'")
  assert.deepEqual(rows.map(({ tags }) => tags.length).sort(), [100, 100, 49])
  assert.equal(new Set(rows.flatMap(({ tags }) => tags)).size, 249)
  assert.equal((await jobsOf(piece)).at(-1)!.later, true, 'what was locked is tried again')
})

test('a picture is not stored if the piece is hidden while it is fetched', async () => {
  const picture = await photograph(1)
  const [{ base }] = [hosts[1]!]
  const piece = await publish([`${base}/hidden`])
  answer = async (path, response) => {
    if (path === '/hidden')
      return response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<title>Tea</title><meta property="og:image" content="/hidden.jpg">')
    await desk.act('unpublish', piece)
    return response.writeHead(200, { 'content-type': 'image/jpeg' }).end(picture)
  }
  await fetchCards(context, { piece })
  assert.ok(asked.includes(`${base}/hidden.jpg`))
  const stored = readdirSync(folder.path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  assert.deepEqual(stored, [])
})
