import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { testSite } from '../../testkit/app.ts'
import { inTransaction, makeDraft, makePiece, makeWriter, publish, unpublish } from '../../testkit/factories.ts'
import { fieldsOf, listedFields } from './fields.ts'

/** Sections 2 (Piece, PieceListItem), 3 (what is public), 4.2 (one piece, recent pieces) and 7 of the specification. */

const { admin, ask } = await testSite()

interface Piece {
  readonly id: string
  readonly url: string
  readonly title: string
  readonly summary: string
  readonly content_html: string
  readonly content_text: string
  readonly date_published: string
  readonly date_modified: string
  readonly kind: string
  readonly external_url?: string
}
interface List {
  readonly ok: boolean
  readonly category: string | null
  readonly count: number
  readonly items: readonly { readonly id: string; readonly title: string }[]
}
const pathOf = (id: string) => `/api/public/pieces/${id}`
const piece = async (id: string) => (await ask(pathOf(id))).json<{ piece: Piece }>().piece
const recent = async (query = '') => (await ask(`/api/public/pieces/recent${query}`)).json<List>()
const titles = async (query = '') => (await recent(query)).items.map(({ title }) => title)

const ada = await makeWriter(admin, {
  slug: 'ada',
  name: 'Ada Okafor',
  avatarUrl: 'https://images.test/ada.png',
  verified: true,
})
const bo = await makeWriter(admin, { slug: 'bo', name: 'Bo' })
const march = new Date('2026-03-01T10:00:00Z')
const fullId = await makePiece(admin, ada, {
  headline: 'On slow tea',
  sub: 'What four minutes teach.',
  body_md: '# Water\n\nWe *waited*, see [there](https://tea.test/).',
  category: 'culture',
  tags: ['tea', 'Time'],
  style: 'interview',
  publishedAt: march,
})
const bareId = await makePiece(admin, bo, { headline: 'Bare', publishedAt: new Date('2026-01-01T10:00:00Z') })

/** A piece of Bo's that is public only during `look`. */
async function meanwhile(given: Parameters<typeof makePiece>[2], look: (id: string) => Promise<void>): Promise<void> {
  const id = await makePiece(admin, bo, given)
  try {
    await look(id)
  } finally {
    await unpublish(admin, bo, id)
  }
}

describe('2 Piece', () => {
  fieldsOf(
    'Piece',
    {
      ...listedFields,
      content_html: 'string or null',
      content_text: 'string',
      date_modified: 'date-time',
      kind: 'string',
      'authors.0.avatar': 'URI or null',
    },
    async () => ({ full: await piece(fullId), bare: await piece(bareId) }),
    ['category', 'content_html'],
  )

  test('it is the piece that was published, by its author', async () => {
    assert.deepEqual(await piece(fullId), {
      id: `https://site.test/p/${fullId}`,
      url: 'https://site.test/author/ada/on-slow-tea',
      title: 'On slow tea',
      summary: 'What four minutes teach.',
      language: 'en',
      content_html: (await piece(fullId)).content_html,
      content_text: 'Water\n\nWe waited, see there.',
      date_published: march.toISOString(),
      date_modified: march.toISOString(),
      tags: ['tea', 'Time'],
      category: 'culture',
      kind: 'interview',
      authors: [
        {
          name: 'Ada Okafor',
          slug: 'ada',
          url: 'https://site.test/author/ada',
          avatar: 'https://images.test/ada.png',
          identity_verified: true,
        },
      ],
    })
  })

  test('content_html is the Markdown as HTML', async () => {
    const { content_html } = await piece(fullId)
    assert.match(content_html, /<h1 id="s-water">Water<\/h1>/)
    assert.match(content_html, /<em>waited<\/em>/)
    assert.match(content_html, /<a href="https:\/\/tea\.test\/"/)
  })

  test('content_html never runs anything of a writer', async () => {
    const body_md =
      '<script>alert(1)</script> <img src=x onerror=alert(1)> [x](javascript:alert(1)) ![y](data:text/html,1)'
    await meanwhile({ body_md }, async (id) => {
      assert.deepEqual((await piece(id)).content_html.match(/<[^>]*>/g), ['<p>', '</p>'])
    })
  })

  test('kind is the style of the piece, essay unless another was given', async () => {
    assert.equal((await piece(bareId)).kind, 'essay')
  })

  test('without a standfirst the summary is the beginning of the text, to the end of a word', async () => {
    await meanwhile({ body_md: 'perpendicular '.repeat(50) }, async (id) => {
      const { summary } = await piece(id)
      assert.match(summary, /^(perpendicular )*perpendicular…$/)
      assert.ok(summary.length > 150 && summary.length <= 201, `${summary.length} characters`)
    })
  })

  test('external_url is there when it was set, and only then', async () => {
    await meanwhile({ externalUrl: 'https://elsewhere.test/first' }, async (id) => {
      assert.equal((await piece(id)).external_url, 'https://elsewhere.test/first')
    })
    assert.ok(!('external_url' in (await piece(bareId))))
  })

  test('two pieces of one headline have two addresses', async () => {
    await meanwhile({ headline: 'Twin' }, (one) =>
      meanwhile({ headline: 'Twin' }, async (two) => {
        assert.notEqual((await piece(one)).url, (await piece(two)).url)
      }),
    )
  })
})

