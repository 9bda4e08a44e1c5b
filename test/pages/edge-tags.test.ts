import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withholdProduct } from '../../server/features/products/publish.ts'
import { testSite } from '../../testkit/app.ts'
import { deskOf, makeModerator } from '../../testkit/desk.ts'
import { type Crawl, crawl } from '../../testkit/edge-crawl.ts'
import { inTransaction, makePiece, makeWriter } from '../../testkit/factories.ts'
import { deleteNow } from '../../testkit/jobs.ts'
import { mediaFolder, photograph, uploaderOf } from '../../testkit/media.ts'

/**
 * Every act purges what it changes: each cacheable response that differs after the act must have carried a tag that the
 * act purged.
 */

const { url, admin, app } = await testSite({ MEDIA_URL: mediaFolder().url })
const moderators = deskOf(app, await makeModerator(admin))

const ada = await makeWriter(admin, { slug: 'ada', name: 'Ada Okafor', bio: 'A writer of tea.', role: 'Writer' })
const bo = await makeWriter(admin, { slug: 'bo', name: 'Bo', bio: 'Another writer.' })
const hers = deskOf(app, ada)
const pictures = uploaderOf(app, ada)

const day = (number: number) => new Date(Date.UTC(2026, 0, number))
const first = await makePiece(admin, ada, { headline: 'On tea', body_md: 'Tea.', tags: ['Tea'], publishedAt: day(1) })
await makePiece(admin, ada, { headline: 'On more tea', body_md: 'Tea too.', publishedAt: day(2) })
const others = await makePiece(admin, bo, {
  headline: 'Not tea',
  body_md: 'Of tea, no word.',
  tags: ['tea', 'No tea'],
  publishedAt: day(3),
})
const picture = await pictures.upload(await photograph(1))
const shown = await hers.begin({ headline: 'Tea, seen', body_md: `![A cup](/media/${picture})` })
const draft = await hers.begin({ headline: 'A new tea', body_md: 'Tea of today.', tags: ['TEA'] })
assert.equal((await hers.act('publish', shown)).statusCode, 200)
const offered = await pictures.upload(await photograph(2))
const listing = { name: 'A notebook', payment_url: 'https://pay.example/notebook', related: [first], image: offered }
const begun = async (given: object) =>
  (await hers.ask('POST', 'products', given)).json().product?.id ?? assert.fail('no listing')
const product = await begun(listing)
const another = await begun({ ...listing, name: 'Another notebook' })
assert.equal((await hers.ask('POST', `products/${another}/publish`, { revision: 1 })).statusCode, 200)

async function leave(who: typeof ada, name: string): Promise<boolean> {
  const asked = await deskOf(app, who).ask('DELETE', 'account', { name })
  assert.equal(asked.statusCode, 202, asked.body)
  await deleteNow(admin, url, who.accountId)
  return true
}

async function purged(): Promise<string[]> {
  const { rows } = await admin.query<{ data: { tags: string[] } }>(
    "select data from jobs.job where name = 'cache.purge'",
  )
  return rows.flatMap(({ data }) => data.tags)
}

/** "More from …" or "Read next" at the end of a piece may show new pieces half a minute late, but never removed ones. */
const withoutReadOn = (content: string): string =>
  content.replace(/<h2 class="label" id="further">(?:More from|Read next)[\s\S]*?<\/ol>/, '')

interface Difference {
  readonly address: string
  readonly tags: readonly string[]
}

function differences(before: Crawl, after: Crawl, seen = (content: string) => content): Difference[] {
  return [...before].flatMap(([address, was]) => {
    const is = after.get(address)
    return is && seen(is.content) === seen(was.content) ? [] : [{ address, tags: was.tags }]
  })
}

await admin.query('select app.count_topics()')
let before = await crawl(app)

test('nothing differs that nobody changed', async () => {
  const again = await crawl(app, before.keys())
  assert.deepEqual(differences(before, again), [])
  assert.ok(again.size > 100, `${again.size} answers`)
})

interface Act {
  readonly name: string
  readonly act: () => Promise<{ statusCode: number; body: string } | boolean>
  /** Pages that may show a new piece later. */
  readonly brings?: true
  /** Responses the act must not purge. */
  readonly spares?: readonly RegExp[]
  /** Responses that must have changed, to prove that the crawl covers them. */
  readonly changes: readonly RegExp[]
}

