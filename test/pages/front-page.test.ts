import assert from 'node:assert/strict'
import { after, describe, mock, test } from 'node:test'
import pg from 'pg'
import { testSite } from '../../testkit/app.ts'
import { makePiece, makeWriter } from '../../testkit/factories.ts'

/** One author has at most two of the first ten positions on the front page, and nothing is on it twice. */

const { admin, app } = await testSite()

const hour = (number: number) => new Date(Date.UTC(2026, 0, 1, number))
const spammer = await makeWriter(admin, { slug: 'spammer' })

/** The pieces in page order, as author and slug. */
async function pieces(path = '/'): Promise<string[]> {
  const { body } = await app.inject(path)
  return [
    ...body.matchAll(/class="title" dir="auto"[^>]*><a href="https:\/\/site\.test\/author\/([^/"]+\/[^"]+)"/g),
  ].map(([, place]) => place!)
}

const places = async (path?: string) => (await pieces(path)).map((place) => place.split('/')[0]!)

async function assertNothingTwice(path?: string): Promise<void> {
  const all = await pieces(path)
  assert.ok(all.length > 0)
  assert.deepEqual(all, [...new Set(all)])
}

test('a site without pieces says so, and one with a single piece shows it', async () => {
  assert.match((await app.inject('/')).body, /Nothing published yet\./)
  const other = await testSite()
  const writer = await makeWriter(other.admin, { slug: 'only' })
  await makePiece(other.admin, writer, { headline: 'The only one' })
  const { body } = await other.app.inject('/')
  assert.equal(body.split('>The only one<').length, 2)
  assert.doesNotMatch(body, /Also new|Most read|class="row"/)
})

test('an author who is alone has every place', async () => {
  for (let at = 0; at < 40; at++)
    await makePiece(admin, spammer, { headline: `Offer ${at}`, publishedAt: hour(500 + at) })
  assert.deepEqual(await places(), Array(25).fill('spammer'))
  await assertNothingTwice()
})

test('of forty pieces in a row two are among the first ten, and the others follow', async () => {
  for (let at = 0; at < 12; at++) {
    const writer = await makeWriter(admin, { slug: `writer-${at % 6}-${at}` })
    await makePiece(admin, writer, { headline: `Piece ${at}`, publishedAt: hour(at) })
  }
  const front = await places()
  assert.deepEqual(front.slice(0, 2), ['spammer', 'spammer'])
  assert.equal(front.slice(0, 10).filter((slug) => slug === 'spammer').length, 2)
  assert.equal(front.filter((slug) => slug === 'spammer').length, 25, 'nothing is missing')
  await assertNothingTwice()
  assert.match((await app.inject('/')).body, /rel="next"/)
})

test('the API and the feeds keep their exact order, newest first', async () => {
  const { items } = (await app.inject('/api/public/pieces/recent?limit=100')).json()
  const dates = items.map(({ date_published }: { date_published: string }) => date_published)
  assert.deepEqual(dates, dates.toSorted().reverse())
  assert.ok(items.slice(0, 40).every(({ authors }: { authors: { slug: string }[] }) => authors[0]!.slug === 'spammer'))
  const feed = (await app.inject('/feed.json')).json()
  assert.ok(feed.items.slice(0, 10).every(({ title }: { title: string }) => title.startsWith('Offer')))
})

test('a front page of many authors begins as the plain list', async () => {
  for (let at = 0; at < 10; at++) {
    const writer = await makeWriter(admin, { slug: `other-${at}` })
    await makePiece(admin, writer, { headline: `New ${at}`, publishedAt: hour(1000 + at) })
  }
  assert.deepEqual(
    (await places()).slice(0, 10),
    Array.from({ length: 10 }, (_, at) => `other-${9 - at}`),
  )
})

