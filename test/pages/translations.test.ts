import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkReceipt } from '../../server/features/pieces/receipts/check.ts'
import { testSite } from '../../testkit/app.ts'
import { deskOf } from '../../testkit/desk.ts'
import { makeWriter } from '../../testkit/factories.ts'

/** What pages say of the translations of a piece, to readers and to programs. */

const { admin, app } = await testSite()
const ada = await makeWriter(admin, { slug: 'ada', name: 'Ada' })
const berta = await makeWriter(admin, { slug: 'berta', name: 'Berta' })
const desk = deskOf(app, ada)
const other = deskOf(app, berta)

const pieceOf = async (id: string) => (await app.inject(`/api/public/pieces/${id}`)).json().piece
const pathOf = async (id: string) => new URL((await pieceOf(id)).url).pathname
const pageAt = async (path: string) => (await app.inject({ url: path, headers: { accept: 'text/html' } })).body
const pageOf = async (id: string) => pageAt(await pathOf(id))
const markdownOf = async (id: string) => (await app.inject(`${await pathOf(id)}.md`)).body

async function published(by: typeof desk, given: object): Promise<string> {
  const id = await by.begin(given)
  const answered = await by.act('publish', id)
  assert.equal(answered.statusCode, 200, answered.body)
  return id
}

/** Berta's translation of a piece of Ada's, to which Ada agrees. */
async function agreed(original: string, given: object): Promise<string> {
  const id = await other.begin({ ...given, translation_of: original })
  await other.ask('POST', `pieces/${id}/ask-author`)
  await desk.ask('POST', `translations/${id}/answer`, { original, agreed: true })
  assert.equal((await other.act('publish', id)).statusCode, 200)
  return id
}

/** `hreflang` and address of each link in the head. */
const alternates = (page: string): [tag: string, url: string][] =>
  [...page.matchAll(/<link rel="alternate" hreflang="([^"]+)" href="([^"]+)">/g)].map(([, tag, url]) => [tag!, url!])

/** The lines below the byline, without markup. */
const lines = (page: string): string[] =>
  [...page.matchAll(/<p class="note[^>]*>(.*?)<\/p>\n(?=<p class="note|<\/header>)/g)].map(([, line]) =>
    line!.replaceAll('\u00a0', ' ').replace(/<[^>]+>/g, ''),
  )

const jsonLd = (page: string) => JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(page)![1]!)

