import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import { readMigrations } from '../../server/sql/migrate.ts'
import { stepsOf } from '../../server/sql/migration-steps.ts'
import { testSite } from '../../testkit/app.ts'
import { type Desk, deskOf, makeModerator } from '../../testkit/desk.ts'
import { inTransaction, type MadeWriter, makePiece, makeWriter, publish } from '../../testkit/factories.ts'
import { deleteNow } from '../../testkit/jobs.ts'

/** A piece is in the lists, feeds and counts of everybody who signs it, and of nobody else. */

const { url, admin, app } = await testSite()
const moderators = deskOf(app, await makeModerator(admin))

// Writers invite each other more often in these tests than the limit of a day allows.
const earlier = () => admin.query("update app.co_authors set invited_at = invited_at - interval '2 days'")

interface Person extends MadeWriter {
  readonly desk: Desk
}
async function person(slug: string, given: Parameters<typeof makeWriter>[1] = {}): Promise<Person> {
  const made = await makeWriter(admin, { slug, name: slug, ...given })
  return { ...made, desk: deskOf(app, made) }
}

const invite = ({ desk }: Person, id: string, ...others: Person[]) =>
  desk.ask('PUT', `pieces/${id}/co-authors`, { authors: others.map(({ slug }) => slug) })
const answer = ({ desk }: Person, id: string, agreed: boolean) =>
  desk.ask('POST', `co-authors/${id}/answer`, { agreed })

async function agreed(writer: Person, id: string, ...others: Person[]): Promise<void> {
  await earlier()
  assert.equal((await invite(writer, id, ...others)).statusCode, 200)
  for (const other of others) assert.equal((await answer(other, id, true)).statusCode, 200)
}

/** Public, with the names of these others, at a time. */
async function signed(writer: Person, others: readonly Person[], given: Parameters<typeof makePiece>[2] = {}) {
  const { publishedAt, ...fields } = given
  const id = await writer.desk.begin(fields)
  await agreed(writer, id, ...others)
  await publish(admin, writer, id, publishedAt)
  return id
}

const read = async (path: string) => (await app.inject(path)).body
const json = async (path: string) => (await app.inject(path)).json()
const idOf = ({ id }: { readonly id: string }): string => id.slice(-36)
const authorOf = async (slug: string) => (await json(`/api/public/authors/${slug}`)).author

/** All of a list, page by page. */
async function listed(query: string): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: { items: { id: string }[]; next_cursor: string | null } = await json(
      `/api/public/pieces/recent?${query}${cursor && `&cursor=${cursor}`}`,
    )
    ids.push(...page.items.map(idOf))
    cursor = page.next_cursor
  }
  return ids
}
const listOf = (slug: string, more = '') => listed(`author=${slug}${more}`)

/** The tags that an act has purged. */
async function purgedBy(act: () => Promise<unknown>): Promise<Set<string>> {
  const known = async () => (await admin.query("select id, data from jobs.job where name = 'cache.purge'")).rows
  const before = new Set((await known()).map(({ id }) => id))
  await act()
  return new Set((await known()).filter(({ id }) => !before.has(id)).flatMap(({ data }) => data.tags))
}

