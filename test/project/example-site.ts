import { type Address, type Examples, exampleOf } from '../../server/http/discovery/endpoints.ts'
import { testApp } from '../../testkit/app.ts'
import { testDatabase } from '../../testkit/database.ts'
import { deskOf } from '../../testkit/desk.ts'
import { makePiece, makeProduct, makeSeries, makeWriter } from '../../testkit/factories.ts'

/** A site with one object for every kind of address in the endpoint list. It ends with the test file that opens it. */
export async function openExampleSite() {
  const { url, admin } = await testDatabase()
  const ada = await makeWriter(admin, { slug: 'ada-okafor', name: 'Ada Okafor' })
  const id = await makePiece(admin, ada, {
    headline: 'On tea',
    body_md: 'A cup of tea.',
    tags: ['Tea'],
    publishedAt: new Date('2026-01-05'),
  })
  const product = await makeProduct(admin, ada, { name: 'Tea notebook' })
  await makeSeries(admin, ada, 'Slow tea', [id])
  const base = 'https://site.test'
  const app = await testApp(url)
  await deskOf(app, ada).ask('PUT', 'fediverse', { is_on: true })
  const { rows: actors } = await admin.query<{ id: string }>('select id from app.fediverse_actors')

  const examples: Examples = {
    slug: 'ada-okafor',
    piece: 'on-tea',
    id,
    category: 'building',
    topic: 'tea',
    year: '2026',
    month: '01',
    kind: 'card',
    part: 'pages',
    page: `${base}/author/ada-okafor/on-tea`,
    product,
    listing: 'tea-notebook',
    writer: 'ada-okafor',
    series: 'slow-tea',
    actor: actors[0]!.id,
    resource: 'acct:ada-okafor@site.test',
  }

  return {
    url,
    app,
    admin,
    ada,
    id,
    /** The path of the only one. */
    pathOf: (address: Address): string => exampleOf(base, address, examples)!.slice(base.length),
  }
}
