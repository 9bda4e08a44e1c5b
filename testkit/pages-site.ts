import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { servedSite } from './app.ts'
import { asDesk, inTransaction, type MadeWriter, makePiece, makeProduct, makeWriter, publish } from './factories.ts'

/** A small site that has one of everything a page can show. */
export interface PagesSite {
  readonly ada: MadeWriter
  readonly noor: MadeWriter
  readonly rich: { readonly id: string; readonly path: string }
  readonly arabic: { readonly id: string; readonly path: string }
  readonly elsewhere: { readonly id: string; readonly path: string }
}

export async function makePagesSite(admin: pg.Pool): Promise<PagesSite> {
  const ada = await makeWriter(admin, {
    slug: 'ada-okafor',
    name: 'Ada Okafor',
    role: 'Writer and gardener',
    location: 'Lagos',
    niche: 'tea, gardens, slow work',
    bio: 'Ada Okafor writes about tea, gardens and the patience both of them ask for. She lives in Lagos with two dogs and far too many kettles.',
    website: 'https://ada.example/',
    socials: { x: 'https://x.com/ada', newsletter: 'https://ada.example/letters' },
    verified: true,
    websiteVerified: true,
  })
  const noor = await makeWriter(admin, { slug: 'noor', name: 'نور الهاشمي', role: 'كاتبة', location: 'عمّان' })

  const rich = await makePiece(admin, ada, {
    headline: 'On tea, and the four minutes nobody wants to wait',
    sub: 'A kettle taught me more about patience than ten years of meetings did. This is what it said.',
    body_md: richBody,
    category: 'culture',
    tags: ['tea', 'patience'],
    publishedAt: new Date('2026-03-14T09:26:53.000Z'),
  })
  const elsewhere = await makePiece(admin, ada, {
    headline:
      'What I learned from a year of answering every letter on the day it came, including the ones that were not written to me at all and the one that never should have been sent',
    body_md: 'First it was a game. Then it was a rule.\n\nThen it was a life.',
    category: 'life',
    externalUrl: 'https://letters.example/2025/every-letter?a=1&b=2',
    publishedAt: new Date('2025-11-02T08:00:00.000Z'),
  })
  for (let index = 0; index < 5; index++) {
    await makePiece(admin, ada, {
      headline: `Notes from the garden, number ${index + 1}`,
      sub: index % 2 === 0 ? 'Rain, mostly, and what grew of it.' : 'What the slugs left.',
      body_md: 'It rained.\n\nThen it did not.',
      category: 'life',
      publishedAt: new Date(Date.UTC(2024 + Math.floor(index / 2), index, 3)),
    })
  }
  const arabic = await makePieceInLocale(admin, noor, 'ar', {
    headline: 'في مديح البطء: أربع دقائق مع إبريق الشاي',
    sub: 'تعلّمت من الإبريق صبراً لم تعلّمني إياه الاجتماعات.',
    body_md:
      'لا يحب أحد الانتظار، لكن الشاي لا يسأل أحداً. في كتاب Tea & Time يقول المؤلف إن أربع دقائق تكفي.\n\n## ما بعد الغليان\n\n- الماء أولاً\n- ثم الصبر\n\n> الصبر مفتاح الفرج.',
  })
  await makeProduct(admin, ada, {
    name: 'The tea notebook',
    summary: 'Ninety-six ruled pages for what four minutes make you notice.',
    description:
      'Bound in Lagos, on paper that takes ink without complaint. It lies flat, even on a lap.\n\nThe first page is already written. It says: wait.',
    price: { amount: '19', currency: 'EUR' },
    category: 'Stationery',
    payment_url: 'https://pay.example/ada/tea-notebook',
    related: [rich],
  })
  await makeProduct(admin, ada, {
    name: 'An hour about your garden, or about anything else that grows more slowly than you would like it to',
    payment_url: 'https://ada.example/hour',
  })
  await makeProduct(admin, noor, {
    name: 'دفتر الشاي',
    summary: 'ست وتسعون صفحة لما تكشفه أربع دقائق.',
    description: 'صُنع في عمّان، على ورق يحب الحبر.',
    price: { amount: '12.5', currency: 'JOD' },
    payment_url: 'https://pay.example/noor',
  })
  return {
    ada,
    noor,
    rich: { id: rich, path: await pathOf(admin, rich) },
    arabic: { id: arabic, path: await pathOf(admin, arabic) },
    elsewhere: { id: elsewhere, path: await pathOf(admin, elsewhere) },
  }
}