describe('2 PieceListItem', () => {
  fieldsOf(
    'PieceListItem',
    listedFields,
    async () => {
      const { items } = await recent()
      return { full: itemOf(items, fullId), bare: itemOf(items, bareId) }
    },
    ['category'],
  )
  const itemOf = (items: List['items'], id: string) => items.find((item) => item.id.endsWith(id))!

  test('it says of a piece what the piece says of itself', async () => {
    const whole: Record<string, unknown> = { ...(await piece(fullId)) }
    for (const [field, value] of Object.entries(itemOf((await recent()).items, fullId))) {
      if (field !== 'authors') assert.deepEqual(value, whole[field], field)
    }
  })
})

describe('4.2 GET /api/public/pieces/{id}', () => {
  test('200 is {ok: true, piece}', async () => {
    const answer = await ask(pathOf(fullId))
    assert.equal(answer.statusCode, 200)
    assert.deepEqual(Object.keys(answer.json()), ['ok', 'piece'])
    assert.equal(answer.json().ok, true)
  })

  test('the UUID is read in either letter case', async () => {
    assert.equal((await ask(pathOf(fullId.toUpperCase()))).body, (await ask(pathOf(fullId))).body)
  })

  test('7 404 with the error body for a piece that does not exist', async () => {
    const answer = await ask(pathOf(randomUUID()))
    assert.equal(answer.statusCode, 404)
    assert.deepEqual([answer.json().ok, answer.json().reason], [false, 'not_found'])
  })

  for (const status of ['draft', 'pending', 'rejected', 'changes_requested']) {
    test(`7 404 while the editor_status is ${status}`, async () => {
      const id = await makeDraft(admin, bo)
      await inTransaction(admin, async (client) => {
        await client.query('set local role svc_publisher')
        await client.query('update app.pieces set editor_status = $2 where id = $1', [id, status])
      })
      assert.equal((await ask(pathOf(id))).statusCode, 404)
    })
  }

  test('3 a draft is readable once its writer has published it, and no longer once unpublished', async () => {
    const id = await makeDraft(admin, bo, { headline: 'To and fro' })
    const statuses = [(await ask(pathOf(id))).statusCode]
    await publish(admin, bo, id)
    statuses.push((await ask(pathOf(id))).statusCode)
    await unpublish(admin, bo, id)
    statuses.push((await ask(pathOf(id))).statusCode)
    assert.deepEqual(statuses, [404, 200, 404])
  })

  test('3 a piece published again keeps its address and its date_published', async () => {
    await meanwhile({ headline: 'Again' }, async (id) => {
      const first = await piece(id)
      await unpublish(admin, bo, id)
      await publish(admin, bo, id)
      const second = await piece(id)
      assert.equal(second.url, first.url)
      assert.equal(second.date_published, first.date_published)
    })
  })
})

describe('4.2 GET /api/public/pieces/recent', () => {
  test('200 is {ok: true, category, count, items}', async () => {
    const { ok, category, count, items } = await recent()
    assert.deepEqual({ ok, category, count }, { ok: true, category: null, count: items.length })
  })

  test('the newest come first, across all authors', async () => {
    await meanwhile({ headline: 'Between', publishedAt: new Date('2026-02-01T10:00:00Z') }, async () => {
      assert.deepEqual(await titles(), ['On slow tea', 'Between', 'Bare'])
    })
  })

  test('a category shows its own pieces and is named in the answer', async () => {
    assert.equal((await recent('?category=culture')).category, 'culture')
    assert.deepEqual(await titles('?category=culture'), ['On slow tea'])
    assert.deepEqual(await titles('?category=building'), ['Bare'])
  })

  test('a category without pieces is an empty list', async () => {
    const { ok, category, count, items } = await recent('?category=money')
    assert.deepEqual({ ok, category, count, items }, { ok: true, category: 'money', count: 0, items: [] })
  })

  test('3 a draft is not among them, nor a piece that was unpublished', async () => {
    await makeDraft(admin, ada, { headline: 'Only a draft' })
    await unpublish(admin, ada, await makePiece(admin, ada, { headline: 'Taken back' }))
    assert.deepEqual(await titles(), ['On slow tea', 'Bare'])
  })

  for (const category of ['building', 'leading', 'culture', 'money', 'life', 'civic', 'ideas', 'society']) {
    test(`takes the category ${category}`, async () => {
      await meanwhile({ headline: `About ${category}`, category }, async () => {
        assert.equal((await titles(`?category=${category}`))[0], `About ${category}`)
      })
    })
  }
})
