import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { publishProfile, renameWriter } from '../../server/features/authors/writers.ts'
import { testSite } from '../../testkit/app.ts'
import { inTransaction, makePiece, makeWriter, unpublish } from '../../testkit/factories.ts'
import { fieldsOf, type Samples } from './fields.ts'

/** Sections 2 (Author, AuthorHit), 4.1 and 7 of the specification. */

const { admin, ask } = await testSite()

interface Author {
  readonly slug: string
  readonly name: string
  readonly stats: { readonly pieces_count: number; readonly last_published_at: string | null }
  readonly urls: Readonly<Record<string, string>>
}
interface Hits {
  readonly ok: boolean
  readonly query: string
  readonly count: number
  readonly results: readonly { readonly slug: string; readonly bio_snippet: string | null }[]
}
const authorOf = async (slug: string) => (await ask(`/api/public/authors/${slug}`)).json<{ author: Author }>().author
const search = async (q: string, more = '') =>
  (await ask(`/api/public/authors/search?q=${encodeURIComponent(q)}${more}`)).json<Hits>()
const found = async (q: string) => (await search(q)).results.map(({ slug }) => slug)

const full = await makeWriter(admin, {
  slug: 'ada-okafor',
  name: 'Ada Okafor',
  bio: 'Grows gardens on roofs, and writes about the neighbours who come up to see them.',
  role: 'Roof gardener',
  niche: 'urban horticulture',
  location: 'Lagos',
  avatarUrl: 'https://images.test/ada.png',
  website: 'https://ada.test/',
  socials: Object.fromEntries(
    ['x', 'linkedin', 'facebook', 'youtube', 'instagram', 'newsletter'].map((key) => [key, `https://${key}.test/ada`]),
  ),
  verified: true,
  websiteVerified: true,
})
await makePiece(admin, full, { publishedAt: new Date('2026-03-01T10:00:00Z') })
await makePiece(admin, full, { publishedAt: new Date('2026-02-01T10:00:00Z') })
const bare = await makeWriter(admin, { slug: 'bo', name: 'Bo Barely' })

describe('2 Author', () => {
  const samples = async (): Promise<Samples> => ({ full: await authorOf(full.slug), bare: await authorOf(bare.slug) })
  fieldsOf(
    'Author',
    {
      slug: 'string',
      name: 'string',
      bio: 'string or null',
      role: 'string or null',
      niche: 'string or null',
      location: 'string or null',
      avatar_url: 'URI or null',
      website: 'URI or null',
      identity_verified: 'boolean',
      website_verified: 'boolean',
      socials: 'object',
      'socials.x': 'URI or null',
      'socials.linkedin': 'URI or null',
      'socials.facebook': 'URI or null',
      'socials.youtube': 'URI or null',
      'socials.instagram': 'URI or null',
      'socials.newsletter': 'URI or null',
      stats: 'object',
      'stats.pieces_count': 'integer',
      'stats.last_published_at': 'date-time or null',
      urls: 'object',
      'urls.profile': 'URI',
      'urls.badge_svg': 'URI',
      'urls.feed_json': 'URI',
      'urls.feed_rss': 'URI',
      joined_at: 'date-time or null',
    },
    samples,
    ['joined_at'],
  )

  test('what was written in the profile is what is read', async () => {
    const { author } = (await ask('/api/public/authors/ada-okafor')).json<{ author: Record<string, unknown> }>()
    assert.equal(author['slug'], 'ada-okafor')
    assert.equal(author['name'], 'Ada Okafor')
    assert.equal(author['location'], 'Lagos')
    assert.equal(author['website'], 'https://ada.test/')
    assert.equal(author['identity_verified'], true)
    assert.equal(author['website_verified'], true)
  })

  test('the addresses are those of the site, under /author and /embed', async () => {
    assert.deepEqual((await authorOf('bo')).urls, {
      profile: 'https://site.test/author/bo',
      badge_svg: 'https://site.test/embed/bo/badge.svg',
      feed_json: 'https://site.test/author/bo/feed.json',
      feed_rss: 'https://site.test/author/bo/feed.xml',
    })
  })

  test('stats count public pieces only, and tell of the newest', async () => {
    assert.deepEqual((await authorOf('ada-okafor')).stats, {
      pieces_count: 2,
      last_published_at: '2026-03-01T10:00:00.000Z',
    })
  })

  test('stats follow a piece that is unpublished', async () => {
    const writer = await makeWriter(admin)
    const piece = await makePiece(admin, writer)
    assert.equal((await authorOf(writer.slug)).stats.pieces_count, 1)
    await unpublish(admin, writer, piece)
    assert.deepEqual((await authorOf(writer.slug)).stats, { pieces_count: 0, last_published_at: null })
  })
})

