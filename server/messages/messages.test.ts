import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compile, kindsOf } from './compile.ts'
import { formatParts, formatsFor, formatText } from './format.ts'
import { message } from './message.ts'
import { fromStored, toStored } from './stored.ts'
import { nearestLanguage, translatorFor, translatorOf } from './translator.ts'
import { typesOf } from './write.ts'

const say = (message: string, values = {}, locale = 'en-GB') =>
  formatText(compile(message), values, formatsFor(locale, 'UTC'))

test('a message without values is its own text', () => {
  assert.equal(compile('You’ll get an email.'), 'You’ll get an email.')
  assert.equal(say("It's '{'here'}'"), "It's {here}")
})

test('plurals follow the rules of the language, exact counts come first, and # is the number as it is written there', () => {
  const pieces = '{count, plural, =0 {no pieces} one {# piece} other {# pieces}}'
  assert.deepEqual(
    [0, 1, 2, 12_000].map((count) => say(pieces, { count })),
    ['no pieces', '1 piece', '2 pieces', '12,000 pieces'],
  )
  const arabic = '{count, plural, zero {٠} one {واحد} two {اثنان} few {قليل} many {كثير} other {غيرها}}'
  assert.deepEqual(
    [1, 2, 3, 11, 100].map((count) => say(arabic, { count }, 'ar')),
    ['واحد', 'اثنان', 'قليل', 'كثير', 'غيرها'],
  )
  assert.equal(say('{n, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}', { n: 22 }), '22nd')
  assert.equal(say('{n, plural, offset:1 =1 {you} other {you and # more}}', { n: 3 }), 'you and 2 more')
})

test('select falls back to other', () => {
  const message = '{state, select, paused {Paused} other {On}}'
  assert.deepEqual([say(message, { state: 'paused' }), say(message, { state: 'x' })], ['Paused', 'On'])
})

test('numbers and dates are those of the language', () => {
  const at = '2026-03-14T09:05:00Z'
  assert.equal(say('{at, date, long}', { at }), '14 March 2026')
  assert.equal(say('{at, date, long}', { at }, 'en-US'), 'March 14, 2026')
  assert.equal(say('{at, date, ::dMMM}', { at }, 'de'), '14. März')
  assert.equal(say('{at, time, short}', { at }, 'de'), '09:05')
  assert.equal(say('{share, number, percent} of {all}', { share: 0.5, all: 1234.5 }, 'de'), '50\u00a0% of 1.234,5')
})

test('tags are functions of what they hold, and values stay what they are', () => {
  const join = (parts: readonly unknown[]): unknown => ({ parts })
  const link = (content: unknown) => ({ link: content })
  const parts = formatParts(
    compile('Read <link>{name}’s <b>piece</b></link>.'),
    { link, b: link, name: 'Ada' },
    formatsFor('en'),
    join,
  )
  assert.deepEqual(parts, ['Read ', { link: { parts: ['Ada', '’s ', { link: { parts: ['piece'] } }] } }, '.'])
})

test('a malformed message is refused', () => {
  for (const message of ['{open', '{n, plural, one {x}}', '<b>x', '{}']) assert.throws(() => compile(message), message)
})

test('the types of a message are those of its values', () => {
  assert.deepEqual(
    [...kindsOf(compile('{n, plural, one {{a}} other {<b>{at, date}</b>}} {s, select, x {} other {}}'))],
    [
      ['n', 'number'],
      ['a', 'text'],
      ['b', 'tag'],
      ['at', 'date'],
      ['s', 'select other x'],
    ],
  )
  assert.match(typesOf({ 'a.b': '{n}' }), /'a\.b': \{ n: 'text' \}/)
})

test('the nearest language is found for tags and for Accept-Language', () => {
  assert.equal(nearestLanguage('en-AU'), 'en')
  assert.equal(nearestLanguage('EN;q=0.8'), 'en')
  assert.equal(nearestLanguage('en-us,en;q=0.9'), 'en-US')
  assert.equal(nearestLanguage('tlh'), undefined)
})

test('English is British or American: spelling, dates and times', () => {
  const [british, american] = [translatorOf('en'), translatorOf('en-US')]
  assert.equal(british('docs.embeds.accent_colour'), 'Accent colour')
  assert.equal(american('docs.embeds.accent_colour'), 'Accent color')
  assert.equal(american('site.nav.search'), british('site.nav.search'))
  const at = '2026-03-14T17:05:00Z'
  const time = { dateStyle: 'long', timeStyle: 'short' } as const
  assert.equal(british.date(at, time), '14 March 2026 at 17:05')
  assert.equal(american.date(at, time).replace('\u202f', ' '), 'March 14, 2026 at 5:05 PM')
})

test('a text in English keeps the variant of the site it is on', () => {
  const american = translatorOf('en-US')
  assert.equal(translatorFor('en', american), american)
  assert.equal(translatorFor('en-GB', american).language, 'en')
  assert.equal(translatorFor('de', american).language, 'de')
  assert.equal(translatorFor('tlh', american), american)
})

test('a stored message is put into words when it is read; what was stored as text stays as it is', () => {
  const stored = toStored(message('error.outbound.no_address', { name: 'example.org' }))
  assert.match(fromStored(stored, translatorOf('en')), /^The host name example\.org has no IP address\./)
  assert.match(fromStored(stored, translatorOf('de')), /^Der Hostname example\.org hat keine IP-Adresse\./)
  for (const text of ['https://example.org/', 'The page loads.', '{"id":"error.of_another_release","values":{}}'])
    assert.equal(fromStored(text, translatorOf('de')), text)
})
