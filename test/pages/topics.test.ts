import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { slugInAnyScript } from '../../server/platform/text/slug.ts'
import { testApp, testSite } from '../../testkit/app.ts'
import { deskOf, makeModerator } from '../../testkit/desk.ts'
import { makePiece, makeWriter, unpublish } from '../../testkit/factories.ts'

/** `/topics`, `/topic/{topic}`, its feeds and its Markdown: pieces by their tags. */

const { admin, app, url } = await testSite()
const base = 'https://site.test'
const ada = await makeWriter(admin, { slug: 'ada', name: 'Ada' })
const ben = await makeWriter(admin, { slug: 'ben', name: 'Ben' })
const get = (path: string, accept = 'text/html') => app.inject({ url: path, headers: { accept } })
const count = () => admin.query('select app.count_topics()')
const day = (number: number) => new Date(Date.UTC(2026, 0, number))

const headlinesIn = (body: string): string[] =>
  [...body.matchAll(/<h[23] class="title"[^>]*><a href="[^"]+\/author\/[^"]+">([^<]+)<\/a>/g)].map(
    ([, headline]) => headline!,
  )

test('pages without anything invite to write, and are not for search engines', async () => {
  for (const path of ['/topics', '/writers', '/archive']) {
    const { statusCode, body } = await get(path)
    assert.equal(statusCode, 200, path)
    assert.match(body, /<a href="https:\/\/site\.test\/desk">Start writing<\/a><\/p>/, path)
    assert.match(body, /<meta name="robots" content="noindex, follow">/, path)
  }
})

