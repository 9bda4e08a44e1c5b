import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { testSite } from '../../testkit/app.ts'
import { deskOf, makeModerator } from '../../testkit/desk.ts'
import { inTransaction, makePiece, makeWriter, unpublish } from '../../testkit/factories.ts'

/** Moderators pin pieces on the front page, in order, each until an end, and put a note above them. */

const { admin, app } = await testSite()
const moderators = deskOf(app, await makeModerator(admin))
const others = deskOf(app, await makeModerator(admin))
const ada = await makeWriter(admin, { slug: 'ada', name: 'Ada' })
const writers = await Promise.all(Array.from({ length: 8 }, (_, at) => makeWriter(admin, { slug: `w${at}` })))

const hour = (number: number) => new Date(Date.UTC(2026, 0, 1, number))
const story = (at: number) => makePiece(admin, writers[at % 8]!, { headline: `Story ${at}`, publishedAt: hour(at) })
const stories = await Promise.all(Array.from({ length: 30 }, (_, at) => story(at)))

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const pin = (id: string, days = 3) => ({ id, ends_at: inDays(days) })
const read = async (desk = moderators) => (await desk.ask('GET', 'front-page')).json()
const save = async (pins: readonly object[], more: object = {}, desk = moderators) =>
  desk.ask('PUT', 'front-page', { version: (await read(desk)).version, pins, note: null, ...more })

