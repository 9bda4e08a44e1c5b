import type pg from 'pg'
import { servedSite, testApp } from './app.ts'
import { deskOf } from './desk.ts'
import { makePiece, makeSeries, makeWriter } from './factories.ts'
import { startFeedSubscriber } from './feed-subscriber.ts'
import { testWorker } from './jobs.ts'
import { until } from './waiting.ts'

/** A site with feeds of every kind, and a subscriber that its hub may call. */
export async function openFeedHubSite() {
  const subscriber = await startFeedSubscriber()
  const OUTBOUND_ALLOW = subscriber.host
  const site = await servedSite({ OUTBOUND_ALLOW })
  const { url, admin, base } = site
  const ada = await makeWriter(admin, { slug: 'ada', name: 'Ada' })
  const bo = await makeWriter(admin, { slug: 'bo', name: 'Bo' })
  const given = { category: 'life', tags: ['Tea'], locale: 'en' }
  const first = await makePiece(admin, ada, { headline: 'The first', ...given })
  await makeSeries(admin, ada, 'On tea', [first])
  await makePiece(admin, bo, { headline: 'Of another', category: 'money', tags: ['Coffee'], locale: 'de' })
  // The browser's cookies are those of https.
  const app = await testApp(url)
  const desk = deskOf(app, ada)
  return {
    ...site,
    subscriber,
    ada,
    bo,
    first,
    /** Of Ada's pieces. */
    feeds: ['', '/author/ada', '/category/life', '/topic/tea', '/author/ada/series/on-tea'].flatMap((path) =>
      ['feed.json', 'feed.xml', 'feed.json?language=en', 'feed.xml?language=en'].map(
        (name) => `${base}${path}/${name}`,
      ),
    ),
    // No timeouts of statements, however busy the machine is.
    work: () => testWorker(url, { BASE_URL: base, OUTBOUND_ALLOW, TIMEOUT_FACTOR: '60' }),
    /** Publishes an update of a live piece. */
    async update(piece: string, given: object): Promise<void> {
      const saved = await desk.ask('PATCH', `pieces/${piece}`, given, { 'if-match': '*' })
      if (saved.statusCode !== 200) throw new Error(saved.body)
      const updated = await desk.act('update', piece)
      if (updated.statusCode !== 200) throw new Error(updated.body)
    },
  }
}

/** Turns the clock to where waits are over, and leases too if their worker has ended: calls under way would be made again. */
export async function makeCallsDue(admin: pg.Pool, leases: 'kept' | 'expired' = 'kept'): Promise<void> {
  const due = "due_at = clock_timestamp() - interval '1 ms'"
  const calls = leases === 'expired' ? '' : 'and lease_token is null'
  await admin.query(`update app.feed_verifications set ${due} where true ${calls}`)
  await admin.query(`update app.feed_subscriptions set ${due} where due_at is not null ${calls}`)
  await admin.query('update app.feed_hosts set ready_at = clock_timestamp(), rests_until = null')
}

/** Nothing is left to note, to ask or to send. */
export const untilQuiet = (admin: pg.Pool): Promise<unknown> =>
  until(async () => {
    const { rows } = await admin.query(
      `select (select count(*) from app.feed_changes) + (select count(*) from app.feed_verifications)
            + (select count(*) from app.feed_subscriptions where due_at is not null) as waiting`,
    )
    return Number(rows[0].waiting) === 0
  }, 'every subscriber has everything')