describe('of one piece in English, twice in German, and in Arabic', async () => {
  const english = await published(desk, { headline: 'On "tea"', locale: 'en' })
  const german = await published(desk, { headline: 'Über Tee', locale: 'de', translation_of: english })
  const arabic = await published(desk, { headline: 'عن الشاي', locale: 'ar', translation_of: english })
  const again = await agreed(english, { headline: 'Vom Tee', locale: 'de' })
  const all = [english, german, arabic, again]
  const urls = await Promise.all(all.map(async (id) => (await pieceOf(id)).url as string))

  test('every page names the same set of addresses: one for each language, and the original as the default', async () => {
    for (const id of all)
      assert.deepEqual(alternates(await pageOf(id)), [
        ['en', urls[0]],
        ['de', urls[1]],
        ['ar', urls[2]],
        ['x-default', urls[0]],
      ])
  })

  test('readers find each language by its own name, with the author where it is there twice', async () => {
    assert.deepEqual(lines(await pageOf(english)), ['Read this in: Deutsch (Ada) · العربية · Deutsch (Berta)'])
    assert.deepEqual(lines(await pageOf(german)), [
      'Übersetzung, im Original auf Englisch: On “tea” von Ada',
      'Auch zu lesen auf: English · العربية · Deutsch (Berta)',
    ])
    const page = await pageOf(arabic)
    assert.deepEqual(lines(page), [
      'مترجم عن الإنجليزية: On “tea”، بقلم Ada',
      'اقرأ بلغة أخرى: English · Deutsch (Ada) · Deutsch (Berta)',
    ])
    assert.ok(page.includes(`<a href="${urls[0]}" rel="alternate" lang="en" hreflang="en" dir="auto">English</a>`))
  })

  test('a shared link says the other locales', async () => {
    const page = await pageOf(german)
    assert.deepEqual(
      [...page.matchAll(/property="(og:locale[^"]*)" content="([^"]+)"/g)].map(([, name, locale]) => [name, locale]),
      [
        ['og:locale', 'de_DE'],
        ['og:locale:alternate', 'en_GB'],
        ['og:locale:alternate', 'ar_EG'],
      ],
    )
  })

  test('structured data says what is a translation of what', async () => {
    const { workTranslation, translationOfWork } = jsonLd(await pageOf(english))
    assert.deepEqual(
      workTranslation.map((work: { url: string; inLanguage: string }) => [work.url, work.inLanguage]),
      [
        [urls[1], 'de'],
        [urls[2], 'ar'],
        [urls[3], 'de'],
      ],
    )
    assert.equal(translationOfWork, undefined)
    const translation = jsonLd(await pageOf(german))
    assert.equal(translation.workTranslation, undefined)
    assert.deepEqual(translation.translationOfWork, {
      '@type': 'Article',
      '@id': (await pieceOf(english)).id,
      url: urls[0],
      name: 'On "tea"',
      inLanguage: 'en',
    })
  })

  test('the Markdown of each leads to the Markdown of the others', async () => {
    assert.match(
      await markdownOf(english),
      new RegExp(`\n- Translations: \\[Über Tee\\]\\(${urls[1]}\\.md\\) \\(de\\), .*\\(ar\\), .*\\(de\\)\n`),
    )
    assert.match(
      await markdownOf(again),
      new RegExp(
        `\n- Original: \\[On "tea"\\]\\(${urls[0]}\\.md\\) \\(en\\), Ada\n- Translations: .*\\(de\\), .*\\(ar\\)\n`,
      ),
    )
    assert.match((await app.inject('/llms.txt')).body, /names its other languages/)
  })

  test('feeds are as they were', async () => {
    const { items } = (await app.inject('/author/ada/feed.json')).json()
    assert.ok(items.length > 2 && items.every((item: object) => !('translations' in item)))
  })

  test('without the original the translations still name each other', async () => {
    await desk.ask('POST', `pieces/${english}/unpublish`)
    const page = await pageOf(german)
    assert.deepEqual(alternates(page), [
      ['de', urls[1]],
      ['ar', urls[2]],
    ])
    assert.deepEqual(lines(page), ['Auch zu lesen auf: العربية · Deutsch (Berta)'])
    assert.deepEqual([jsonLd(page).translationOfWork, jsonLd(page).workTranslation], [undefined, undefined])
    await desk.act('publish', english)
  })
})