describe('a topic', () => {
  const given = [
    ['First', ['Café'], 'en', 1],
    ['Second', ['tea', 'cafe'], 'en-GB', 2],
    ['Third', ['Tea'], 'de', 3],
    ['Fourth', ['Tea', 'C++', '茶'], 'en', 4],
    ['Fifth', ['TEA!', '🍵'], 'fr', 5],
  ] as const

  test('has the pieces with its tag, newest first, and the name that most of them use', async () => {
    for (const [headline, tags, locale, at] of given)
      await makePiece(admin, at % 2 ? ada : ben, { headline, tags, locale, publishedAt: day(at) })
    const { statusCode, headers, body } = await get('/topic/tea')
    assert.equal(statusCode, 200)
    assert.equal(headers['surrogate-key'], 'pieces')
    assert.match(body, /<h1 class="title" dir="auto">Tea<\/h1>/)
    assert.deepEqual(headlinesIn(body), ['Fifth', 'Fourth', 'Third', 'Second'])
    assert.ok(body.includes(`<link rel="canonical" href="${base}/topic/tea">`))
    assert.ok(
      body.includes(`type="application/feed+json" title="Tea on Standfirst" href="${base}/topic/tea/feed.json"`),
    )
    assert.ok(body.includes(`<link rel="alternate" type="text/markdown" href="${base}/topic/tea.md">`))
    assert.match(
      body,
      /Follow by <a href="https:\/\/site\.test\/desk\/follow\/topic\/tea" rel="nofollow">email<\/a>, <a href="https:\/\/site\.test\/topic\/tea\/feed\.xml">RSS<\/a>/,
    )
  })

  test('is one for every spelling, and its address leads from each of them', async () => {
    for (const path of ['/topic/Tea', '/topic/TEA', `/topic/${encodeURIComponent('Téa!')}`]) {
      const { statusCode, headers } = await get(`${path}?language=de-AT`)
      assert.deepEqual([statusCode, headers['location']], [301, `${base}/topic/tea?language=de`], path)
    }
    assert.deepEqual(headlinesIn((await get('/topic/cafe')).body), ['Second', 'First'])
    const { headers } = await get('/topic/Tea/feed.xml')
    assert.equal(headers['location'], `${base}/topic/tea/feed.xml`)
    assert.equal((await get('/topic/tea/')).headers['location'], `${base}/topic/tea`)
  })

  test('of no piece, of symbols alone or of no sense is not there', async () => {
    for (const tag of ['coffee', '🍵', '!', 'x'.repeat(400), '%00', '\u{FFFF}'.repeat(9)]) {
      const path = `/topic/${tag === '%00' ? tag : encodeURIComponent(tag)}`
      for (const ending of ['', '.md', '/feed.json', '/feed.xml'])
        assert.equal((await get(path + ending)).statusCode, 404, path + ending)
    }
  })

  test('is limited to a language, with feeds of that', async () => {
    const { body } = await get('/topic/tea?language=en')
    assert.deepEqual(headlinesIn(body), ['Fourth', 'Second'])
    const links = /<nav class="sections languages".*?<\/nav>/s.exec(body)![0]
    assert.deepEqual(
      [...links.matchAll(/language=(\w+)/g)].map(([, language]) => language),
      ['de', 'en', 'fr'],
    )
    const feed = (await app.inject('/topic/tea/feed.json?language=en')).json()
    assert.deepEqual(
      [feed.title, feed.home_page_url, feed.items.map(({ title }: { title: string }) => title)],
      ['Tea on Standfirst · English', `${base}/topic/tea?language=en`, ['Fourth', 'Second']],
    )
  })

  test('has feeds with its pieces, whole', async () => {
    const feed = (await app.inject('/topic/tea/feed.json')).json()
    assert.equal(feed.feed_url, `${base}/topic/tea/feed.json`)
    assert.equal(feed.items.length, 4)
    assert.ok(feed.items[0].content_html)
    const { headers, body } = await app.inject('/topic/tea/feed.xml')
    assert.equal(headers['content-type'], 'application/rss+xml; charset=utf-8')
    assert.equal(body.match(/<item>/g)?.length, 4)
  })

  test('is there as Markdown, by its ending and by what is asked for', async () => {
    const { headers, body } = await get('/topic/tea.md')
    assert.equal(headers['content-type'], 'text/markdown; charset=utf-8')
    assert.match(body, /^# Tea\n/)
    assert.ok(body.includes(`- [Fifth](${base}/author/ada/fifth.md), Ada, 2026-01-05, fr`))
    assert.equal((await get('/topic/tea', 'text/markdown')).body, body)
    assert.equal((await get('/topic/TEA.md')).headers['location'], `${base}/topic/tea.md`)
  })

  test('goes on by cursor to the first of its pieces', async () => {
    for (let at = 0; at < 30; at += 1)
      await makePiece(admin, ada, { headline: `Number ${at}`, tags: ['long list'], publishedAt: day(40 + at) })
    const seen: string[] = []
    let path: string | undefined = '/topic/long-list'
    while (path !== undefined) {
      const { body } = await get(path)
      seen.push(...headlinesIn(body))
      path = /<a href="https:\/\/site\.test([^"]+)" rel="next">/.exec(body)?.[1]?.replaceAll('&amp;', '&')
    }
    assert.deepEqual(
      seen,
      Array.from({ length: 30 }, (_, at) => `Number ${29 - at}`),
    )
  })
})

describe('a piece', () => {
  test('links its tags after the text, each once, and leaves one of symbols alone as it is', async () => {
    const { body } = await get('/author/ben/fourth')
    const [, links] = /<nav class="topics" aria-label="Topics"><ul>\n(.*?)<\/ul><\/nav>/s.exec(body)!
    assert.deepEqual(links!.trim().split('\n'), [
      `<li><a href="${base}/topic/tea" rel="tag"><bdi>Tea</bdi></a></li>`,
      `<li><a href="${base}/topic/c" rel="tag"><bdi>C++</bdi></a></li>`,
      `<li><a href="${base}/topic/${encodeURIComponent('茶')}" rel="tag"><bdi>茶</bdi></a></li>`,
    ])
    assert.ok(body.indexOf('class="topics"') > body.indexOf('class="prose"'))
    assert.ok((await get('/author/ada/fifth')).body.includes('<li><bdi>🍵</bdi></li>'))
    assert.equal((await get(`/topic/${encodeURIComponent('茶')}`)).statusCode, 200)
  })

  test('without tags has no such links', async () => {
    await makePiece(admin, ada, { headline: 'Plain', publishedAt: day(9) })
    assert.doesNotMatch((await get('/author/ada/plain')).body, /class="topics"/)
  })

  test('that is previewed shows its tags, which lead nowhere yet', async () => {
    const desk = deskOf(app, ada)
    const id = await desk.begin({ headline: 'Soon', tags: ['Soon'] })
    const { link } = (await desk.ask('POST', `pieces/${id}/links`, { days: 1 })).json()
    const { body } = await get(new URL(link.url).pathname)
    assert.match(body, /<nav class="topics"[^>]*><ul>\n<li><bdi>Soon<\/bdi><\/li>/)
    assert.equal((await get('/topic/soon')).statusCode, 404)
  })
})