describe('a co-author who has written nothing of their own', () => {
  let [ada, cem]: Person[] = []
  let id = ''
  before(async () => {
    ada = await person('ada', { name: 'Ada' })
    cem = await person('cem', { name: 'Cem', shown: false })
    id = await signed(ada, [cem], { headline: 'On tea and salt', locale: 'de', category: 'life' })
  })

  test('has a profile, its Markdown, a badge, feeds and a widget with the piece, at the address of its writer', async () => {
    const address = 'https://site.test/author/ada/on-tea-and-salt'
    for (const path of ['/author/cem', '/author/cem.md', '/author/cem/feed.json', '/author/cem/feed.xml'])
      assert.ok((await read(path)).includes(address), path)
    assert.match(await read('/embed/cem/list'), /On tea and salt/)
    assert.equal((await app.inject('/embed/cem/badge.svg')).statusCode, 200)
    assert.match(await read('/author/cem'), /<h2 class="year">2026<\/h2>/)
  })

  test('is counted, found, ranked and listed like other writers', async () => {
    const { stats, urls } = await authorOf('cem')
    const { piece } = await json(`/api/public/pieces/${id}`)
    assert.deepEqual(stats, { pieces_count: 1, last_published_at: piece.date_published })
    const [hit] = (await json('/api/public/authors/search?q=cem')).results
    assert.deepEqual([hit.slug, hit.pieces_count], ['cem', 1])
    const [sitemap] = /\/sitemap-authors[^<]+/.exec(await read('/sitemap.xml'))!
    for (const path of ['/writers', sitemap]) assert.ok((await read(path)).includes(urls.profile), path)
  })

  test('is a filter of lists, with a category and a language, and of the search by words', async () => {
    assert.deepEqual(await listOf('cem'), [id])
    assert.deepEqual(await listOf('cem', '&category=life&language=de'), [id])
    for (const other of ['&category=money', '&language=fr']) assert.deepEqual(await listOf('cem', other), [], other)
    const search = async (query: string) =>
      (await json(`/api/public/pieces/search?mode=words&${query}`)).results.map(idOf)
    assert.deepEqual(await search('q=salt&author=cem'), [id])
    assert.deepEqual(await search('q=sal&author=cem'), [id], 'as part of a word')
    assert.deepEqual(await search('q=pepper&author=cem'), [])
  })

  test('is in the piece’s page once, and their list names the language it is in', async () => {
    const own = await makePiece(admin, cem!, { headline: 'Mine', locale: 'fr' })
    assert.match(await read('/author/cem'), /href="https:\/\/site\.test\/author\/cem\?language=de"/)
    await cem!.desk.ask('POST', `pieces/${own}/unpublish`)
  })

  test('loses it all at once when they withdraw, with every cached copy, and has it back when they agree', async () => {
    const tags = await purgedBy(() => answer(cem!, id, false))
    for (const tag of [`piece-${id}`, 'author-ada', 'author-cem', 'byline-cem', 'pieces', 'authors'])
      assert.ok(tags.has(tag), tag)
    const found = await app.inject('/api/public/authors/cem')
    if (found.statusCode === 200)
      assert.deepEqual(found.json().author.stats, { pieces_count: 0, last_published_at: null })
    assert.equal((await json('/api/public/pieces/search?mode=words&q=salt&author=ada')).results.length, 1)
    await answer(cem!, id, true)
    assert.deepEqual([await listOf('cem'), (await authorOf('cem')).stats.pieces_count], [[id], 1])
  })
})

describe('every act on a piece', () => {
  let [eve, finn]: Person[] = []
  before(async () => {
    eve = await person('eve')
    finn = await person('finn')
    for (const one of [eve, finn]) await makePiece(admin, one)
  })
  const stateOf = async ({ slug }: Person) => [(await listOf(slug)).length, (await authorOf(slug)).stats.pieces_count]
  const shown = [2, 2]
  const hidden = [1, 1]

  test('changes and purges the list and the count of each who signs it', async () => {
    const id = await eve!.desk.begin({ headline: 'On acts', category: 'life' })
    await agreed(eve!, id, finn!)
    assert.deepEqual(await stateOf(finn!), hidden, 'a draft is nobody’s')
    const acts: [string, () => Promise<unknown>, unknown[]][] = [
      ['publish', () => eve!.desk.act('publish', id), shown],
      [
        'update',
        async () => {
          await eve!.desk.ask('PATCH', `pieces/${id}`, { category: 'money', locale: 'is' }, { 'if-match': '*' })
          await eve!.desk.act('update', id)
        },
        shown,
      ],
      ['unpublish', () => eve!.desk.act('unpublish', id), hidden],
      ['publish', () => eve!.desk.act('publish', id), shown],
      ['remove', () => invite(eve!, id), hidden],
      ['invite', () => invite(eve!, id, finn!), hidden],
      ['agree', () => answer(finn!, id, true), shown],
      ['take down', () => moderators.act('take_down', id), hidden],
    ]
    for (const [name, act, expected] of acts) {
      const tags = await purgedBy(act)
      assert.deepEqual(await stateOf(finn!), expected, name)
      if (name !== 'invite')
        for (const tag of ['author-eve', 'author-finn']) assert.ok(tags.has(tag), `${name}: ${tag}`)
      if (name === 'update') assert.deepEqual(await listOf('finn', '&category=money&language=is'), [id])
    }
    const { decisions } = (await eve!.desk.ask('GET', `decisions?about=${id}`)).json()
    await eve!.desk.ask('POST', `decisions/${decisions[0].id}/appeal`, { text: 'It is ours.' })
    const another = deskOf(app, await makeModerator(admin))
    const tags = await purgedBy(() =>
      another.ask('POST', `review/decisions/${decisions[0].id}/decide`, { outcome: 'reversed', reason: 'It is.' }),
    )
    assert.deepEqual([await stateOf(finn!), tags.has('author-finn')], [shown, true], 'the decision is reversed')
  })

  const operator = (act: 'suspend' | 'restore', { slug }: Person) =>
    moderators.ask('POST', `review/writers/${slug}/${act}`, { reason: 'Spam.' })

  for (const whose of ['first', 'second'] as const)
    test(`hides it when the ${whose} author is suspended, and shows it again`, async () => {
      const [writer, other] = [await person(`${whose}-writer`), await person(`${whose}-other`)]
      const id = await signed(writer, [other])
      const [gone, left] = whose === 'first' ? [writer, other] : [other, writer]
      const expected = whose === 'first' ? [] : [id]
      const away = await purgedBy(() => operator('suspend', gone))
      assert.deepEqual(await listOf(left.slug), expected)
      assert.equal((await authorOf(left.slug)).stats.pieces_count, expected.length)
      assert.equal((await app.inject(`/author/${gone.slug}`)).statusCode, 404)
      const back = await purgedBy(() => operator('restore', gone))
      for (const { slug } of [writer, other]) {
        assert.ok(away.has(`author-${slug}`) && back.has(`author-${slug}`), slug)
        assert.deepEqual([await listOf(slug), (await authorOf(slug)).stats.pieces_count], [[id], 1], slug)
      }
    })

  test('takes it from the lists of others when an account is closed', async () => {
    const [writer, other] = [await person('leaver'), await person('stayer')]
    await signed(writer, [other])
    const id = await signed(other, [writer])
    assert.equal((await writer.desk.ask('DELETE', 'account', { name: 'leaver' })).statusCode, 202)
    const tags = await purgedBy(() => deleteNow(admin, url, writer.accountId))
    assert.deepEqual([await listOf('stayer'), (await authorOf('stayer')).stats.pieces_count], [[id], 1])
    for (const tag of ['author-stayer', `piece-${id}`]) assert.ok(tags.has(tag), tag)
    const { rows } = await admin.query('select from pub.piece_co_authors where author_id = $1', [writer.id])
    assert.equal(rows.length, 0)
  })
})