describe('2 AuthorHit', () => {
  fieldsOf(
    'AuthorHit',
    {
      slug: 'string',
      name: 'string',
      role: 'string or null',
      niche: 'string or null',
      bio_snippet: 'string or null',
      avatar_url: 'URI or null',
      identity_verified: 'boolean',
      pieces_count: 'integer',
      urls: 'object',
      'urls.profile': 'URI',
      'urls.badge_svg': 'URI',
      'urls.feed_json': 'URI',
    },
    async () => ({
      full: (await search('Ada Okafor')).results[0]!,
      bare: (await search('Bo Barely')).results[0]!,
    }),
  )

  test('a long bio is cut to a snippet that ends with a whole word', async () => {
    const bio = 'perpendicular '.repeat(100).trim()
    await makeWriter(admin, { slug: 'long-bio', name: 'Lengthy Person', bio })
    const [hit] = (await search('Lengthy Person')).results
    assert.ok(hit!.bio_snippet!.length < 300)
    assert.match(hit!.bio_snippet!, /^(perpendicular )*perpendicular…$/)
  })
})

describe('4.1 GET /api/public/authors/{slug}', () => {
  test('200 is {ok: true, author}', async () => {
    const answer = await ask('/api/public/authors/ada-okafor')
    assert.equal(answer.statusCode, 200)
    assert.deepEqual(Object.keys(answer.json()), ['ok', 'author'])
    assert.equal(answer.json().ok, true)
  })

  for (const [what, slug] of [
    ['nobody has', 'nobody'],
    ['differs in letter case', 'Ada-Okafor'],
    ['is only a part of one', 'ada'],
    ['holds a wildcard of SQL', 'ada%25'],
    ['is longer than any can be', 'a'.repeat(101)],
  ] as const) {
    test(`7 404 with the error body for a slug that ${what}`, async () => {
      const answer = await ask(`/api/public/authors/${slug}`)
      assert.equal(answer.statusCode, 404)
      assert.equal(answer.json().ok, false)
      assert.equal(answer.json().reason, 'not_found')
    })
  }

  test('7 404 for a writer whose profile is not public', async () => {
    const { slug } = await makeWriter(admin, { shown: false })
    assert.equal((await ask(`/api/public/authors/${slug}`)).statusCode, 404)
  })

  test("a renamed author's former slug answers the current author", async () => {
    const { id } = await makeWriter(admin, { slug: 'old-name', name: 'Nia Newly' })
    await inTransaction(admin, async (client) => {
      await client.query('set local role svc_owner')
      await renameWriter(client, 'old-name', 'new-name')
      await client.query('reset role')
      await publishProfile(client, id)
    })
    const [former, current] = [await ask('/api/public/authors/old-name'), await ask('/api/public/authors/new-name')]
    assert.equal(former.statusCode, 200)
    assert.equal(former.json().author.slug, 'new-name')
    assert.equal(former.body, current.body)
    assert.equal(former.headers['surrogate-key'], current.headers['surrogate-key'])
  })
})