describe('a magazine', async () => {
  const site = await testSite()
  const writers = await Promise.all(
    Array.from({ length: 9 }, (_, at) => makeWriter(site.admin, { slug: `w${at}`, name: `Writer ${at}` })),
  )
  const sections = ['building', 'culture', 'money', 'life']
  const made: string[] = []
  for (let at = 0; at < 60; at++)
    made.push(
      await makePiece(site.admin, writers[at % writers.length]!, {
        headline: `Story ${at}`,
        category: sections[at % sections.length]!,
        locale: at % 3 === 0 ? 'de' : 'en',
        publishedAt: hour(at),
      }),
    )
  const get = async (path = '/') => (await site.app.inject(path)).body
  const headlines = (body: string): string[] =>
    [...body.matchAll(/class="title" dir="auto"[^>]*><a href="[^"]+">([^<]+)</g)].map(([, title]) => title!)
  const mostRead = (body: string): string[] =>
    headlines(/<section class="block most-read"[\s\S]*?<\/section>/.exec(body)?.[0] ?? '')

  /** Reads as the counter writes them, then scored as the worker does. */
  async function read(...ids: string[]): Promise<void> {
    for (const [at, id] of ids.entries())
      await site.admin.query(
        `with known as (insert into app.piece_reads (piece_id, author_id, reads)
                         select id, author_id, 1 from pub.pieces where id = $1 on conflict do nothing)
         insert into app.piece_reads_hourly (piece_id, hour, reads)
         values ($1, date_trunc('hour', now()), $2) on conflict (piece_id, hour) do update set reads = excluded.reads`,
        [id, 1000 - at],
      )
    await site.admin.query('select app.score_trending()')
  }

  test('shows each piece once: what is most read is filled with what is not above', async () => {
    // The ten newest, which are at the top, and then ten others.
    await read(...made.slice(-10).toReversed(), ...made.slice(0, 10))
    const body = await get()
    const shown = headlines(body)
    assert.deepEqual(shown, [...new Set(shown)])
    const most = mostRead(body)
    assert.equal(most.length, 5)
    assert.deepEqual(
      most.filter((title) => shown.slice(0, 7).includes(title)),
      [],
    )
    for (let at = 35; at < 60; at++) assert.ok(shown.includes(`Story ${at}`), `the newest are all there: ${at}`)
  })

  test('has a block for each section, and one language has the same page with its own pieces', async () => {
    const body = await get()
    for (const section of sections) assert.match(body, new RegExp(`id="section-${section}"`))
    const german = await get('/?language=de')
    const shown = headlines(german)
    assert.ok(shown.length > 15 && shown.every((title) => Number(title.split(' ')[1]) % 3 === 0))
    assert.deepEqual(shown, [...new Set(shown)])
    assert.match(german, /id="section-building"/)
    assert.doesNotMatch(german, /id="new-writers"/)
  })

  test('names new writers', async () => {
    const body = await get()
    assert.match(body, /id="new-writers"/)
    assert.equal([...body.matchAll(/<h3 class="title"><a href="[^"]+\/author\/w\d">/g)].length, 4)
  })

  test('is drawn with three statements, and asked for again with one', async () => {
    const asked: string[] = []
    const { query } = pg.Client.prototype
    const recording = mock.method(pg.Client.prototype, 'query', function (this: pg.Client, ...given: unknown[]) {
      const [one] = given as [string | { text: string }]
      asked.push(typeof one === 'string' ? one : one.text)
      return Reflect.apply(query, this, given)
    })
    after(() => recording.mock.restore())
    const statementsOf = async (path: string): Promise<number> => {
      asked.length = 0
      await get(path)
      return asked.length
    }
    await makePiece(site.admin, writers[0]!, { headline: 'Something new', publishedAt: hour(61) })
    for (const path of ['/', '/?language=de']) {
      const cold = await statementsOf(path)
      assert.ok(cold <= 3, `${cold} statements cold`)
      assert.equal(await statementsOf(path), 1)
    }
    await site.admin.query(
      'begin; set local role svc_publisher; update pub.authors set name = $$Another name$$ where slug = $$w3$$; commit',
    )
    assert.ok((await statementsOf('/')) > 1, 'drawn again when a name changes')
    assert.match(await get(), /Another name/)
    recording.mock.restore()
  })
})