describe('own and signed pieces', () => {
  let [gil, hana]: Person[] = []
  const expected: string[] = []
  before(async () => {
    gil = await person('gil')
    hana = await person('hana')
    const made: { id: string; at: number }[] = []
    for (let n = 0; n < 36; n++) {
      // Three have each time.
      const at = Date.UTC(2026, 0, 1 + Math.floor(n / 3))
      const given = { headline: `Piece ${n}`, publishedAt: new Date(at), locale: n % 4 ? 'en' : 'fr' }
      const id = n % 2 ? await makePiece(admin, gil, given) : await signed(hana, [gil], given)
      made.push({ id, at })
    }
    made.sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
    expected.push(...made.map(({ id }) => id))
  })

  for (const limit of [1, 3, 5, 36, 100])
    test(`are one list, newest first, without gap or double on pages of ${limit}`, async () => {
      assert.deepEqual(await listOf('gil', `&limit=${limit}`), expected)
    })

  test('are one feed, page by page', async () => {
    const ids: string[] = []
    let next: string | undefined = '/author/gil/feed.json'
    while (next) {
      const feed: { items: { id: string }[]; next_url?: string } = await json(next)
      ids.push(...feed.items.map(idOf))
      next = feed.next_url?.slice('https://site.test'.length)
    }
    assert.deepEqual(ids, expected)
    assert.deepEqual((await listOf('hana')).length, 18, 'the other signs half of them')
  })

  test('are tagged with the names they show, and the feed notices when one changes', async () => {
    const tagsOf = async (path: string) => String((await app.inject(path)).headers['surrogate-key']).split(' ')
    for (const path of [
      '/api/public/pieces/recent?author=gil',
      '/author/gil',
      '/author/gil.md',
      '/author/gil/feed.json',
      '/embed/gil/list',
    ])
      for (const tag of ['author-gil', 'byline-gil', 'byline-hana'])
        assert.ok((await tagsOf(path)).includes(tag), `${path}: ${tag}`)
    const etag = async () => (await app.inject('/author/gil/feed.json')).headers['etag']
    const first = await etag()
    const tags = await purgedBy(() => hana!.desk.ask('PATCH', 'profile', { name: 'Hana Ito' }))
    assert.ok(tags.has('byline-hana'))
    assert.notEqual(await etag(), first)
    assert.match(await read('/author/gil/feed.json'), /Hana Ito/)
  })
})

test('two who sign each other’s pieces publish at the same time', async () => {
  const [iris, jon] = [await person('iris'), await person('jon')]
  const ready = async (writer: Person, other: Person) => {
    const id = await writer.desk.begin()
    await agreed(writer, id, other)
    const { nonce } = (await writer.desk.ask('POST', `pieces/${id}/preview`)).json()
    const headers = { cookie: `__Host-desk=${writer.sessionToken}`, 'sec-fetch-site': 'same-origin' }
    return { method: 'POST', url: `/desk/api/pieces/${id}/publish`, headers, payload: { nonce } } as const
  }
  for (let round = 0; round < 6; round++) {
    const both = [await ready(iris, jon), await ready(jon, iris)]
    const answers = await Promise.all(both.map((request) => app.inject(request)))
    assert.deepEqual(
      answers.map(({ statusCode }) => statusCode),
      [200, 200],
    )
  }
  for (const slug of ['iris', 'jon'])
    assert.deepEqual([(await listOf(slug)).length, (await authorOf(slug)).stats.pieces_count], [12, 12])
})

