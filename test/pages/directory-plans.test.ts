import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { statements as authorStatements } from '../../server/features/authors/queries.ts'
import { statements as archiveStatements } from '../../server/features/pieces/archive.ts'
import { statements as languageStatements } from '../../server/features/pieces/languages.ts'
import { type Filter, newest, statements } from '../../server/features/pieces/list-queries.ts'
import { statements as topicStatements } from '../../server/features/pieces/topics.ts'
import { readMigrations } from '../../server/sql/migrate.ts'
import { stepsOf } from '../../server/sql/migration-steps.ts'
import { testSite } from '../../testkit/app.ts'
import { inTransaction } from '../../testkit/factories.ts'

/** Topics, the archive, and the lists of and by writers read along an index, however many pieces there are. */

const { admin } = await testSite()

const asPublisher = (text: string, values: unknown[] = []) =>
  inTransaction(admin, async (client) => {
    await client.query('set local role svc_publisher')
    return client.query(text, values)
  })

/** One topic has half of the pieces, one a fifth in another language, most have ten; eight years, three thousand writers. */
before(async () => {
  await asPublisher(`
    insert into pub.authors (id, slug, name, identity_verified, website_verified, socials, joined_at, search_text, pieces_count)
    select md5('author ' || n)::uuid, 'author-' || n, chr(65 + n % 26) || ' author ' || n, false, false, '{}',
           timestamptz '2020-01-01' + n * interval '1 hour', '', case when n % 10 = 0 then 0 else 7 end
      from generate_series(1, 3000) n`)
  await asPublisher(`
    insert into pub.pieces (id, author_id, slug, headline, summary, category, tags, kind, locale, published_at,
                            modified_at, headline_folded, sub_folded)
    select md5('piece ' || n)::uuid, md5('author ' || 1 + n % 3000)::uuid, 'piece-' || n, 'Piece ' || n, '', 'life',
           array['Rare ' || n / 10] || case when n % 2 = 0 then array['Common'] else '{}' end
             || case when n % 5 = 0 then array['Mixed'] else '{}' end,
           'essay', case when n % 500 = 0 then 'is' else 'en' end, at, at, '', ''
      from (select n, date_trunc('milliseconds', timestamptz '2018-01-01' + n * interval '3.5 hours') as at
              from generate_series(1, 20000) n) numbered`)
  // Author 2 signs a thousand pieces of others, twenty more sign a hundred each, and nearly all sign none.
  await asPublisher(`
    insert into pub.piece_co_authors (author_id, published_at, piece_id, category, language)
    select md5('author ' || case when n % 20 = 0 then 2 else 100 + n % 200 end)::uuid, p.published_at, p.id, p.category,
           pub.language_of(p.locale)
      from generate_series(1, 20000) n join pub.pieces p on p.id = md5('piece ' || n)::uuid
     where (n % 20 = 0 or n % 10 = 1) and 1 + n % 3000 <> 2`)
  await asPublisher(
    `insert into pub.piece_contents (piece_id, author_id, html, text) select id, author_id, '', '' from pub.pieces`,
  )
  await admin.query('analyze pub.pieces, pub.piece_topics, pub.authors, pub.piece_co_authors, pub.piece_contents')
  await admin.query('select app.count_topics()')
  await admin.query('analyze pub.topics')
})

/** By the plan for any parameters, which connections keep, and by the one for these. */
async function explained({ text }: { readonly text: string }, values: unknown[]): Promise<string> {
  const client = await admin.connect()
  const given = values.map((value) => client.escapeLiteral(value instanceof Date ? value.toISOString() : String(value)))
  const parameters = given.length > 0 ? `(${given.join()})` : ''
  try {
    const plans: string[] = []
    await client.query(`prepare asked as ${text}`)
    for (const mode of ['force_generic_plan', 'force_custom_plan']) {
      await client.query(`set plan_cache_mode = ${mode}`)
      const { rows } = await client.query(
        `explain (analyze, buffers, costs off, timing off) execute asked ${parameters}`,
      )
      plans.push(...rows.map((row) => row['QUERY PLAN']))
    }
    return plans.join('\n')
  } finally {
    await client.query('deallocate all; reset all')
    client.release()
  }
}

/** The most rows that any step of the plan read. */
const mostRows = (plan: string): number =>
  Math.max(...[...plan.matchAll(/rows=(\d+) loops=(\d+)/g)].map(([, rows, loops]) => Number(rows) * Number(loops)))

/** The pages that the second of the two lists of an author reads, in each plan, kept in memory or not. */
const pagesOfSigned = (plan: string): number[] =>
  plan
    .split('Subquery Scan on')
    .slice(1)
    .map((signed) => {
      const [, ...pages] = /Buffers: shared(?: hit=(\d+))?(?: read=(\d+))?/.exec(signed)!
      return pages.reduce((sum, count) => sum + Number(count ?? 0), 0)
    })

function assertNarrow(name: string, plan: string, most: number): void {
  assert.doesNotMatch(plan, /Seq Scan on (?:pieces|piece_topics|authors)\b/, `${name}:\n${plan}`)
  assert.ok(mostRows(plan) <= most, `${name} reads ${mostRows(plan)} rows:\n${plan}`)
  const removed = [...plan.matchAll(/Rows Removed by Filter: (\d+)/g)].map(([, rows]) => Number(rows))
  assert.ok(Math.max(0, ...removed) <= most, `${name} throws rows away:\n${plan}`)
}

const limit = 26

const authorNamed = async (name: string): Promise<string> =>
  (await admin.query('select id from pub.authors where slug = $1', [`author-${name}`])).rows[0].id