describe('the list of topics', () => {
  const listed = async () => {
    const { body } = await get('/topics')
    const section = (id: string) => new RegExp(`id="${id}">.*?</section>`, 's').exec(body)?.[0] ?? ''
    const names = (id: string) =>
      [...section(id).matchAll(/<bdi>([^<]+)<\/bdi><\/a> <span class="meta">([^<]+)</g)].map(([, ...of]) =>
        of.join(': '),
      )
    return { all: names('all'), most: names('most-used') }
  }

  test('has each by name with its count, as the worker counted it', async () => {
    assert.deepEqual((await listed()).all, [])
    await count()
    assert.deepEqual((await listed()).all, [
      'C++: 1 piece',
      'Café: 2 pieces',
      'long list: 30 pieces',
      'Tea: 4 pieces',
      '茶: 1 piece',
    ])
    assert.deepEqual((await listed()).most, [])
  })

  test('begins with the most used, once there are many', async () => {
    for (let at = 0; at < 4; at += 1) {
      const tags = Array.from({ length: 8 }, (_, place) => `Zoo ${at * 8 + place}`)
      await makePiece(admin, ben, { headline: `Zoo ${at}`, tags, publishedAt: day(80 + at) })
    }
    await count()
    const { all, most } = await listed()
    assert.equal(all.length, 37)
    assert.deepEqual(most.slice(0, 3), ['long list: 30 pieces', 'Tea: 4 pieces', 'Café: 2 pieces'])
    assert.deepEqual(all.slice(-5, -1), ['Zoo 28: 1 piece', 'Zoo 29: 1 piece', 'Zoo 30: 1 piece', 'Zoo 31: 1 piece'])
  })

  test('never names a topic, or a spelling, whose last piece was unpublished, whether counted again or not', async () => {
    const shown = async () => (await get('/topics')).body + (await app.inject('/llms.txt')).body
    const id = await makePiece(admin, ada, { headline: 'Secretive', tags: ['Secret', 'ZOO 31', 'zoo-31'] })
    await makePiece(admin, ada, { headline: 'Loud', tags: ['ZOO 31'] })
    await count()
    assert.match(await shown(), /Secret/)
    assert.match(await shown(), /ZOO 31/)
    await unpublish(admin, ada, id)
    assert.doesNotMatch(await shown(), /Secret/)
    assert.equal((await get('/topic/secret')).statusCode, 404)
    assert.match((await get('/topic/zoo-31')).body, /<h1 class="title" dir="auto">ZOO 31</)
  })

  test('is in the sitemap, in /llms.txt and in the footer of every page', async () => {
    const fresh = await testApp(url)
    assert.ok((await fresh.inject('/sitemap.xml')).body.includes(`${base}/sitemap-topics.xml`))
    assert.ok((await fresh.inject('/sitemap-topics.xml')).body.includes(`<loc>${base}/topic/tea</loc>`))
    assert.ok((await fresh.inject('/llms.txt')).body.includes(`- [Tea](${base}/topic/tea.md)`))
    const { body } = await get('/about')
    for (const path of ['/topics', '/writers', '/trending', '/archive'])
      assert.ok(body.includes(`<li><a href="${base}${path}">`), path)
  })
})