test('the migration lists and counts what is signed already, batch by batch', async () => {
  const now = async () => [
    (await admin.query('select * from pub.piece_co_authors order by piece_id, author_id')).rows,
    (await admin.query('select id, pieces_count, last_published_at from pub.authors order by id')).rows,
  ]
  const asPublisher = (text: string) =>
    inTransaction(admin, async (client) => {
      await client.query('set local role svc_publisher')
      return client.query(text)
    })
  const expected = await now()
  const { rowCount: all } = await asPublisher('delete from pub.piece_co_authors')
  const migration = (await readMigrations()).find(({ name }) => name === '0021_piece_co_authors.sql')!
  const { text } = stepsOf(migration).find(({ kind }) => kind === 'batch')!
  let done = 0
  for (let changed = 1; changed > 0; done += changed)
    changed = (await asPublisher(text.replace(/set local role svc_publisher;/, '').replaceAll(':batch', '10')))
      .rowCount!
  assert.ok(all! > 20)
  assert.equal(done, all)
  assert.deepEqual(await now(), expected)
})

test('whatever happens, each list is what the bylines of all public pieces say', async () => {
  let runs = 0
  const acts = [
    'publish',
    'unpublish',
    'agree',
    'withdraw',
    'invite',
    'remove',
    'update',
    'suspend',
    'restore',
  ] as const
  const act = fc.record({ act: fc.constantFrom(...acts), who: fc.nat(2), piece: fc.nat(3), other: fc.nat(2) })
  const sequence = fc.array(act, { minLength: 8, maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(sequence, async (steps) => {
      runs += 1
      const people = await Promise.all(['k', 'l', 'm'].map((name) => person(`${name}-${runs}`)))
      const pieces: { id: string; by: Person }[] = []
      for (let n = 0; n < 4; n++) {
        const by = people[n % 3]!
        const others = people.filter((one) => one !== by)
        const id = await by.desk.begin({ headline: `Piece ${n}`, category: n % 2 ? 'life' : 'money' })
        await agreed(by, id, ...others.slice(n % 2))
        if (n > 0) await by.desk.act('publish', id)
        pieces.push({ id, by })
      }
      for (const step of steps) {
        const { id, by } = pieces[step.piece]!
        const other = people[step.other]!
        // Acts that make no sense now are refused.
        if (step.act === 'publish' || step.act === 'unpublish') await by.desk.act(step.act, id)
        if (step.act === 'agree' || step.act === 'withdraw') await answer(other, id, step.act === 'agree')
        if (step.act === 'invite') await earlier().then(() => invite(by, id, ...people.filter((one) => one !== by)))
        if (step.act === 'remove') await invite(by, id, ...(other === by ? [] : [other]))
        if (step.act === 'update') {
          const category = step.who ? 'life' : 'money'
          await by.desk.ask('PATCH', `pieces/${id}`, { category, locale: step.who ? 'en' : 'fr' }, { 'if-match': '*' })
          await by.desk.act('update', id)
        }
        if (step.act === 'suspend' || step.act === 'restore')
          await moderators.ask('POST', `review/writers/${people[step.who]!.slug}/${step.act}`, { reason: 'Spam.' })
      }
      await agree(people)
    }),
    { numRuns: 12 },
  )
})

/** Compares the lists, feeds and counts of these people with the bylines of all public pieces. */
async function agree(people: readonly Person[]): Promise<void> {
  const all: { id: string; date_published: string; category: string; authors: { slug: string }[] }[] = []
  for (const id of await listed('limit=100')) all.push((await json(`/api/public/pieces/${id}`)).piece)
  for (const { slug } of people) {
    const theirs = all.filter(({ authors }) => authors.some((author) => author.slug === slug))
    const profile = await app.inject(`/api/public/authors/${slug}`)
    if (profile.statusCode === 404) {
      assert.deepEqual(theirs, [])
      continue
    }
    assert.deepEqual(profile.json().author.stats, {
      pieces_count: theirs.length,
      last_published_at: theirs[0]?.date_published ?? null,
    })
    assert.deepEqual(await listOf(slug, '&limit=2'), theirs.map(idOf))
    assert.deepEqual((await json(`/author/${slug}/feed.json`)).items.map(idOf), theirs.map(idOf))
    const ofLife = theirs.filter(({ category }) => category === 'life')
    assert.deepEqual(await listOf(slug, '&category=life&limit=1'), ofLife.map(idOf))
  }
}
