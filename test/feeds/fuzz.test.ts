import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import type { PublishedPiece } from '../../server/features/pieces/public-lists.ts'
import { urlsFor } from '../../server/features/urls.ts'
import { type Channel, type Feed, feedOf } from '../../server/http/feeds/feed.ts'
import { writeJsonFeed, writeRss } from '../../server/http/feeds/formats.ts'
import { type Random, randomFrom } from '../../server/seed/random.ts'
import { readJsonFeed, readRss } from './readers.ts'

/** Random text of troublesome characters. */

const bits: readonly string[] = [
  ...'abc XYZ 012 .,;:!?',
  ...'<>&"\'\\/=-_()[]{}#%',
  ...['\t', '\n', '\r', '\r\n', '\u0000', '\u0001', '\u0003', '\u0008', '\u000b', '\u000c', '\u001b', '\u001f'],
  ...['\u007f', '\u0080', '\u0085', '\u009f', '\u00a0', '\u00ad', '\u2028', '\u2029', '\ufeff', '\ufffd'],
  ...['\ufffe', '\uffff', '\u{1fffe}', '\u{1ffff}', '\u{10ffff}', '\ufdd0', '\ue000', '\u{f0000}'],
  ...['\ud800', '\udbff', '\udc00', '\udfff', '\ud83d', '\ude00'],
  ...['\u202a', '\u202e', '\u2066', '\u2069', '\u200f', '\u061c', '\u200b', '\u200d', '\u2060'],
  ...['é', 'e\u0301', 'ß', 'İ', 'ﬁ', 'Ω', 'ѣ', '茶', '한', 'ไทย', 'क्षि', 'עברית', 'العربية', '\u{20000}', '𝔘'],
  ...['😀', '👩‍👩‍👧‍👦', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}', '🇨🇭', '👍🏽', 'z̸̢̛̖̗'],
  ...[']]>', '<![CDATA[', '<!--', '-->', '<?xml?>', '<!DOCTYPE x [<!ENTITY y "z">]>', '&y;', '&amp;', '&lt;', '&#0;'],
  ...['&#x1;', '&nbsp;', '&', '&;', '&#', '</title>', '</item>', '</channel></rss>', '<script>alert(1)</script>'],
  ...['<a href="#x">', '\\u0000', '\\"', '","', '"}', '$&', '$1', '%s', '%00', '{{x}}', 'javascript:alert(1)'],
  ...['__proto__', 'constructor', 'null', 'undefined', 'NaN', '\u0000\u0000', ' ', '   '],
]

/** Mostly known troublemakers, sometimes any code unit. */
function wildText(random: Random, most: number): string {
  let text = ''
  for (let left = random.integer(most + 1); left > 0; left -= 1) {
    text += random.chance(0.1) ? String.fromCharCode(random.integer(0x10000)) : random.pick(bits)
  }
  return text
}

/** The characters that XML 1.0 can represent, by its production Char. */
const speakable = (text: string): string => [...text].filter((one) => isChar(one.codePointAt(0)!)).join('')

const isChar = (code: number): boolean =>
  code === 0x9 ||
  code === 0xa ||
  code === 0xd ||
  (code >= 0x20 && code <= 0xd7ff) ||
  (code >= 0xe000 && code <= 0xfffd) ||
  (code >= 0x10000 && code <= 0x10ffff)

/**
 * Names, titles and bodies of any characters, including those that validation refuses: every feed is well-formed, and
 * parsing it gives the original text. `FEED_ITEMS` is how many (100,000 is the long form); `FEED_SEED`
 * repeats a run.
 */

const total = Number(process.env['FEED_ITEMS'] ?? 2_500)
const seed = Number(process.env['FEED_SEED'] ?? randomInt(2 ** 31))
const perFeed = 100
const atOnce = 50

const urls = urlsFor('https://site.test')