/** The site on a free port that is also its BASE_URL: what a browser visits. */
export async function openPagesSite(
  env: Record<string, string> = {},
): Promise<{ base: string; admin: pg.Pool; site: PagesSite }> {
  const { admin, base } = await servedSite({ ...env })
  const site = await makePagesSite(admin)
  return { base, admin, site }
}

/** A piece in a language that is not the default. */
export async function makePieceInLocale(
  admin: pg.Pool,
  writer: MadeWriter,
  locale: string,
  { headline, sub, body_md }: { headline: string; sub: string | null; body_md: string },
): Promise<string> {
  const id = randomUUID()
  await asDesk(admin, writer, (client) =>
    client.query(
      `insert into app.pieces (id, writer_id, headline, sub, body_md, category, locale)
       values ($1, $2, $3, $4, $5, 'ideas', $6)`,
      [id, writer.id, headline, sub, body_md, locale],
    ),
  )
  await publish(admin, writer, id)
  return id
}

export async function pathOf(admin: pg.Pool, id: string): Promise<string> {
  const { rows } = await admin.query<{ path: string }>(
    `select '/author/' || author.slug || '/' || piece.slug as path
       from pub.pieces piece join pub.authors author on author.id = piece.author_id where piece.id = $1`,
    [id],
  )
  return rows[0]!.path
}

/** Renames an author like the desk: the old slug redirects. */
export async function renameAuthor(admin: pg.Pool, writer: MadeWriter, slug: string): Promise<void> {
  await inTransaction(admin, async (client) => {
    await client.query('set local role svc_publisher')
    await client.query('update pub.authors set slug = $2 where id = $1', [writer.id, slug])
    await client.query('insert into pub.former_slugs (slug, author_id) values ($1, $2)', [writer.slug, writer.id])
  })
}

const richBody = `Nobody likes to wait. In 1907 a woman in *Assam* weighed 1,240 kettles and found that **most of them were empty**; the rest were \`lukewarm\`. I have thought about her ever since.[^assam]

The first lesson is a small one. You fill the kettle, you put it on, and then, for four minutes, there is nothing at all that you can do about it. [The physics](https://physics.example/kettles) will not be hurried — “not even by managers”, as my grandmother said, who had been one.

## What the water does

Water has its own opinion of meetings. It sits, it sulks, it sings:

1. First the small bubbles, which mean nothing.
2. Then the large ones, which mean little.
3. Then the silence before the boil.
   - It is short.
   - It is the only part worth hearing.

> The kettle is the last honest clock in the site. It tells you how long a thing takes, and it has never once rounded down.

### A table of teas

| Tea | Minutes | Degrees | Remark |
|:--|--:|--:|:-:|
| Assam | 4 | 95 | forgiving |
| Sencha | 1 | 70 | unforgiving |
| Rooibos | 10 | 100 | not tea |

Here is how a programmer would put it:

\`\`\`js
// Patience, in four lines.
async function brew(leaf, minutes = 4) {
  const water = await boil({ degrees: 95 })
  return water.steep(leaf, minutes * 60_000)
}
\`\`\`

---

- [x] Fill the kettle
- [ ] Wait

![A brown teapot on a windowsill, steam rising](https://pictures.example/teapot.jpg)

In the end it comes to this: ten years of meetings, and what I kept is the sound of water, which I still hear each morning at seven, before anybody else is up.[^seven] It is not much. It is enough.

[^assam]: The notebooks are in Kolkata, in a box marked *miscellaneous*.
[^seven]: Half past, on Sundays.
`
