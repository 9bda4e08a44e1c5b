import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { testSite } from '../../testkit/app.ts'
import { makeDraft, makePiece, makeWriter, unpublish } from '../../testkit/factories.ts'
import { fieldsOf, listedFields } from './fields.ts'

/** Sections 2 (PieceHit) and 4.2 (piece search) of the specification. Every test searches for a different word. */

const { admin, ask } = await testSite()

interface Hits {
  readonly ok: boolean
  readonly query: string
  readonly category: string | null
  readonly count: number
  readonly results: readonly {
    readonly title: string
    readonly match_site: string
    readonly snippet: string | null
    readonly id: string
  }[]
}
const search = async (q: string, more = '') =>
  (await ask(`/api/public/pieces/search?q=${encodeURIComponent(q)}${more}`)).json<Hits>()
const titles = async (q: string, more = '') => (await search(q, more)).results.map(({ title }) => title)
const day = (number: number) => new Date(Date.UTC(2026, 0, number))

const writer = await makeWriter(admin, { slug: 'ada', name: 'Ada', verified: true })
const make = (given: Parameters<typeof makePiece>[2]) => makePiece(admin, writer, given)

await make({
  headline: 'Kettle song',
  sub: 'A standfirst.',
  tags: ['steam'],
  category: 'life',
  body_md: 'Nothing else.',
})
await make({ headline: 'Deep', body_md: 'We heard the Whistling from the kitchen.' })

describe('2 PieceHit', () => {
  fieldsOf(
    'PieceHit',
    { ...listedFields, snippet: 'string or null', match_site: 'string' },
    async () => ({ full: (await search('whistling')).results[0]!, bare: (await search('kettle')).results[0]! }),
    ['category'],
  )

  for (const [site, q, given, snippet] of [
    ['headline', 'sitehead', { headline: 'The sitehead word' }, null],
    ['standfirst', 'sitestand', { sub: 'The sitestand word' }, null],
    ['body', 'sitebody', { body_md: 'The sitebody word' }, 'The sitebody word'],
  ] as const) {
    test(`match_site is ${site} for a match there, and snippet ${snippet === null ? 'null' : 'a string'}`, async () => {
      await make(given)
      const [hit] = (await search(q)).results
      assert.equal(hit?.match_site, site)
      assert.equal(hit?.snippet, snippet)
    })
  }

  for (const [where, q, given, site] of [
    ['headline and standfirst', 'twosite hs', { headline: 'Twosite hs', sub: 'twosite hs' }, 'headline'],
    ['headline and body', 'twosite hb', { headline: 'Twosite hb', body_md: 'twosite hb' }, 'headline'],
    ['standfirst and body', 'twosite sb', { sub: 'Twosite sb', body_md: 'twosite sb' }, 'standfirst'],
    ['all three', 'triplet', { headline: 'Triplet', sub: 'triplet', body_md: 'triplet' }, 'headline'],
  ] as const) {
    test(`a match in ${where} is told once, as one of the ${site}`, async () => {
      await make(given)
      const { results } = await search(q)
      assert.deepEqual(
        results.map(({ match_site, snippet }) => [match_site, snippet]),
        [[site, null]],
      )
    })
  }

  test('the snippet shows the words around the match, as the writer wrote them', async () => {
    await make({ body_md: `${'before '.repeat(200)}the Needle of a **Haystack** here ${'after '.repeat(200)}` })
    const snippet = (await search('needle OF')).results[0]!.snippet!
    assert.match(snippet, /^….*before the Needle of a Haystack here after.*…$/)
    assert.ok(snippet.length < 400, `${snippet.length} characters`)
  })

  test('the snippet finds its place behind white space, emoji and other scripts', async () => {
    await make({ body_md: `${'İstanbul 😀   é \n\n'.repeat(60)}Ziel΢wort ${'nach '.repeat(60)}` })
    assert.match((await search('ziel')).results[0]!.snippet!, /Ziel/)
  })
})