async function shown(path = '/'): Promise<string[]> {
  const { body } = await app.inject(path)
  return [...body.matchAll(/class="title" dir="auto"[^>]*><a href="[^"]+">([^<]+)</g)].map(([, title]) => title!)
}

const publicly = (text: string) =>
  inTransaction(admin, async (client) => {
    await client.query('set local role svc_publisher')
    await client.query(text)
  })

describe('what is pinned', () => {
  test('comes first, in the order that was saved, and is nowhere else', async () => {
    assert.deepEqual((await shown()).slice(0, 3), ['Story 29', 'Story 28', 'Story 27'])
    const answer = await save([pin(stories[2]!), pin(stories[9]!)])
    assert.equal(answer.statusCode, 200, answer.body)
    assert.deepEqual(
      answer.json().pins.map(({ title }: { title: string }) => title),
      ['Story 2', 'Story 9'],
    )
    const first = await shown()
    assert.deepEqual(first.slice(0, 4), ['Story 2', 'Story 9', 'Story 29', 'Story 28'])
    assert.deepEqual(first, [...new Set(first)])
    await save([pin(stories[9]!), pin(stories[2]!)])
    assert.deepEqual((await shown()).slice(0, 3), ['Story 9', 'Story 2', 'Story 29'])
    await save([pin(stories[2]!)])
    assert.deepEqual((await shown()).slice(0, 2), ['Story 2', 'Story 29'])
  })

  test('is on the page of its language only', async () => {
    const german = await makePiece(admin, ada, { headline: 'Tee', locale: 'de', publishedAt: hour(0) })
    await save([pin(german)])
    assert.equal((await shown())[0], 'Tee')
    assert.equal((await shown('/?language=de'))[0], 'Tee')
    assert.ok(!(await shown('/?language=en')).includes('Tee'))
  })

  test('leaves when its piece is unpublished, and does not come back with it', async () => {
    const id = await makePiece(admin, ada, { headline: 'For an hour', publishedAt: hour(1) })
    await save([pin(id), pin(stories[3]!)])
    assert.deepEqual((await shown()).slice(0, 2), ['For an hour', 'Story 3'])
    await unpublish(admin, ada, id)
    assert.deepEqual((await shown()).slice(0, 2), ['Story 3', 'Story 29'])
    assert.equal((await read()).pins.length, 1)
    assert.equal((await admin.query('select from pub.front_page_pins where piece_id = $1', [id])).rowCount, 0)
  })

  test('is not what is being hidden, and hiding more of it meanwhile is no deadlock', async () => {
    const ids = [await makePiece(admin, ada, { headline: 'One' }), await makePiece(admin, ada, { headline: 'Two' })]
    const [first, second] = ids.sort()
    const client = await admin.connect()
    try {
      await client.query('begin; set local role svc_publisher')
      const hide = async (id: string | undefined) => {
        for (const table of ['pub.piece_contents', 'pub.piece_texts'])
          await client.query(`delete from ${table} where piece_id = $1`, [id])
        await client.query('delete from pub.pieces where id = $1', [id])
      }
      // As a suspension does, in any order.
      await hide(second)
      const answer = await save([pin(first!), pin(second!), pin(stories[3]!)])
      assert.deepEqual(
        answer.json().pins.map(({ id }: { id: string }) => id),
        [first, stories[3]],
      )
      await hide(first)
      await client.query('commit')
    } finally {
      client.release()
    }
    assert.deepEqual((await shown()).slice(0, 2), ['Story 3', 'Story 29'])
  })

  test('leaves at its end, as the note does, and a cache asks again within half a minute', async () => {
    await save([pin(stories[4]!)], { note: { text: 'A week about tea.', ends_at: inDays(1) } })
    const { body, headers } = await app.inject('/')
    assert.match(body, /<div class="editors-note"><p dir="auto">A week about tea\.<\/p>/)
    assert.equal(headers['cache-control'], 'public, max-age=0, s-maxage=30, must-revalidate')
    assert.equal(headers['cache-tag'], 'pieces,front-page')
    await publicly('delete from pub.front_page_pins')
    await publicly(`insert into pub.front_page_pins values (7, '${stories[4]}', now())`)
    await publicly('delete from pub.front_page_note')
    await publicly(`insert into pub.front_page_note (note, ends_at) values ('A week about tea.', now())`)
    assert.equal((await shown())[0], 'Story 29')
    assert.doesNotMatch((await app.inject('/')).body, /A week about tea/)
    const { pins, note } = await read()
    assert.deepEqual([pins, note], [[], null])
  })

  test('is purged from caches by the act that changes it', async () => {
    await admin.query("delete from jobs.job where name = 'cache.purge'")
    await save([pin(stories[5]!)])
    const { rows } = await admin.query("select data from jobs.job where name = 'cache.purge'")
    assert.deepEqual(
      rows.map(({ data }) => data),
      [{ tags: ['front-page'] }],
    )
  })
})

describe('a save', () => {
  test('that does not know of another is refused with what is there, and changes nothing', async () => {
    const { version } = await read()
    const mine = await others.ask('PUT', 'front-page', { version, pins: [pin(stories[6]!)], note: null })
    assert.equal(mine.statusCode, 200)
    const late = await moderators.ask('PUT', 'front-page', { version, pins: [pin(stories[7]!)], note: null })
    assert.equal(late.statusCode, 409)
    const { reason, current } = late.json()
    assert.equal(reason, 'changed_meanwhile')
    assert.deepEqual([current.pins[0].title, current.saved.by], ['Story 6', 'A Writer'])
    assert.equal((await shown())[0], 'Story 6')
    assert.ok(current.version > version)
  })

  test('of two at once one wins', async () => {
    const { version } = await read()
    const both = await Promise.all(
      [moderators, others].map((desk, at) =>
        desk.ask('PUT', 'front-page', { version, pins: [pin(stories[at]!)], note: null }),
      ),
    )
    assert.deepEqual(both.map(({ statusCode }) => statusCode).sort(), [200, 409])
  })

  test('is kept for ever, with who made it', async () => {
    await save([pin(stories[8]!)])
    const { rows } = await admin.query(
      'select account_id, pins from app.front_page_saves order by version desc limit 1',
    )
    assert.ok(rows[0].account_id)
    assert.equal(rows[0].pins[0].piece, stories[8])
    for (const text of ['update app.front_page_saves set pins = null', 'delete from app.front_page_saves'])
      await assert.rejects(admin.query(text), /only ever added to/)
  })

  test('is in the audit log of the desk, with its note', async () => {
    await save([pin(stories[8]!)], { note: { text: 'A week about ink.', ends_at: inDays(1) } })
    await save([])
    const first = (await others.ask('GET', 'review/deeds?limit=1')).json()
    const second = (await others.ask('GET', `review/deeds?limit=1&cursor=${first.next_cursor}`)).json()
    const entries = [...first.deeds, ...second.deeds] as { act: string; moderator: string; note: string | null }[]
    assert.deepEqual(
      entries.map(({ act, moderator, note }) => [act, moderator, note]),
      [
        ['set_front_page', 'A Writer', null],
        ['set_front_page', 'A Writer', 'A week about ink.'],
      ],
    )
  })

  test('leaves out what is not public or has ended', async () => {
    const draft = await deskOf(app, ada).begin({ headline: 'Not yet' })
    const answer = await save([pin(draft), pin(stories[1]!, -1), pin(stories[2]!)])
    assert.deepEqual(
      answer.json().pins.map(({ title }: { title: string }) => title),
      ['Story 2'],
    )
  })

  test('has at most seven pins of thirty days, two of one author', async () => {
    const eight = stories.slice(0, 8).map((id) => pin(id))
    assert.equal((await save(eight)).statusCode, 400)
    const tooLate = await save([pin(stories[0]!, 31)])
    assert.deepEqual(
      [tooLate.statusCode, tooLate.json().detail],
      [400, 'A pin or note can last up to 30 days. Choose an earlier end.'],
    )
    const ofOne = await save([pin(stories[0]!), pin(stories[8]!), pin(stories[16]!)])
    assert.match(ofOne.json().detail, /up to 2 pieces by the same author/)
    assert.equal((await save([], { note: { text: 'x'.repeat(281), ends_at: inDays(1) } })).statusCode, 400)
    assert.equal((await save([], { note: { text: 'Later', ends_at: inDays(40) } })).statusCode, 400)
    assert.equal((await save(eight.slice(0, 7))).statusCode, 200)
    assert.deepEqual(
      (await shown()).slice(0, 7),
      [0, 1, 2, 3, 4, 5, 6].map((at) => `Story ${at}`),
    )
  })
})

describe('who is no moderator', () => {
  const preview = '/desk/front-page/preview'
  test('can neither read, search, preview nor save', async () => {
    const hers = deskOf(app, ada)
    for (const [method, path] of [
      ['GET', 'front-page'],
      ['GET', 'front-page/pieces'],
    ] as const)
      assert.equal((await hers.ask(method, path)).statusCode, 403)
    assert.equal((await hers.ask('PUT', 'front-page', { version: 0, pins: [], note: null })).statusCode, 403)
    const cookie = `__Host-desk=${ada.sessionToken}`
    assert.equal((await app.inject({ url: preview, headers: { cookie } })).statusCode, 403)
    assert.equal((await app.inject(preview)).statusCode, 401)
    assert.equal((await app.inject('/desk/api/front-page')).statusCode, 401)
  })
})

describe('for moderators', async () => {
  const moderator = await makeModerator(admin)
  const desk = deskOf(app, moderator)

  test('the preview is the page with what is not saved, for nobody else to keep', async () => {
    await save([])
    const url = `/desk/front-page/preview?pins=${stories[11]},${stories[12]}&note=A%20%3Cb%3Enote`
    const headers = { cookie: `__Host-desk=${moderator.sessionToken}` }
    const answer = await app.inject({ url, headers })
    assert.equal(answer.statusCode, 200)
    assert.equal(answer.headers['cache-control'], 'no-store')
    assert.match(String(answer.headers['content-security-policy']), /frame-ancestors 'self'.*; sandbox$/)
    const titles = [...answer.body.matchAll(/class="title" dir="auto"[^>]*><a[^>]*>([^<]+)</g)].map(
      ([, title]) => title,
    )
    assert.deepEqual(titles.slice(0, 3), ['Story 11', 'Story 12', 'Story 29'])
    assert.match(answer.body, /A &lt;b(>|&gt;)note/)
    assert.equal((await shown())[0], 'Story 29', 'nothing is saved')
    assert.equal((await app.inject({ url: '/desk/front-page/preview?pins=x', headers })).statusCode, 400)
  })

  test('pieces are found by a part of the headline or by their address', async () => {
    const find = async (q: string) =>
      (await desk.ask('GET', `front-page/pieces?q=${encodeURIComponent(q)}`))
        .json()
        .pieces.map(({ title }: { title: string }) => title)
    assert.deepEqual(await find('STORY 1'), [
      'Story 19',
      'Story 18',
      'Story 17',
      'Story 16',
      'Story 15',
      'Story 14',
      'Story 13',
      'Story 12',
      'Story 11',
      'Story 10',
      'Story 1',
    ])
    assert.equal((await find('')).length, 20)
    assert.deepEqual(await find('https://site.test/author/w3/story-11'), ['Story 11'])
    assert.deepEqual(await find(`https://site.test/p/${stories[12]}`), ['Story 12'])
    assert.deepEqual(await find('https://other.test/author/w3/story-11'), [])
    assert.deepEqual(await find('%'), [])
  })
})
