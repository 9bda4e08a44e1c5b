import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { testSite } from '../../testkit/app.ts'
import {
  asDesk,
  listProduct,
  makePiece,
  makeProduct,
  makeProductDraft,
  makeWriter,
  withdrawProduct,
} from '../../testkit/factories.ts'

/** The shop for readers: pages, their Markdown responses, the text catalogue and the sitemap. */

const { admin, app } = await testSite()
const read = (path: string, headers = {}) => app.inject({ url: path, headers })
const day = (number: number) => new Date(Date.UTC(2026, 0, number))

/** Requested before anything was listed. */
const empty = {
  shop: await read('/shop'),
  catalogue: await read('/llms-products.txt'),
  map: await read('/sitemap.xml'),
}

const ada = await makeWriter(admin, { slug: 'ada', name: 'Ada Okafor', verified: true })
const piece = await makePiece(admin, ada, { headline: 'On tea | and [time]' })
const hostileText = `<script>alert(1)</script> "a" & 'b'`
const notebook = await makeProduct(admin, ada, {
  name: 'The tea notebook',
  summary: `Ninety-six pages. ${hostileText}`,
  description: `Bound in Lisbon.\nBy hand.\n\n${hostileText}`,
  price: { amount: '1219', currency: 'EUR' },
  category: 'Stationery',
  payment_url: 'https://www.pay.example/tea?a=1&b=|',
  related: [piece],
  listedAt: day(2),
})
await makeProduct(admin, ada, { name: 'A free lesson', price: { amount: '0', currency: 'USD' }, listedAt: day(3) })
await makeProductDraft(admin, ada, { name: 'Unlisted lamp' })

test('an empty shop says so, and is no error', () => {
  assert.equal(empty.shop.statusCode, 200)
  assert.match(empty.shop.body, /Nothing for sale yet\./)
  assert.match(empty.catalogue.body, /^# Standfirst: shop\n\n> [^\n]+\n\n$/)
  assert.doesNotMatch(empty.map.body, /sitemap-products/)
})

describe('/shop', () => {
  test('shows what is listed, the newest first, and nothing else', async () => {
    const { body, headers } = await read('/shop')
    assert.ok(body.indexOf('A free lesson') < body.indexOf('The tea notebook'))
    assert.doesNotMatch(body, /Unlisted lamp/)
    assert.match(body, /€1,219\.00/)
    assert.match(body, />Free</)
    assert.match(body, /<link rel="canonical" href="https:\/\/site\.test\/shop">/)
    assert.equal(headers['surrogate-key'], 'products authors')
  })

  test('searches, and says what it found', async () => {
    const { body } = await read('/shop?q=LISBON')
    assert.match(body, /Results for “<bdi>LISBON<\/bdi>”/)
    assert.match(body, /name="robots" content="noindex, follow"/)
    assert.match((await read('/shop?q=lamp')).body, /No results for “<bdi>lamp<\/bdi>”/)
    assert.equal((await read(`/shop?q=${'x'.repeat(300)}`)).statusCode, 200)
  })

  test('leads from page to page', async () => {
    const many = await makeWriter(admin, { slug: 'many', name: 'Many' })
    for (let number = 0; number < 23; number += 1)
      await makeProduct(admin, many, { name: `Print ${number}`, category: 'Etchings', listedAt: day(-number) })
    for (const start of ['/shop?seller=many', '/shop?q=etching']) {
      const first = (await read(start)).body
      const next = /href="https:\/\/site\.test([^"]+)" rel="next">More listings/
        .exec(first)?.[1]
        ?.replaceAll('&amp;', '&')
      assert.ok(next, start)
      const second = (await read(next)).body
      assert.deepEqual(
        [(first.match(/>Print \d+</g) ?? []).length, (second.match(/>Print \d+</g) ?? []).length],
        [20, 3],
      )
    }
    const author = (await read('/author/many')).body
    assert.equal((author.match(/>Print \d+</g) ?? []).length, 12)
    assert.match(author, /href="https:\/\/site\.test\/shop\?seller=many">See all in Many’s shop/)
  })

  test('a slash at the end leads to the page without', async () => {
    assert.equal((await read('/shop/')).headers.location, 'https://site.test/shop')
    assert.equal((await read('/shop/the-tea-notebook/')).headers.location, 'https://site.test/shop/the-tea-notebook')
  })
})