describe('without a scan, and without reading more rows than a page has:', () => {
  for (const topic of ['common', 'mixed', 'rare-77'])
    for (const language of [undefined, 'en', 'is', 'fr'])
      test(`the topic ${topic} in ${language ?? 'all languages'}`, async () => {
        const filter: Filter = { topic, ...(language ? { language } : {}) }
        for (const one of [
          statements.recentPages(filter),
          statements.wholePages(filter),
          statements.editionPages(filter),
        ]) {
          const plan = await explained(one, one.values({ ...newest, limit, ...filter }))
          assertNarrow(one.name, plan, limit)
          assert.match(plan, language ? /piece_topics_by_language/ : /piece_topics_by_(recency|language)/)
        }
      })

  test('a deep page of a topic', async () => {
    const one = statements.recentPages({ topic: 'common' })
    const after = { publishedAt: new Date('2018-02-01'), id: newest.id }
    assertNarrow(one.name, await explained(one, one.values({ ...after, limit, topic: 'common' })), limit)
  })

  for (const name of ['2', '101', '7'])
    for (const narrower of [
      {},
      { category: 'life' },
      { language: 'en' },
      { category: 'life', language: 'en' },
    ] as const)
      test(`what author ${name} wrote and signed ${Object.values(narrower).join(' and ')}`, async () => {
        const filter: Filter = { authorId: await authorNamed(name), ...narrower }
        for (const at of [newest.publishedAt, new Date('2020-02-01')])
          for (const one of [
            statements.recentPages(filter),
            statements.wholePages(filter),
            statements.editionPages(filter),
          ]) {
            const plan = await explained(one, one.values({ publishedAt: at, id: newest.id, limit, ...filter }))
            assertNarrow(one.name, plan, limit)
            assert.match(plan, /Merge Append.*piece_co_authors_by_recency/s)
            // Both plans of who signed nothing look into a small index for it: its root and a leaf, or the next one too.
            if (name === '7') {
              const pages = pagesOfSigned(plan)
              assert.equal(pages.length, 2, plan)
              assert.ok(Math.max(...pages) <= 3, plan)
            }
          }
      })

  test('the languages of an author', async () => {
    const { localesOfAuthor } = languageStatements
    const values = localesOfAuthor.values({ authorId: await authorNamed('2'), max: 500 })
    assertNarrow('languages', await explained(localesOfAuthor, values), 510)
  })

  test('the languages and the name of a topic', async () => {
    const { languagesOfTopic } = languageStatements
    const languages = await explained(languagesOfTopic, languagesOfTopic.values({ topic: 'common', max: 200 }))
    assertNarrow('languages', languages, 4)
    const { topicByTag } = topicStatements
    for (const tag of ['Common', 'rare-77', 'none'])
      assertNarrow(tag, await explained(topicByTag, topicByTag.values({ tag })), 10)
  })

  test('the list of topics, of which each costs five rows', async () => {
    const { countedTopics } = topicStatements
    const plan = await explained(countedTopics, countedTopics.values({ limit: 500 }))
    assertNarrow('topics', plan, 2500)
  })

  test('the months of the archive, one of them, and those around it', async () => {
    const { monthsWithPieces, monthsAround } = archiveStatements
    const months = await explained(monthsWithPieces, monthsWithPieces.values({ months: 480, counted: 20 }))
    assert.doesNotMatch(months, /Seq Scan|Sort Key: .*published_at/)
    assert.ok(mostRows(months) <= 96 * 20, months)
    const span = { from: new Date('2019-05-01'), to: new Date('2019-06-01') }
    assertNarrow('around', await explained(monthsAround, monthsAround.values(span)), 1)
    const one = statements.recentPages({ since: span.from })
    const month = await explained(
      one,
      one.values({ publishedAt: span.to, id: '00000000-0000-0000-0000-000000000000', limit, since: span.from }),
    )
    assertNarrow('month', month, limit)
  })

  test('writers by name, from the middle too, their initials, and the newest', async () => {
    const { authorsByName, newestAuthors, initials } = authorStatements
    for (const name of ['', 'm', 'Z author 25'])
      assertNarrow('writers', await explained(authorsByName, authorsByName.values({ name, slug: '', limit })), 60)
    assertNarrow('initials', await explained(initials, initials.values({ max: 60 })), 27)
    assertNarrow('newest', await explained(newestAuthors, newestAuthors.values({ limit })), limit)
  })
})

test('the migration files every piece that is there, batch by batch, and what changes meanwhile stays right', async () => {
  const filed = async () => {
    const { rows } = await admin.query(
      'select topic, piece_id, author_id, language, name, place, published_at from pub.piece_topics order by 2, 1',
    )
    return rows
  }
  const expected = await filed()
  await asPublisher("delete from pub.piece_topics where piece_id > '40000000-0000-0000-0000-000000000000'")
  await inTransaction(admin, async (client) => {
    await client.query('set local role svc_owner')
    await client.query("create table app.topics_filed as select uuid '00000000-0000-0000-0000-000000000000' as up_to")
    await client.query('grant select, update on app.topics_filed to svc_publisher')
  })
  const migration = (await readMigrations()).find(({ name }) => name === '0009_topics.sql')!
  const batch = stepsOf(migration).find(({ kind }) => kind === 'batch')!
  const text = batch.text.replace(/set local role svc_publisher;/, '').replaceAll(':batch', '3000')
  const batches: number[] = []
  do batches.push((await asPublisher(text)).rowCount ?? 0)
  while (batches.at(-1) !== 0)
  assert.deepEqual(batches, [3000, 3000, 3000, 3000, 3000, 3000, 2000, 0])
  assert.deepEqual(await filed(), expected)
})
