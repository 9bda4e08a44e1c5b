import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { testDatabase } from '../../../testkit/database.ts'
import { closestTo } from '../http/validation.ts'
import { readCsv } from './csv.ts'
import { fold } from './fold.ts'
import { initialsOf } from './initials.ts'
import { isLanguageTag, languageTag, ownNameOf, primaryLanguage } from './language.ts'
import { normaliseLine } from './normalise.ts'
import { isAddress, isSlug, reservedSlugs, slugFrom, slugInAnyScript } from './slug.ts'
import { countWords } from './words.ts'

const { admin } = await testDatabase()

test('the database refuses the same slugs as the code', async () => {
  const tried = [
    ...reservedSlugs,
    'ada',
    'a',
    '1',
    'a-b',
    '-a',
    'a-',
    'A',
    'ä',
    '',
    'a_b',
    'a'.repeat(40),
    'a'.repeat(41),
  ]
  for (const slug of tried) {
    const { rows } = await admin.query('select app.is_free_slug($1) as free', [slug])
    assert.equal(rows[0].free, isSlug(slug), JSON.stringify(slug))
  }
})

test('a slug is made of the Latin letters of a headline, and ends with a whole word', () => {
  assert.equal(slugFrom('Müller & Söhne, 2026', 80, 'piece'), 'muller-sohne-2026')
  assert.equal(slugFrom("What's in a naïve façade?", 80, 'piece'), 'whats-in-a-naive-facade')
  assert.equal(slugFrom('東京', 80, 'piece'), 'piece')
  assert.equal(slugFrom('one two three four', 10, 'piece'), 'one-two')
  assert.equal(slugFrom('a'.repeat(100), 80, 'piece').length, 80)
})

test('the address of a piece keeps the letters of every script, and whole characters', () => {
  const slug = (text: string, longest = 80) => slugInAnyScript(text, longest, 'piece')
  assert.equal(slug('关于茶：一杯好茶'), '关于茶-一杯好茶')
  assert.equal(slug('عن الشاي، وأكثر'), 'عن-الشاي-وأكثر')
  assert.equal(slug('О чае и не только'), 'о-чае-и-не-только')
  assert.equal(slug('चाय के बारे में'), 'चाय-के-बारे-में')
  assert.equal(slug('한국의 차'), '한국의-차')
  assert.equal(slug('Ein Zug: だい'), 'ein-zug-だい', 'composed, whatever was typed')
  assert.equal(slug('Müller & Söhne, 2026'), 'muller-sohne-2026')
  assert.equal(slug('𝒯𝑒𝒶 Ⅳ'), 'tea-iv')
  assert.equal(slug('🙂 … ?'), 'piece')
  assert.equal(slug('में'.repeat(40), 80).length % 'में'.length, 0, 'no letter without its signs')
  assert.ok(slug('𠮷'.repeat(60), 79).isWellFormed())
  for (const text of ['关于茶', 'عن-الشاي', 'on-tea-2', 'चाय']) assert.ok(isAddress(text), text)
  for (const text of ['', 'a/b', 'a b', 'a.b', 'a%b', 'x'.repeat(91), 'a\u202eb']) assert.ok(!isAddress(text), text)
})

test('every code point folds to exactly one, alone and inside a word', () => {
  for (let code = 1; code <= 0x10ffff; code += 1) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const character = String.fromCodePoint(code)
    const alone = normaliseLine(`a${character}`)
    assert.equal([...fold(`a${character}`)].length, [...alone].length, `U+${code.toString(16)}`)
  }
})

test('a part of a text folds as it does inside the whole', () => {
  const letters = fc.constantFrom(...'aZ ', 'Σ', 'ς', 'İ', 'ı', 'É', 'é', 'ß', 'ẞ', 'Ⱥ', '东', '👍', '\n', '\t')
  fc.assert(
    fc.property(fc.array(letters, { minLength: 1 }), fc.nat(), fc.nat(), (drawn, from, length) => {
      const whole = [...normaliseLine(drawn.join(''))]
      const start = whole.length ? from % whole.length : 0
      const part = whole.slice(start, start + 1 + (length % 8)).join('')
      assert.ok(fold(whole.join('')).includes(fold(part)))
    }),
  )
})

test('a search is blind to case, final sigma, dotted I and the width of white space', () => {
  assert.equal(fold('ΟΔΟΣ'), fold('οδος'))
  assert.equal(fold('İstanbul'), 'istanbul')
  assert.equal(fold('  a \n\n\t b  '), 'a b')
})