test('a page without translations does not grow, and a page whose translation is gone is what it was', async () => {
  const original = await published(desk, { headline: 'Alone', locale: 'en' })
  const [before, markdown] = [await pageOf(original), await markdownOf(original)]
  for (const added of [
    'hreflang',
    'og:locale:alternate',
    'rel="alternate" lang',
    'workTranslation',
    'class="note versions"',
  ])
    assert.ok(!before.includes(added), added)
  assert.match(before, /<\/p>\n<\/header>\n<div class="prose">/)
  assert.doesNotMatch(markdown, /Translations:|Original:/)

  const translation = await published(desk, { headline: 'Allein', locale: 'de', translation_of: original })
  const between = await pageOf(original)
  assert.notEqual(between, before)
  // Some 150 bytes a language, and twice the addresses.
  assert.ok(between.length - before.length < 1_000, `${between.length - before.length} more`)
  await desk.ask('POST', `pieces/${translation}/unpublish`)
  const withoutOther = (page: string) => page.replace(/<div class="piece-foot[\s\S]*/, '')
  assert.equal(withoutOther(await pageOf(original)), withoutOther(before))
})

test('a translation whose only other version is its original names it once', async () => {
  const original = await published(desk, { headline: 'Once', locale: 'en' })
  const id = await published(desk, { headline: '一度', locale: 'ja', translation_of: original })
  assert.deepEqual(lines(await pageOf(id)), ['英語からの翻訳：Once（Ada）'])
  assert.deepEqual(lines(await pageOf(original)), ['Read this in: 日本語'])
})

test('a piece in a language that we do not know, or that nobody named, is called by what is known', async () => {
  const original = await published(desk, { headline: 'Unknown words', locale: 'und' })
  const id = await published(desk, { headline: 'Palabras', locale: 'es', translation_of: original })
  const klingon = await published(desk, { headline: 'mu’mey', locale: 'tlh', translation_of: original })
  const page = await pageOf(id)
  assert.deepEqual(lines(page), ['Traducción de Unknown words, de Ada', 'Leer en: Unknown words · Klingon'])
  assert.match(page, /rel="alternate" hreflang="tlh" dir="auto">Klingon</)
  assert.deepEqual(alternates(page), [
    ['es', (await pieceOf(id)).url],
    ['tlh', (await pieceOf(klingon)).url],
    ['x-default', (await pieceOf(original)).url],
  ])
})

test('a version whose canonical address is elsewhere is no alternate, and readers find it all the same', async () => {
  const external_url = 'https://elsewhere.example/salt'
  const original = await published(desk, { headline: 'On salt', locale: 'en' })
  const german = await published(desk, { headline: 'Über Salz', locale: 'de', translation_of: original })
  const french = await published(desk, { headline: 'Du sel', locale: 'fr', translation_of: original, external_url })
  const page = await pageOf(french)
  assert.deepEqual(alternates(page), [])
  assert.doesNotMatch(page, /og:locale:alternate/)
  assert.deepEqual(lines(page)[1], 'Lire en : English · Deutsch')
  for (const id of [original, german])
    assert.deepEqual(
      alternates(await pageOf(id)).map(([tag]) => tag),
      ['en', 'de', 'x-default'],
    )
  assert.deepEqual(lines(await pageOf(original)), ['Read this in: Deutsch · Français'])
})

test('titles and names of others are text and nothing else', async () => {
  const original = await published(desk, { headline: '<b>Bold</b> & more', locale: 'en' })
  const page = await pageOf(await agreed(original, { headline: 'Fett', locale: 'de' }))
  assert.ok(page.includes('&lt;b&gt;Bold&lt;/b&gt; &amp; more</a>'))
  assert.doesNotMatch(page, /<b>Bold/)
})

test('the preview of a translation has the lines that its page will have', async () => {
  const original = await published(desk, { headline: 'On rain', locale: 'en' })
  await published(desk, { headline: 'De la pluie', locale: 'fr', translation_of: original })
  const id = await other.begin({ headline: 'Über Regen', locale: 'de', translation_of: original })
  const preview = async () => pageAt((await other.ask('POST', `pieces/${id}/preview`)).json().page)
  const expected = ['Übersetzung, im Original auf Englisch: On rain von Ada', 'Auch zu lesen auf: English · Français']
  const page = await preview()
  assert.deepEqual(lines(page), expected)
  assert.deepEqual(alternates(page), [], 'it has no public address')
  await other.ask('POST', `pieces/${id}/ask-author`)
  await desk.ask('POST', `translations/${id}/answer`, { original, agreed: true })
  await other.act('publish', id)
  assert.deepEqual(lines(await pageOf(id)), expected)
  await desk.ask('POST', `pieces/${original}/unpublish`)
  assert.deepEqual(lines(await preview()), ['Auch zu lesen auf: Français'])
  assert.deepEqual(lines(await pageAt((await desk.ask('POST', `pieces/${original}/preview`)).json().page)), [
    'Read this in: Français · Deutsch',
  ])
})

test('the receipt says what it is a translation of, to people and to programs that verify it', async () => {
  const original = await published(desk, { headline: 'On glass', locale: 'en' })
  const id = await published(desk, { headline: 'Über Glas', locale: 'de', translation_of: original })
  const receiptOf = async (piece: string) => (await app.inject(`/p/${piece}/receipt`)).json()
  const { content } = (await receiptOf(original)).receipt
  const page = await pageAt(`/p/${id}/receipt`)
  assert.match(
    page,
    /A translation of <a href="[^"]+\/on-glass"><bdi>On glass<\/bdi><\/a>, whose content then had the hash/,
  )
  assert.ok(page.includes(content))
  assert.doesNotMatch(await pageAt(`/p/${original}/receipt`), /A translation of/)

  const keys = (await app.inject('/.well-known/standfirst-receipts.json')).json()
  const piece = (await app.inject(`/api/public/pieces/${id}`)).json()
  const verdict = checkReceipt({ signed: await receiptOf(id), keys, piece })
  const sentence = `A translation of ${original}, whose content then had the hash ${content}`
  assert.ok(verdict.proven.includes(sentence), verdict.proven.join('\n'))

  await desk.ask('POST', `pieces/${original}/unpublish`)
  assert.match(await pageAt(`/p/${id}/receipt`), new RegExp(`A translation of <code class="hash">${original}</code>`))
})
