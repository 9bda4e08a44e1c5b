import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testSite } from '../../testkit/app.ts'
import { makePiece, makeWriter } from '../../testkit/factories.ts'

/** One author has at most two of the first ten positions on the front page. */

const { admin, app } = await testSite()

const hour = (number: number) => new Date(Date.UTC(2026, 0, 1, number))
const spammer = await makeWriter(admin, { slug: 'spammer' })

/** Slugs of the authors in page order, without the most-read list. */
async function places(path = '/'): Promise<string[]> {
  const { body } = await app.inject(path)
  const [main] = body.split('<section class="most-read"')
  return [...main!.matchAll(/class="title" dir="auto"><a href="https:\/\/site\.test\/author\/([a-z0-9-]+)\//g)].map(
    ([, slug]) => slug!,
  )
}

test('an author who is alone has every place', async () => {
  for (let at = 0; at < 40; at++)
    await makePiece(admin, spammer, { headline: `Offer ${at}`, publishedAt: hour(500 + at) })
  assert.deepEqual(await places(), Array(25).fill('spammer'))
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
  const next = /rel="next"/.test((await app.inject('/')).body)
  assert.ok(next)
})

test('the API and the feeds keep their exact order, newest first', async () => {
  const { items } = (await app.inject('/api/public/pieces/recent?limit=100')).json()
  const dates = items.map(({ date_published }: { date_published: string }) => date_published)
  assert.deepEqual(dates, dates.toSorted().reverse())
  assert.ok(items.slice(0, 40).every(({ authors }: { authors: { slug: string }[] }) => authors[0]!.slug === 'spammer'))
  const feed = (await app.inject('/feed.json')).json()
  assert.ok(feed.items.slice(0, 10).every(({ title }: { title: string }) => title.startsWith('Offer')))
})

test('a front page of many authors is the plain list', async () => {
  for (let at = 0; at < 10; at++) {
    const writer = await makeWriter(admin, { slug: `other-${at}` })
    await makePiece(admin, writer, { headline: `New ${at}`, publishedAt: hour(1000 + at) })
  }
  assert.deepEqual(
    (await places()).slice(0, 10),
    Array.from({ length: 10 }, (_, at) => `other-${9 - at}`),
  )
})