test('words are counted as readers see them, without addresses, numbers of lists and notes, and marks', () => {
  const counts: readonly (readonly [string, number])[] = [
    ['', 0],
    ['Two words', 2],
    ['## A heading', 2],
    ['See [the harbour](https://example.org/a/b-c?d=e "At dusk").', 3],
    ['See https://example.org/one/two and <https://example.org/three>', 2],
    ['![A harbour at dusk](/media/9f3c2a7e-aaaa)', 0],
    ['1. Boil\n2. Wait\n\n- [x] Done', 3],
    ['Un**believ**able, _really_.', 2],
    ['Tea[^1] is slow.\n\n[^1]: Ibid.', 4],
    ['[here][h]\n\n[h]: https://example.org/far', 1],
    ['```js\nbrew()\n```', 1],
    ['| Tea | Time |\n| --- | --- |\n| Black | 4 min |', 5],
    ['It’s a well-known fact', 4],
    ['![A \\[small\\] harbour][h] at dusk\n\n[h]: /media/9f3c', 2],
    ['See [tea](https://example.org/Tea_(drink)), &amp; <em>wait</em>.', 3],
    ['> 1. Quoted\n> 2. Twice', 2],
    ['One two  three\n\nfour.', 4],
  ]
  for (const [text, count] of counts) assert.equal(countWords(text), count, text)
})

const names = ['headline', 'sub', 'body_md', 'category', 'tags', 'frame', 'style', 'locale', 'external_url']

test('a name that was begun, misspelt or spelt in another way is recognised', () => {
  for (const [given, meant] of [
    ['body', 'body_md'],
    ['bodyMd', 'body_md'],
    ['bdoy_md', 'body_md'],
    ['tag', 'tags'],
    ['Headline', 'headline'],
    ['headlien', 'headline'],
    ['externalURL', 'external_url'],
    ['catagory', 'category'],
    ['sub_', 'sub'],
    ['subtitle', 'sub'],
  ] as const)
    assert.equal(closestTo(given, names), meant, given)
})

test('nothing is guessed for a name that is like none', () => {
  for (const given of ['title', 'status', 'published_at', 'name', 'x', '', '茶', '__proto__', 'body_md'.repeat(1000)])
    assert.equal(closestTo(given, names), undefined, given)
})

test('what is a language tag, or nearly one, is written as the standard has it', () => {
  assert.deepEqual(['en', 'EN-gb', 'en_GB', ' zh-hant-tw '].map(languageTag), ['en', 'en-GB', 'en-GB', 'zh-Hant-TW'])
})

test('what is none is said to be unknown', () => {
  for (const said of ['Plain English (UK)', '', '-', 'e', '"><b>', 'en-']) assert.equal(languageTag(said), 'und', said)
})

test('quotes hold commas, line breaks and quotes; empty fields and rows are what they are', () => {
  const text = '\uFEFFid, title ,note\r\n1,"Tea, ""slow""","two\r\nlines"\r\n\r\n2,,\n3,plain'
  assert.deepEqual(readCsv(text), [
    { id: '1', title: 'Tea, "slow"', note: 'two\r\nlines' },
    { id: '2', title: '', note: '' },
    { id: '3', title: 'plain', note: '' },
  ])
  assert.deepEqual(readCsv(''), [])
})

test('a quote that is never closed, or in the wrong place, is a sign like any other', () => {
  assert.deepEqual(readCsv('a,b\n1,"open'), [{ a: '1', b: '"open' }])
  assert.deepEqual(readCsv('a,b\n"x"y,z"\n'), [{ a: '"x"y', b: 'z"' }])
})

test('every table that is written is read back as it was', () => {
  const quoted = (field: string) => `"${field.replaceAll('"', '""')}"`
  const rows = fc.array(
    fc.tuple(
      fc.string(),
      fc.string().map((text) => `${text}x`),
    ),
    { maxLength: 8 },
  )
  fc.assert(
    fc.property(rows, (given) => {
      const text = `a,b\n${given.map((row) => `${row.map(quoted).join(',')}\n`).join('')}`
      assert.deepEqual(
        readCsv(text),
        given.map(([a, b]) => ({ a, b })),
      )
    }),
  )
})

test('a field may be as long as a book, with or without quotes in it', () => {
  for (const long of ['x'.repeat(20_000_000), '"'.repeat(2_000_000)])
    assert.equal(readCsv(`a,b\n"${long.replaceAll('"', '""')}",2\n`)[0]?.['a']?.length, long.length)
})

