import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { runIndexStep } from '../../server/features/pieces/search/indexer.ts'
import { IndexerConnection } from '../../server/features/pieces/search/indexer-lock.ts'
import { testSite } from '../../testkit/app.ts'
import { deskOf, makeModerator } from '../../testkit/desk.ts'
import { makePiece, makeWriter, unpublish } from '../../testkit/factories.ts'
import { smallSegments } from '../../testkit/search.ts'

/** `mode=words` of piece search, an extension of the specification: what is found, in which order, and when. */

const { url, admin, app, ask } = await testSite()
const client = new pg.Client({ connectionString: url })
client.on('error', () => {})
await client.connect()
after(() => client.end())
const indexer = new IndexerConnection(client)
await indexer.acquireLease()
async function indexAll(): Promise<void> {
  while ((await runIndexStep(indexer, smallSegments)) !== 'idle');
}

interface Hits {
  readonly results: readonly { title: string; match_site: string; snippet: string | null; is_part?: true }[]
  readonly next_cursor: string | null
  readonly did_you_mean?: string
  readonly corrected?: true
  readonly partial?: true
}
const search = async (q: string, more = ''): Promise<Hits> =>
  (await ask(`/api/public/pieces/search?mode=words&q=${encodeURIComponent(q)}${more}`)).json<Hits>()
const titles = async (q: string, more = '') => (await search(q, more)).results.map(({ title }) => title)

const okafor = await makeWriter(admin, { slug: 'ada-okafor', name: 'Ada Okafor' })
const ramirez = await makeWriter(admin, { slug: 'ramirez', name: 'Inés Ramírez' })
const made = [
  [
    okafor,
    {
      headline: 'The case for slow tea',
      sub: 'Four minutes.',
      body_md: 'A kettle.',
      category: 'life',
      tags: ['attention'],
    },
  ],
  [okafor, { headline: 'On kettles', sub: 'About tea, and slow mornings.', body_md: 'Nothing.', category: 'life' }],
  [
    okafor,
    {
      headline: 'Harbours',
      sub: 'Boats.',
      body_md: 'Here they are slow, and there is tea. She studies.',
      category: 'money',
    },
  ],
  [
    ramirez,
    { headline: 'La canción del río', sub: 'Un ensayo.', body_md: 'El niño canta.', category: 'culture', locale: 'es' },
  ],
  [ramirez, { headline: 'To teach', sub: 'Schools.', body_md: 'Teachers are tired of steam.', category: 'civic' }],
  [
    ramirez,
    {
      headline: '東京の喫茶店',
      sub: 'コーヒー。',
      body_md: '静かな朝の喫茶店で本を読む。',
      category: 'culture',
      locale: 'ja',
    },
  ],
] as const
for (const [day, [writer, { tags, ...piece }]] of made
  .map((one) => [one[0], { tags: [], ...one[1] }] as const)
  .entries())
  await makePiece(admin, writer, { ...piece, tags: [...tags], publishedAt: new Date(Date.UTC(2026, 0, 1 + day)) })