test('SQL and TypeScript make the same address of what people write, in any script', async () => {
  const tags = `Tea|tea time|Café|Crème brûlée|Ångström|Straße|STRASSE|İstanbul|ısı|Łódź|Þór|smørrebrød|Œuvre|naïve art
    |don't|rock ’n’ roll|C++|C#|a/b|50 %|3D|½|AI & ML|e-mail|--x--|#hashtag|@home|ﬁne|Ｗｉｄｅ|Việt Nam|Dvořák|ĸ
    |茶|日本語 の タグ|ガーデン|が|한국어|русский язык|Ёлка|йод|ελληνικά|ΣΟΦΌΣ|עברית|שָׁלוֹם|العربية|عَرَبِيّ|हिन्दी|தமிழ்|ไทย
    |বাংলা|ქართული|հայերեն|አማርኛ|ខ្មែរ|မြန်မာ|བོད་|١٢٣|٪|「茶」|¿qué?|«mot»|x²|№ 5|Ⅷ|🍵 tea|❤|ʻokina|Māori|ŋ`
    .split('|')
    .map((tag) => tag.trim())
  const { rows } = await admin.query<{ tag: string; topic: string | null }>(
    'select tag, pub.topic_of(tag) as topic from unnest($1::text[]) tag',
    [tags],
  )
  for (const { tag, topic } of rows) assert.equal(topic ?? '', slugInAnyScript(tag, 90, ''), tag)
  assert.equal(rows.length, tags.length)
})

describe('whatever happens to pieces, exactly the public ones are filed under their topics:', async () => {
  const desk = deskOf(app, ada)
  const [mo, kim] = [deskOf(app, await makeModerator(admin)), deskOf(app, await makeModerator(admin))]

  /** Both by what the tables hold and by what readers see. */
  async function assertFiled(isShown: boolean, tag = 'Act'): Promise<void> {
    const { rows } = await admin.query(`
      select coalesce(expected.piece_id, filed.piece_id) as piece, expected.topic, filed.topic as filed
        from (select distinct p.id as piece_id, p.published_at, p.author_id, pub.language_of(p.locale) as language,
                     pub.topic_of(tag) as topic
                from pub.pieces p, unnest(p.tags) tag where pub.topic_of(tag) is not null) expected
        full join pub.piece_topics filed using (piece_id, topic, published_at, author_id, language)
       where expected.piece_id is null or filed.piece_id is null`)
    assert.deepEqual(rows, [])
    assert.equal((await get(`/topic/${tag.toLowerCase()}`)).statusCode, isShown ? 200 : 404)
  }
  const done = async (answer: Promise<{ statusCode: number; body: string }>) => {
    const { statusCode, body } = await answer
    assert.ok(statusCode < 300, body)
    return body ? JSON.parse(body) : undefined
  }
  let id = ''

  test('publish', async () => {
    id = await desk.begin({ headline: 'An act', tags: ['Act', 'act!', 'Of people'] })
    await assertFiled(false)
    await done(desk.act('publish', id))
    await assertFiled(true)
  })

  test('update of the text, of the tags, of the language', async () => {
    for (const change of [{ headline: 'Another' }, { tags: ['Deed', 'Act'] }, { locale: 'de' }, { tags: [] }]) {
      await done(desk.ask('PATCH', `pieces/${id}`, change, { 'if-match': '*' }))
      await done(desk.act('update', id))
      await assertFiled(change.tags?.length !== 0)
    }
    await done(desk.ask('PATCH', `pieces/${id}`, { tags: ['Act'] }, { 'if-match': '*' }))
    await assertFiled(false)
    await done(desk.act('update', id))
    await assertFiled(true)
  })

  test('unpublish and publish again', async () => {
    await done(desk.act('unpublish', id))
    await assertFiled(false)
    await done(desk.act('publish', id))
    await assertFiled(true)
  })

  test('take down, and restore on appeal', async () => {
    const { decision } = await done(mo.act('take_down', id))
    await assertFiled(false)
    await done(desk.ask('POST', `decisions/${decision}/appeal`, { text: 'It is mine.' }))
    await done(kim.ask('POST', `review/decisions/${decision}/decide`, { outcome: 'reversed', reason: 'I looked.' }))
    await assertFiled(true)
  })

  test('suspend and restore a writer', async () => {
    await done(mo.ask('POST', 'review/writers/ada/suspend', { reason: 'Spam.' }))
    await assertFiled(false)
    assert.deepEqual(headlinesIn((await get('/topic/tea')).body), ['Fourth', 'Second'])
    await done(mo.ask('POST', 'review/writers/ada/restore', { reason: 'A mistake.' }))
    await assertFiled(true)
  })
})