function wildPiece(random: Random, name: string): PublishedPiece {
  const uuid = random.uuid()
  const published = new Date(random.integer(2 ** 31) * 1000 + random.integer(1000)).toISOString()
  const url = urls.piece('ada', 'a-piece')
  return {
    uuid,
    slug: 'a-piece',
    authorId: uuid,
    publicSince: '2026-01-01T00:00:00.000Z',
    standfirst: null,
    meta: null,
    versions: [],
    topics: [],
    previous: null,
    next: null,
    piece: {
      id: urls.pieceId(uuid),
      url,
      ...(random.chance(0.1) ? { external_url: 'https://x.example/?a=1&b=%22' } : {}),
      title: wildText(random, 12),
      language: random.pick(['en', 'pt-BR', 'zh-Hant', 'de-1996']),
      summary: wildText(random, 20),
      content_html: wildText(random, 60),
      content_text: wildText(random, 60),
      date_published: published,
      date_modified: published,
      tags: Array.from({ length: random.integer(4) }, () => wildText(random, 3)),
      category: 'life',
      kind: wildText(random, 3),
      authors: [{ name, slug: 'ada', url: urls.profile('ada'), avatar: null, identity_verified: random.chance(0.5) }],
    },
  }
}

function wildFeed(random: Random): Feed {
  const name = `N${wildText(random, 10)}`
  const channel: Channel = {
    source: {},
    title: name,
    description: wildText(random, 30),
    hub: urls.feedHub(),
    page: urls.profile('ada'),
    json: urls.feedJson('ada'),
    rss: urls.feedRss('ada'),
    favicon: urls.page('favicon.svg'),
    language: 'en',
    author: { name, url: urls.profile('ada'), avatar: null },
    tags: [],
  }
  const pieces = Array.from({ length: perFeed }, () => wildPiece(random, name))
  return feedOf(channel, pieces, { cursor: undefined, nextCursor: random.chance(0.5) ? 'x_-9' : null, edition: '' })
}

const leadingToPage = (html: string, url: string) => html.split('<a href="#').join(`<a href="${url}#`)

test(`${total} wild pieces come out of JSON Feed as they went in (FEED_SEED=${seed})`, () => {
  for (let feeds = 0; feeds * perFeed < total; feeds += 1) {
    const feed = wildFeed(randomFrom(seed, feeds))
    const read = readJsonFeed(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(writeJsonFeed(feed)))
    assert.equal(read.title, feed.channel.title)
    assert.equal(read.description, feed.channel.description)
    assert.equal(read.items.length, perFeed)
    for (const [at, { piece }] of feed.pieces.entries()) {
      const [{ avatar: _, ...author }] = piece.authors as [(typeof piece.authors)[0]]
      assert.deepEqual(read.items[at], {
        ...piece,
        content_html: leadingToPage(piece.content_html!, piece.url),
        authors: [author],
        language: piece.language,
      })
    }
  }
})

test(`${total} wild pieces come out of RSS as they went in, but for what XML cannot hold (FEED_SEED=${seed})`, () => {
  for (let feeds = 0; feeds * perFeed < total; feeds += atOnce) {
    const batch = Array.from({ length: Math.min(atOnce, Math.ceil(total / perFeed) - feeds) }, (_, at) =>
      wildFeed(randomFrom(seed, feeds + at)),
    )
    const read = readRss(batch.map(writeRss))
    assert.equal(read.length, batch.length)
    for (const [at, feed] of batch.entries()) isAsWritten(read[at]!, feed)
  }
})

function isAsWritten(read: ReturnType<typeof readRss>[number], { channel, pieces }: Feed): void {
  assert.equal(read.title, speakable(channel.title))
  assert.equal(read.description, speakable(channel.description))
  assert.equal(read.items.length, perFeed)
  for (const [at, { piece }] of pieces.entries()) {
    const { title, summary, content, creators, categories, guid, link, updated, pubDate, language } = read.items[at]!
    assert.equal(title, speakable(piece.title))
    assert.equal(summary, speakable(piece.summary))
    assert.equal(content, speakable(leadingToPage(piece.content_html!, piece.url)))
    assert.deepEqual(creators, [speakable(channel.title)])
    assert.deepEqual(
      categories,
      [...new Set([piece.category, ...piece.tags])].filter(Boolean).map((one) => speakable(one!)),
    )
    assert.deepEqual([guid, link, updated, language], [piece.id, piece.url, piece.date_modified, piece.language])
    assert.equal(Date.parse(pubDate), Math.floor(Date.parse(piece.date_published) / 1000) * 1000)
  }
}