describe('4.1 GET /api/public/authors/search', () => {
  test('4.1 names are found in any script and case, with or without their accents', async () => {
    for (const [slug, name, ...terms] of [
      ['s-angstrom', 'Ångström Ek', 'ångström', 'ANGSTROM', 'Ångström Ek'],
      ['s-eluard', 'Élise Quéméner', 'élise q', 'Elise Quem'],
      ['s-strasse', 'Jo Straßer', 'STRAßER', 'strasser'],
      ['s-nunez', 'Núñez Ibáñez', 'NÚÑEZ', 'nunez ib'],
      ['s-zhanna', 'Жанна Ёлкина', 'ЖАННА', 'ёлк'],
      ['s-aoi', 'あおい', 'おい'],
      ['s-umar', 'عمر خالد', 'خالد'],
    ] as const) {
      await makeWriter(admin, { slug, name })
      for (const term of terms) assert.deepEqual(await found(term), [slug], term)
    }
    assert.deepEqual(await found('ñandú'), [])
  })

  test('200 is {ok: true, query, count, results}', async () => {
    const hits = await search('okafor')
    assert.equal(hits.ok, true)
    assert.equal(hits.query, 'okafor')
    assert.equal(hits.count, 1)
    assert.equal(hits.results.length, 1)
  })

  test('ok and results are there when nothing is found', async () => {
    const { ok, count, results } = await search('nothing like this')
    assert.deepEqual({ ok, count, results }, { ok: true, count: 0, results: [] })
  })

  test('q is required', async () => {
    const answer = await ask('/api/public/authors/search')
    assert.equal(answer.statusCode, 400)
    assert.deepEqual(answer.json().errors.map(pointerAndCode), [['/q', 'missing']])
  })

  for (const [where, q] of [
    ['display_name', 'kafo'],
    ['niche', 'hortic'],
    ['role', 'oof gard'],
    ['bio', 'neighbours who'],
  ] as const) {
    test(`finds a substring of the ${where}`, async () => {
      assert.deepEqual(await found(q), ['ada-okafor'])
    })
  }

  test('finds it in any letter case', async () => {
    assert.deepEqual(await found('OKAFOR'), ['ada-okafor'])
  })

  test('does not look into location, slug or addresses', async () => {
    assert.deepEqual(await found('Lagos'), [])
    assert.deepEqual(await found('ada-okafor'), [])
    assert.deepEqual(await found('images.test'), [])
  })

  test('finds nothing that runs from one field into the next', async () => {
    assert.deepEqual(await found('Okafor urban'), [])
    assert.deepEqual(await found('horticultureRoof'), [])
  })

  test('does not find a writer whose profile is not public', async () => {
    await makeWriter(admin, { name: 'Hidden Hand', shown: false })
    assert.deepEqual(await found('Hidden Hand'), [])
  })

  test('verified writers come first; ties are broken by piece count', async () => {
    const made = [
      ['rank-a', false, 3],
      ['rank-b', true, 0],
      ['rank-c', false, 1],
      ['rank-d', true, 2],
      ['rank-e', false, 0],
    ] as const
    for (const [slug, verified, pieces] of made) {
      const writer = await makeWriter(admin, { slug, verified, niche: 'ranking' })
      for (let piece = 0; piece < pieces; piece += 1) await makePiece(admin, writer)
    }
    assert.deepEqual(await found('ranking'), ['rank-d', 'rank-b', 'rank-a', 'rank-c', 'rank-e'])
    assert.deepEqual(
      (await search('ranking', '&limit=2')).results.map(({ slug }) => slug),
      ['rank-d', 'rank-b'],
    )
  })

  for (const [sign, name] of [
    ['%', '100% Cotton'],
    ['_', 'snake_case'],
    ['\\', 'back\\slash'],
  ] as const) {
    test(`${sign} in q is itself and no wildcard`, async () => {
      const { slug } = await makeWriter(admin, { name })
      assert.deepEqual(await found(sign), [slug])
      assert.deepEqual(await found(name), [slug])
      assert.deepEqual(await found(`A${sign}a`), [])
    })
  }
})

const pointerAndCode = ({ pointer, code }: { pointer: string; code: string }) => [pointer, code]