/** Two public pieces and, between them, a draft. */
const series = '0f7c2f5e-8c0d-4c53-9a3b-2f1f5d9f6a10'
const saveSeries = (title: string, pieces: readonly string[], revision: number | null) =>
  hers.ask('PUT', `series/${series}`, { title, description: 'All of it.', pieces, revision })

const revisionOf = async (id: string) => (await hers.ask('GET', `products/${id}`)).json().product.revision

const acts: readonly Act[] = [
  {
    name: 'pin a piece on the front page',
    act: async () => {
      const { version } = (await moderators.ask('GET', 'front-page')).json()
      const ends_at = new Date(Date.now() + 86_400_000).toISOString()
      return moderators.ask('PUT', 'front-page', { version, pins: [{ id: first, ends_at }], note: null })
    },
    spares: [/^\/feed\.json/, /^\/author\//, /^\/api\//],
    changes: [/^\/ /],
  },
  {
    name: 'publish',
    act: () => hers.act('publish', draft),
    brings: true,
    spares: [new RegExp(`^/api/public/pieces/${first}`), /^\/author\/ada\/on-tea /, /^\/media\//, /badge\.svg/],
    changes: [
      /^\/feed\.json/,
      /^\/author\/ada /,
      /^\/api\/public\/authors\/ada/,
      /^\/ /,
      /^\/image\/author\/ada/,
      /^\/topic\/tea text\/html/,
      /^\/topic\/tea\/feed\.json/,
      /^\/topic\/tea\.md/,
      /^\/writers/,
      /^\/archive /,
    ],
  },
  {
    name: 'update',
    act: async () => {
      const { revision } = (await hers.ask('GET', `pieces/${first}`)).json().piece
      await hers.ask('PATCH', `pieces/${first}`, { headline: 'On tea, again' }, { 'if-match': `"${revision}"` })
      return hers.act('update', first)
    },
    changes: [
      new RegExp(`^/api/public/pieces/${first}`),
      /^\/shop\/another-notebook /,
      /receipt/,
      /^\/oembed/,
      /card\?piece/,
    ],
  },
  {
    name: 'make a series',
    act: async () => saveSeries('Slow tea', [first, draft], null),
    changes: [
      new RegExp(`^/api/public/pieces/${first}`),
      /^\/author\/ada\/on-tea text\/html/,
      /^\/author\/ada\/on-tea text\/markdown/,
      /^\/author\/ada /,
      /^\/llms\.txt/,
    ],
  },
  {
    name: 'rename a series and put it in another order',
    act: async () => saveSeries('Slower tea', [draft, shown, first], 1),
    changes: [
      /^\/author\/ada\/series\/slow-tea text\/html/,
      /^\/author\/ada\/series\/slow-tea\.md/,
      /^\/author\/ada\/series\/slow-tea\/feed\.json/,
      new RegExp(`^/api/public/pieces/${first}`),
      new RegExp(`^/api/public/pieces/${shown}`),
    ],
  },
  {
    name: 'list a product',
    act: async () => hers.ask('POST', `products/${product}/publish`, { revision: await revisionOf(product) }),
    changes: [/^\/shop /, /^\/author\/ada /, /^\/llms-products/],
  },
  {
    name: 'update a product',
    act: async () => {
      const changes = { summary: 'With lines.', image: null }
      await hers.ask('PATCH', `products/${product}`, changes, { 'if-match': '*' })
      return hers.ask('POST', `products/${product}/update`, { revision: await revisionOf(product) })
    },
    changes: [/^\/shop /, /^\/shop\/a-notebook/, /^\/api\/public\/products\/search/],
  },
  {
    name: 'put products in another order',
    act: async () => hers.ask('PUT', 'products/order', { ids: [another, product] }),
    changes: [/^\/author\/ada /],
  },
  {
    name: 'withhold a product',
    act: () =>
      inTransaction(admin, async (client) => {
        await client.query('set local role svc_owner')
        return withholdProduct(client, 'another-notebook', 'It has no pages.')
      }),
    changes: [/^\/shop\/another-notebook/, new RegExp(`^/media/${offered}`)],
  },
  {
    name: 'withdraw a product',
    act: () => hers.ask('POST', `products/${product}/withdraw`),
    changes: [/^\/shop\/a-notebook/, /^\/shop /],
  },
  {
    name: 'unpublish',
    act: () => hers.act('unpublish', shown),
    changes: [
      new RegExp(`^/api/public/pieces/${shown}`),
      new RegExp(`^/media/${picture}`),
      /^\/author\/ada\/on-tea text\/html/,
      // It is part 2 of 2 now.
      new RegExp(`^/api/public/pieces/${first}`),
      /^\/author\/ada\/series\/slow-tea text\/html/,
    ],
  },
  {
    name: 'take down',
    act: () => moderators.act('take_down', others),
    changes: [
      new RegExp(`^/api/public/pieces/${others}`),
      /^\/feed\.xml/,
      /^\/author\/ada\/on-tea text\/html/,
      /^\/topics /,
      /^\/topic\/no-tea /,
      /^\/topic\/tea /,
      /^\/archive\/2026\/01 /,
    ],
  },
  {
    name: 'set a portrait',
    act: async () => pictures.send('PUT', 'profile/avatar', await photograph(3)),
    changes: [new RegExp(`^/api/public/pieces/${first}`), /^\/feed\.json/, /^\/api\/public\/authors\/ada/],
  },
  {
    name: 'take the portrait away',
    act: () => hers.ask('DELETE', 'profile/avatar'),
    changes: [/^\/media\//, /^\/feed\.json/],
  },
  {
    name: 'change a profile',
    act: () => hers.ask('PATCH', 'profile', { name: 'Ada O.', bio: 'A writer, still.', role: 'Essayist' }),
    changes: [
      /badge\.svg/,
      /^\/author\/ada\/on-tea text\/markdown/,
      /^\/feed\.xml/,
      /^\/search\?q=ada/,
      /^\/image\/piece/,
    ],
  },
  {
    name: 'verify an identity',
    act: () => moderators.ask('PUT', 'review/writers/ada/identity', { verified: true, note: 'Seen.', name: 'Ada O.' }),
    changes: [/badge\.svg/, /^\/trust/, new RegExp(`^/api/public/pieces/${first}`)],
  },
  {
    name: 'suspend a writer',
    act: () => moderators.ask('POST', 'review/writers/ada/suspend', { reason: 'Spam.' }),
    changes: [/badge\.svg/, /^\/trust/, /^\/author\/ada/, /^\/ /, new RegExp(`^/api/public/pieces/${first}`)],
  },
  {
    name: 'restore a writer',
    act: () => moderators.ask('POST', 'review/writers/ada/restore', { reason: 'A mistake.' }),
    brings: true,
    changes: [/^\/trust/, /^\/feed\.json/, /^\/ /, /^\/api\/public\/authors\/search/],
  },
  {
    name: 'move to another address',
    act: () => hers.ask('PUT', 'profile/slug', { slug: 'ada-o' }),
    changes: [/^\/author\/ada /, /receipt/, /^\/author\/ada\/on-tea/, /^\/feed\.json/],
  },
  {
    name: 'delete a series',
    act: () => hers.ask('DELETE', `series/${series}`),
    changes: [new RegExp(`^/api/public/pieces/${first}`), /^\/author\/ada-o\/series\/slow-tea/, /^\/author\/ada-o /],
  },
  {
    name: 'leave',
    act: () => leave(bo, 'Bo'),
    changes: [/^\/author\/bo/, /^\/api\/public\/authors\/bo/],
  },
  {
    name: 'leave with everything',
    act: () => leave(ada, 'Ada O.'),
    changes: [/^\/author\/ada-o/, new RegExp(`^/api/public/pieces/${first}`), /^\/sitemap-/],
  },
]

for (const { name, act, brings, spares = [], changes } of acts) {
  test(`${name}: every answer that it changes carried a tag that it purges`, async () => {
    await admin.query("delete from jobs.job where name = 'cache.purge'")
    const answer = await act()
    if (typeof answer === 'boolean') assert.ok(answer)
    else assert.ok(answer.statusCode < 300, answer.body)
    const tags = new Set(await purged())
    const after = await crawl(app, before.keys())
    const changed = differences(before, after)
    for (const change of changes)
      assert.ok(
        changed.some(({ address }) => change.test(address)),
        `${change} did not change`,
      )
    const stale = differences(before, after, brings ? withoutReadOn : undefined).filter(
      (one) => !one.tags.some((tag) => tags.has(tag)),
    )
    assert.deepEqual(stale, [])
    const lost = [...before].filter(([, kept]) => kept.tags.some((tag) => tags.has(tag))).map(([address]) => address)
    for (const spared of spares) assert.ok(!lost.some((address) => spared.test(address)), `${spared} is purged too`)
    before = after
  })
}