/** Asked of pieces that wait to be indexed, and again of segments. */
const questions: Readonly<Record<string, () => Promise<void>>> = {
  'words are found in any order: in the headline first, then beside it, then in the text': async () => {
    const { results, partial } = await search('tea slow')
    assert.equal(partial, undefined)
    assert.deepEqual(
      results.map(({ title, match_site }) => [title, match_site]),
      [
        ['The case for slow tea', 'headline'],
        ['On kettles', 'standfirst'],
        ['Harbours', 'body'],
      ],
    )
    assert.match(results[2]!.snippet!, /slow, and there is tea/)
  },
  'a word is found in another form of it, and without accents': async () => {
    assert.deepEqual(await titles('kettle'), ['On kettles', 'The case for slow tea'])
    assert.deepEqual(await titles('study'), ['Harbours'])
    assert.deepEqual(await titles('canciones rio'), ['La canción del río'])
    assert.deepEqual(await titles('NINO'), ['La canción del río'])
  },
  'a whole word comes before parts of others': async () => {
    const { results } = await search('tea')
    assert.deepEqual(
      results.map(({ title, is_part }) => [title, is_part ?? false]),
      [
        ['The case for slow tea', false],
        ['On kettles', false],
        ['Harbours', false],
        ['To teach', true],
      ],
    )
    assert.deepEqual(await titles('harb'), ['Harbours'])
  },
  "an author's name and a subject find their pieces about it": async () => {
    assert.deepEqual(await titles('okafor tea'), ['On kettles', 'The case for slow tea', 'Harbours'])
    assert.deepEqual(await titles('ramirez escuela'), [])
    assert.deepEqual(await titles('attention'), ['The case for slow tea'])
  },
  'quotation marks keep a phrase together, beside other words': async () => {
    assert.deepEqual(await titles('"slow tea"'), ['The case for slow tea'])
    assert.deepEqual(await titles('“there is tea” slow'), ['Harbours'])
    assert.deepEqual(await titles('"slow te"'), [])
    assert.deepEqual(await titles('"tea slow"'), [])
  },
  'text without spaces between words is found by any part of it': async () => {
    assert.deepEqual(await titles('喫茶店'), ['東京の喫茶店'])
    assert.deepEqual(await titles('本 東京'), ['東京の喫茶店'])
  },
  'section, author, tag, language and dates narrow it': async () => {
    for (const [more, found] of [
      ['&category=money', ['Harbours']],
      ['&author=ada-okafor&category=life', ['The case for slow tea', 'On kettles']],
      ['&author=ramirez', ['To teach']],
      ['&tag=Attention', ['The case for slow tea']],
      ['&language=ja', []],
      ['&language=en-GB&since=2026-01-03', ['Harbours', 'To teach']],
      ['&since=2026-01-02&until=2026-01-02', ['On kettles']],
      ['&until=2026-01-02T00:00:00Z', ['The case for slow tea']],
    ] as const)
      assert.deepEqual(await titles('tea', more), found, more)
  },
  'pages follow each other without a gap': async () => {
    const found: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Hits = await search('tea', `&limit=1${cursor && `&cursor=${cursor}`}`)
      found.push(...page.results.map(({ title }) => title))
      cursor = page.next_cursor
    }
    assert.deepEqual(found, ['The case for slow tea', 'On kettles', 'Harbours', 'To teach'])
  },
  'a question without a word finds what exact search does': async () => {
    assert.deepEqual(await titles('。'), ['東京の喫茶店'])
    assert.deepEqual(await titles('%'), [])
  },
}

for (const [name, asked] of Object.entries(questions)) test(name, asked)

test('the same once everything is indexed', async (t) => {
  await indexAll()
  for (const [name, asked] of Object.entries(questions)) await t.test(name, asked)
})

test('a misspelt word that finds nothing is answered with what was meant, page by page', async () => {
  const first = await search('harbuors', '&limit=1')
  assert.deepEqual([first.did_you_mean, first.corrected], ['harbours', true])
  assert.deepEqual(
    first.results.map(({ title }) => title),
    ['Harbours'],
  )
  const slow = await search('Slow kettels', '&limit=1')
  assert.equal(slow.did_you_mean, 'Slow kettles')
  const next = await search('Slow kettels', `&limit=1&cursor=${slow.next_cursor}`)
  assert.deepEqual(
    [...slow.results, ...next.results].map(({ title }) => title),
    ['On kettles', 'The case for slow tea'],
  )
  assert.equal((await search('xylophones')).did_you_mean, undefined)
})

test('words that no piece has any more are not suggested, and leave the lexicon', async () => {
  const id = await makePiece(admin, okafor, { headline: 'Wombatology', body_md: 'Rare.' })
  await indexAll()
  assert.equal((await search('wombatolgy')).did_you_mean, 'wombatology')
  await unpublish(admin, okafor, id)
  assert.equal((await search('wombatolgy')).did_you_mean, undefined)
  await client.query("update search.changes set at = now() - interval '31 days'")
  await indexAll()
  for (let sweep = 0; sweep < 8; sweep += 1) await indexAll()
  const { rowCount } = await client.query("select from search.lexicon where word = 'wombatology'")
  assert.equal(rowCount, 0)
  const { rowCount: kept } = await client.query("select from search.lexicon where word = 'harbours'")
  assert.equal(kept, 1)
})