describe('the page of a listing', () => {
  test('says what it is, what it costs, who sells it, and where', async () => {
    const { body, headers } = await read('/shop/the-tea-notebook')
    assert.match(body, /<h1 class="title" dir="auto">The tea notebook<\/h1>/)
    assert.match(
      body,
      /Sold by <a href="https:\/\/site\.test\/author\/ada" rel="author"><bdi>Ada Okafor<\/bdi><\/a><svg class="tick"/,
    )
    assert.match(
      body,
      /<a class="button" dir="ltr" href="https:\/\/www\.pay\.example\/tea\?a=1&amp;b=\|" rel="nofollow ugc noopener">Buy at <bdi>pay\.example<\/bdi><\/a>/,
    )
    assert.match(body, /You’ll pay on <bdi>pay\.example<\/bdi>, <bdi>Ada Okafor<\/bdi>’s site\./)
    assert.match(body, /<p dir="auto">Bound in Lisbon\.<br>By hand\.<\/p>/)
    assert.match(body, /On tea \| and \[time\]<\/a>/)
    assert.equal(headers['surrogate-key'], `product-${notebook} author-ada byline-ada`)
  })

  test('escapes every word of its seller', async () => {
    const { body } = await read('/shop/the-tea-notebook')
    assert.doesNotMatch(body, /<script>/)
    assert.equal((body.match(/&lt;script&gt;alert\(1\)/g) ?? []).length >= 2, true)
  })

  test('tells search engines of the product and its offer', async () => {
    const { body } = await read('/shop/the-tea-notebook')
    const blocks = [...body.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map(([, json]) =>
      JSON.parse(json!),
    )
    const product = blocks.find((block) => block['@type'] === 'Product')
    assert.deepEqual(product.offers, {
      '@type': 'Offer',
      price: '1219.00',
      priceCurrency: 'EUR',
      availability: 'https://schema.org/InStock',
      url: 'https://site.test/shop/the-tea-notebook',
      seller: { '@type': 'Person', name: 'Ada Okafor', url: 'https://site.test/author/ada' },
    })
  })

  test('has a twin in Markdown, by its address and by Accept', async () => {
    const twin = await read('/shop/the-tea-notebook.md')
    assert.equal(twin.headers['content-type'], 'text/markdown; charset=utf-8')
    assert.match(twin.body, /^# The tea notebook\n\n> Ninety-six pages\./)
    assert.match(twin.body, /- Price: 1219\.00 EUR\n- Category: Stationery\n- Buy at: <https:\/\/www\.pay\.example\//)
    assert.match(twin.body, /\n\nBound in Lisbon\.\\\nBy hand\.\n\n\\<script>/)
    assert.equal((await read('/shop/the-tea-notebook', { accept: 'text/markdown' })).body, twin.body)
  })

  test('is found in any letter case, and nowhere once withdrawn', async () => {
    assert.equal((await read('/shop/The-Tea-Notebook')).headers.location, 'https://site.test/shop/the-tea-notebook')
    const id = await makeProduct(admin, ada, { name: 'Brief' })
    assert.equal((await read('/shop/brief')).statusCode, 200)
    await withdrawProduct(admin, ada, id)
    for (const path of [
      '/shop/brief',
      '/shop/brief.md',
      '/shop/unlisted-lamp',
      '/shop/..%2f',
      '/shop/%00',
      `/shop/${'x'.repeat(500)}`,
    ])
      assert.equal((await read(path)).statusCode, 404, path)
  })

  test('shows the edited text only after Update', async () => {
    await asDesk(admin, ada, (client) =>
      client.query("update app.products set name = 'Rewritten' where id = $1", [notebook]),
    )
    assert.doesNotMatch((await read('/shop/the-tea-notebook')).body, /Rewritten/)
    await listProduct(admin, ada, notebook, 'update')
    assert.match((await read('/shop/the-tea-notebook')).body, /Rewritten/)
  })
})

test('an author’s page shows what they sell, in their order, and its twin too', async () => {
  const bo = await makeWriter(admin, { slug: 'bo', name: 'Bo' })
  assert.doesNotMatch((await read('/author/bo')).body, /aria-labelledby="shop"/)
  await makeProduct(admin, bo, { name: 'First print', listedAt: day(1) })
  await makeProduct(admin, bo, { name: 'Second print', price: { amount: '1900', currency: 'JPY' }, listedAt: day(2) })
  const { body } = await read('/author/bo')
  assert.ok(body.indexOf('First print') < body.indexOf('Second print'))
  assert.match(body, /JP¥1,900</)
  assert.match(
    (await read('/author/bo.md')).body,
    /## Shop\n\n- \[First print\]\(https:\/\/site\.test\/shop\/first-print\.md\)\n- \[Second print\]/,
  )
})

test('an author’s page and both ways to its twin show twelve things, and where the rest is', async () => {
  const fi = await makeWriter(admin, { slug: 'fi', name: 'Fi' })
  for (let n = 1; n <= 12; n++) await makeProduct(admin, fi, { name: `Cup ${n}` })
  const everything = async () => {
    const page = await read('/author/fi')
    const twin = await read('/author/fi.md')
    assert.equal((await read('/author/fi', { accept: 'text/markdown' })).body, twin.body)
    return [
      (page.body.match(/>Cup \d+</g) ?? []).length,
      page.body.includes('href="https://site.test/shop?seller=fi">See all in Fi’s shop'),
      (twin.body.match(/^- \[Cup \d+\]/gm) ?? []).length,
      twin.body.includes('[See all in Fi’s shop](https://site.test/shop?seller=fi)'),
    ]
  }
  assert.deepEqual(await everything(), [12, false, 12, false])
  await makeProduct(admin, fi, { name: 'Cup 13' })
  assert.deepEqual(await everything(), [12, true, 12, true])
  assert.equal(((await read('/shop?seller=fi')).body.match(/>Cup \d+</g) ?? []).length, 13)
})

test('a page of a listing leads to the form that reports it', async () => {
  assert.match(
    (await read('/shop/first-print')).body,
    /<a href="https:\/\/site\.test\/desk\/report\/listing\/[0-9a-f-]{36}" rel="nofollow">Report this listing<\/a>/,
  )
})

describe('/llms-products.txt', () => {
  const lines = async (path = '/llms-products.txt') =>
    (await read(path)).body.split('\n').filter((line) => line.startsWith('- '))

  test('has a line for each listing, its fields in fixed order', async () => {
    const cy = await makeWriter(admin, { slug: 'cy', name: 'Cy' })
    const related = [
      await makePiece(admin, cy, { headline: 'One' }),
      await makePiece(admin, cy, { headline: 'Two | three' }),
    ]
    await makeProduct(admin, cy, {
      name: 'Lamp',
      price: { amount: '19', currency: 'EUR' },
      category: 'Light',
      payment_url: 'https://pay.example/lamp?x=a|b',
      related,
    })
    await makeProduct(admin, cy, { name: 'Bare' })
    const all = await lines()
    assert.ok(
      all.includes(
        '- [Lamp](https://site.test/shop/lamp): Seller: Cy | Price: 19.00 EUR | Category: Light | Pay: https://pay.example/lamp?x=a%7Cb | Related: [One](https://site.test/author/cy/one), [Two \\| three](https://site.test/author/cy/two-three)',
      ),
      all.join('\n'),
    )
    assert.ok(
      all.includes(
        '- [Bare](https://site.test/shop/bare): Seller: Cy | Price: none | Category: none | Pay: https://pay.example/notebook | Related: none',
      ),
    )
  })

  test('no word of a seller breaks a line or makes a field', async () => {
    const di = await makeWriter(admin, { slug: 'di', name: 'Di | Price: 0.00 EUR' })
    const hostile = [
      'x](https://evil.test) | Pay: https://evil.test',
      'back\\',
      'two\nlines\u2028three',
      '] | Related: none',
      '\\| Pay: x',
      '|',
      '| - |',
      '\\|',
    ]
    for (const name of hostile) await makeProduct(admin, di, { name, category: name.slice(0, 40) })
    const theirs = (await lines()).filter((line) => line.includes('Di \\|'))
    assert.equal(theirs.length, hostile.length)
    for (const line of theirs) {
      // A bar separates cells if the number of backslashes before it is even.
      const fields = line.split(/(?<=(?<!\\)(?:\\\\)*) \| /)
      assert.deepEqual(
        fields.slice(1).map((field) => field.split(':')[0]),
        ['Price', 'Category', 'Pay', 'Related'],
        line,
      )
      assert.equal(fields[3], 'Pay: https://pay.example/notebook')
    }
  })

  test('a name of bars alone is escaped once', async () => {
    const bars = (await lines()).filter((line) => /^- \[[\\| -]*\|\]/.test(line))
    assert.deepEqual(bars.map((line) => line.slice(2, line.indexOf(']') + 1)).sort(), [
      '[\\\\\\|]',
      '[\\| - \\|]',
      '[\\|]',
    ])
  })

  test('is part of what llms.txt names, and of the map', async () => {
    const { body } = await read('/llms.txt')
    assert.match(body, /https:\/\/site\.test\/llms-products\.txt/)
    assert.match(body, /## Shop\n\n- \[/)
    const map = (await read('/sitemap-products.xml')).body
    assert.match(map, /<loc>https:\/\/site\.test\/shop\/lamp<\/loc><lastmod>/)
    assert.doesNotMatch(map, /brief|unlisted/)
    assert.match((await read('/sitemap-pages.xml')).body, /<loc>https:\/\/site\.test\/shop<\/loc>/)
  })

  test('a long shop goes on where its last line says', async () => {
    const ed = await makeWriter(admin, { slug: 'ed', name: 'Ed' })
    await admin.query(
      'begin; set local role svc_publisher; ' +
        `insert into pub.products (id, author_id, slug, name, payment_url, related, position, listed_at, updated_at, name_folded, search_text)
       select gen_random_uuid(), '${ed.id}', 'many-' || n, 'Many ' || n, 'https://a.test', '{}', n, date_trunc('milliseconds', now() - n * interval '1 minute'), date_trunc('milliseconds', now()), 'many ' || n, 'many' from generate_series(1, 2100) n; commit`,
    )
    const found: string[] = []
    let path: string | undefined = '/llms-products.txt'
    let files = 0
    for (; path; files += 1) {
      const { body } = await read(path)
      found.push(...(body.match(/^- \[Many \d+\]/gm) ?? []))
      path = /\nNext: https:\/\/site\.test(\S+)\n$/.exec(body)?.[1]
    }
    assert.deepEqual([files, found.length, new Set(found).size], [2, 2100, 2100])
  })
})