/** Languages, regions and the rest, right and wrong, as clients could put them together. Some that are given twice are
 * named in the test: Intl does not read on after a keyword that is. */
const subtag = fc.constantFrom(
  ...['en', 'de', 'deu', 'iw', 'sgn', 'hy', 'zh', 'art', 'aa', 'sh', 'und', 'abcde', 'root', 'i', 'cmn', 'EN', ''],
  ...['Latn', 'Cyrl', 'US', 'BR', 'uk', '076', '419', '999', '1996', '1994', 'arevmda', 'lojban', 'hakka', 'fonipa'],
  ...[
    'u',
    't',
    'x',
    'a',
    '1',
    'co',
    'phonebk',
    'nu',
    'latn',
    'm0',
    'k0',
    'true',
    '12345678',
    '123456789',
    'é',
    'İ',
    'K',
  ],
)
const tag = fc
  .tuple(
    fc.constantFrom('en', 'de', 'sgn', 'hy', 'zh', 'art', 'aa', 'abcde', 'x'),
    fc.uniqueArray(subtag, { maxLength: 6 }),
  )
  .chain(([first, rest]) => fc.constantFrom('-', '-', '-', '_').map((mark) => [first, ...rest].join(mark)))

test('the database finds the same language in a locale as the code', async () => {
  const letters = [...'abcdefghijklmnopqrstuvwxyz']
  const pairs = letters.flatMap((a) => letters.map((b) => a + b))
  const numbers = Array.from({ length: 1000 }, (_, number) => String(number).padStart(3, '0'))
  const locales = [
    ...['', ' ', ' de ', 'de-AT', 'DE_at', 'pt-BR', 'iw', 'sr-Latn', 'en-', '-en', 'english', 'i-klingon', 'zh-cmn'],
    ...['en-GB-oed', 'de-1996-1996', 'de-u-co-phonebk-u-nu-latn', 'de-t-en-1996-1996', 'de-t-abcde-abcde', 'x-de'],
    `en-x${'-abcd'.repeat(19)}`,
    `en-x${'-abcd'.repeat(20)}`,
    ...pairs,
    ...pairs.flatMap((pair) => letters.map((c) => pair + c)),
    ...[...pairs, ...numbers].map((region) => `sgn-${region}`),
    ...fc.sample(tag, { numRuns: 20_000, seed: 3 }),
  ]
  const { rows } = await admin.query<{ locale: string; language: string }>(
    'select locale, pub.language_of(locale) as language from unnest($1::text[]) as locale',
    [locales],
  )
  assert.deepEqual(
    rows.filter(({ locale, language }) => language !== primaryLanguage(locale)),
    [],
  )
  assert.ok(new Set(rows.map(({ language }) => language)).size > 10_000)
})

test('a language is known by its tag, and named by itself', () => {
  assert.deepEqual(['de-AT', 'PT_br', 'iw', 'und', 'english'].map(primaryLanguage), [
    'de',
    'pt',
    'he',
    'und',
    'english',
  ])
  assert.deepEqual(['de', 'und', 'UND', 'en-', 'german!', ''].map(isLanguageTag), [
    true,
    true,
    true,
    false,
    false,
    false,
  ])
  assert.deepEqual(['de', 'fr', 'ja', 'xx'].map(ownNameOf), ['Deutsch', 'Français', '日本語', ''])
})

test('initials are the beginning of the first word of some length, in any script', () => {
  for (const [text, initials] of [
    ['The case for slow tea', 'Ca'],
    ['on tea', 'On'],
    ['été', 'Ét'],
    ['茶壶知道的事', '茶壶'],
    ['केतली क्या', 'केत'],
    ['주전자가 아는 것', '주전'],
    ['الغلاية تعرف', 'غل'],
    ['12 ways', '12'],
    ['ßa', 'ßa'],
    ['👩‍👩‍👧‍👦 ☕️', ''],
    ['', ''],
  ]) {
    assert.equal(initialsOf(text!), initials, text)
  }
})

/** Characters that combine with each other, or change their number as capitals. */
const joining = fc.constantFrom(...Array.from('aßıŉΐᾳ\u0345\u0301\u0308\u1100\u1161\u11a8각कि\u094dกำلِב 字ﬁ１ⅷ𐐨'))

test('initials are short, and their own initials, whatever the text', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: joining, maxLength: 8 })), (text) => {
      const initials = initialsOf(text)
      assert.equal(initialsOf(initials), initials)
      assert.ok(Array.from(initials).length <= 6)
    }),
    { numRuns: 2_000 },
  )
})