describe('4.2 GET /api/public/pieces/search', () => {
  test('200 is {ok: true, query, category, count, results}', async () => {
    const { ok, query, category, count, results } = await search('kettle')
    assert.deepEqual({ ok, query, category, count }, { ok: true, query: 'kettle', category: null, count: 1 })
    assert.equal(results.length, 1)
  })

  test('nothing found is an empty list', async () => {
    const { ok, count, results } = await search('nothing like this')
    assert.deepEqual({ ok, count, results }, { ok: true, count: 0, results: [] })
  })

  test('q is required', async () => {
    const answer = await ask('/api/public/pieces/search')
    assert.equal(answer.statusCode, 400)
    assert.deepEqual([answer.json().errors[0].pointer, answer.json().errors[0].code], ['/q', 'missing'])
  })

  test('a part of a word is found, at its beginning, middle and end', async () => {
    for (const part of ['kett', 'ettl', 'ttle', 'ettle son'])
      assert.deepEqual(await titles(part), ['Kettle song'], part)
  })

  test('it is found in any letter case, of any script', async () => {
    await make({ headline: 'Éxito ΟΔΟΣ Straße' })
    for (const q of ['KETTLE', 'kettle', 'kEtTlE']) assert.deepEqual(await titles(q), ['Kettle song'], q)
    for (const q of ['éXITO', 'οδοσ', 'οδος', 'STRAßE']) assert.deepEqual(await titles(q), ['Éxito ΟΔΟΣ Straße'], q)
  })

  for (const [length, q] of [
    ['one character', '☂'],
    ['two characters', 'qz'],
    ['two Chinese characters', '茶道'],
    ['one Chinese character', '禪'],
    ['only signs', '?!'],
    ['200 characters', 'long'.repeat(50)],
  ] as const) {
    test(`a term of ${length} is found in the body`, async () => {
      await make({ headline: `With ${length}`, body_md: `mm${q}mm` })
      assert.deepEqual(await titles(q), [`With ${length}`])
    })
  }

  test('orders by match site, headline before standfirst before body, then by recency', async () => {
    await make({ headline: 'b-new', body_md: 'orderly', publishedAt: day(9) })
    await make({ headline: 's-new', sub: 'orderly', publishedAt: day(8) })
    await make({ headline: 'orderly h-old', publishedAt: day(1) })
    await make({ headline: 'orderly h-new', publishedAt: day(5) })
    await make({ headline: 's-old', sub: 'orderly', body_md: 'orderly', publishedAt: day(2) })
    await make({ headline: 'b-old', body_md: 'orderly', publishedAt: day(3) })
    const inOrder = ['orderly h-new', 'orderly h-old', 's-new', 's-old', 'b-new', 'b-old']
    assert.deepEqual(await titles('orderly'), inOrder)
    for (let limit = 1; limit <= 6; limit += 1) {
      assert.deepEqual(await titles('orderly', `&limit=${limit}`), inOrder.slice(0, limit))
    }
  })

  test('a category narrows it and is named in the answer', async () => {
    await make({ headline: 'Narrow life', category: 'life' })
    await make({ headline: 'Narrow money', category: 'money' })
    assert.equal((await search('narrow', '&category=money')).category, 'money')
    assert.deepEqual(await titles('narrow', '&category=money'), ['Narrow money'])
    assert.deepEqual(await titles('narrow', '&category=civic'), [])
    assert.deepEqual((await titles('narrow')).sort(), ['Narrow life', 'Narrow money'])
  })

  test('3 drafts and unpublished pieces are never found', async () => {
    await makeDraft(admin, writer, { headline: 'Unseen', sub: 'unseen', body_md: 'unseen' })
    await unpublish(admin, writer, await make({ headline: 'Unseen too', body_md: 'unseen' }))
    assert.deepEqual(await titles('unseen'), [])
  })

  test('tags, category, kind and the name of the author are not searched', async () => {
    await make({ headline: 'Tagged', tags: ['onlytag'], style: 'onlystyle' })
    for (const q of ['onlytag', 'onlystyle']) assert.deepEqual(await titles(q), [], q)
  })

  test('markup is not searched, the words in it are', async () => {
    await make({ headline: 'Marked', body_md: 'mar**ked**up and [linkword](https://hidden-address.test/)' })
    assert.deepEqual(await titles('markedup'), ['Marked'])
    assert.deepEqual(await titles('linkword'), ['Marked'])
    assert.deepEqual(await titles('hidden-address'), [])
  })

  for (const [sign, headline] of [
    ['%', '97% sure'],
    ['_', 'case of snake_case'],
    ['\\', 'C:\\temp'],
    ["'", "o'clock"],
    ['(a+)+$', 'the pattern (a+)+$'],
  ] as const) {
    test(`${sign} in q is itself and no pattern`, async () => {
      await make({ headline })
      assert.deepEqual(await titles(sign), [headline])
      assert.deepEqual(await titles(`k${sign}e`), [])
    })
  }
})