test('a piece is found by the first search after it is public, and by none after it is not', async () => {
  const moderators = deskOf(app, await makeModerator(admin))
  const hers = deskOf(app, okafor)
  for (let turn = 0; turn < 12; turn += 1) {
    const word = `zephyr${'abcdefghijkl'[turn]}`
    const id = await makePiece(admin, okafor, { headline: `The ${word}`, body_md: 'Wind.' })
    if (turn % 3 === 1) await indexAll()
    assert.deepEqual(await titles(`wind ${word}`), [`The ${word}`])
    if (turn % 3 === 2) await indexAll()
    const gone =
      turn % 2 === 0 ? await hers.ask('POST', `pieces/${id}/unpublish`) : await moderators.act('take_down', id)
    assert.equal(gone.statusCode, 200, gone.body)
    assert.deepEqual(await titles(`wind ${word}`), [])
    assert.deepEqual(await titles(word), [])
  }
})

test('a changed piece is found by its new words and no longer by its old ones', async () => {
  const hers = deskOf(app, okafor)
  const id = await hers.begin({ headline: 'Marmalade', body_md: 'Oranges.' })
  assert.equal((await hers.act('publish', id)).statusCode, 200)
  await indexAll()
  const saved = await hers.ask(
    'PATCH',
    `pieces/${id}`,
    { headline: 'Chutney', body_md: 'Mangoes.' },
    { 'if-match': '"1"' },
  )
  assert.equal(saved.statusCode, 200, saved.body)
  assert.equal((await hers.act('update', id)).statusCode, 200)
  assert.deepEqual(await titles('mango'), ['Chutney'])
  for (const old of ['marmalade', 'orange']) assert.deepEqual(await titles(old), [], old)
  await indexAll()
  assert.deepEqual(await titles('chutney'), ['Chutney'])
  assert.deepEqual(await titles('marmalade'), [])
})

test("pieces are found by their author's name once it changes, and by the former one no more", async () => {
  await indexAll()
  const hers = deskOf(app, okafor)
  const changed = await hers.ask('PATCH', 'profile', { name: 'Ada Nwosu' }, { 'if-match': '*' })
  assert.equal(changed.statusCode, 200, changed.body)
  for (let stage = 0; stage < 2; stage += 1) {
    assert.deepEqual(await titles('nwosu tea'), ['On kettles', 'The case for slow tea', 'Harbours'])
    assert.deepEqual(await titles('okafor tea'), [])
    await indexAll()
  }
})

test('segments of the release before make it partial until they are indexed again', async () => {
  await indexAll()
  await client.query("update search.volumes set has_words = false where state = 'ready'")
  assert.equal((await search('tea')).partial, true)
  await indexAll()
  const { partial, results } = await search('tea')
  assert.equal(partial, undefined)
  assert.equal(results.length, 4)
})

test('exact search stays as it is, and refuses the filters it does not have', async () => {
  const exact = (await ask('/api/public/pieces/search?q=slow+tea')).json<Hits>()
  assert.deepEqual(
    exact.results.map(({ title }) => title),
    ['The case for slow tea'],
  )
  assert.deepEqual(exact, (await ask('/api/public/pieces/search?mode=exact&q=slow+tea')).json())
  for (const more of ['author=ada-okafor', 'tag=tea', 'since=2026-01-01', 'until=2026-01-01']) {
    const refused = await ask(`/api/public/pieces/search?q=tea&${more}`)
    assert.equal(refused.statusCode, 400, more)
    assert.match(refused.body, /needs mode=words/)
  }
  const words = '/api/public/pieces/search?mode=words&q=tea'
  assert.equal((await ask(`${words}&author=nobody`)).statusCode, 404)
  for (const more of ['since=2026-02-31', 'until=today', 'cursor=abc'])
    assert.equal((await ask(`${words}&${more}`)).statusCode, 400, more)
})
