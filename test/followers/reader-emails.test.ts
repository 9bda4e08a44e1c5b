import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ReaderEmail } from '../../server/features/followers/reader-emails.ts'
import { htmlTree, isElement, textOf } from '../../server/platform/markdown/html-tree.ts'
import { testSite } from '../../testkit/app.ts'
import { deskOf } from '../../testkit/desk.ts'
import { asDesk, type MadeWriter, makePiece, makeWriter, unpublish } from '../../testkit/factories.ts'
import { mediaFolder, photograph, uploaderOf } from '../../testkit/media.ts'
import { makePieceInLocale } from '../../testkit/pages-site.ts'
import { readersOf, richText } from '../../testkit/reader-emails.ts'

/** What readers are sent: the whole piece, in words and as HTML that says the same, with nothing of others in it. */

const base = 'https://site.test'
const env = { SITE_NAME: 'Tea Site', MEDIA_URL: mediaFolder().url }
const site = await testSite(env)
const { admin, app } = site
const readers = readersOf(site, env)
const ada = await makeWriter(admin, { slug: 'ada-okafor', name: 'Ada Okafor' })

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
const plain = (text: string) => text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name]!)
const attributesOf = ({ html }: ReaderEmail, name: string) =>
  [...html.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g'))].map(([, value]) => plain(value!))

/** The words of the HTML part, with the descriptions of its pictures. */
const wordsOf = (markup: string): string[] =>
  plain(
    markup
      .replace(/<head>.*?<\/head>|<!--.*?-->/gs, '')
      .replace(/<img [^>]*alt="([^"]*)"[^>]*>/g, ' $1 ')
      .replace(/<\/?(?:p|h\d|li|td|th|div|tr|br|pre)\b[^>]*>/g, ' ')
      .replace(/<[^>]*>/g, ''),
  ).match(/[\p{L}\p{N}]+/gu) ?? []

function check(email: ReaderEmail): void {
  assert.doesNotMatch(
    email.html,
    /<(?:script|link|iframe|form|input|svg|object)\b|url\(|@import|javascript:|undefined|\[object/,
  )
  for (const address of attributesOf(email, 'href')) assert.match(address, /^https?:\/\//)
  for (const address of attributesOf(email, 'src')) assert.ok(address.startsWith(`${base}/media/`), address)
  assert.doesNotMatch(email.html, /srcset|background=/)
  for (const [image] of email.html.matchAll(/<img\b[^>]*>/g)) assert.match(image, / alt="/)
  assert.doesNotMatch(email.text, /^[-=_]{3,}$|<\/(?:p|a|li|div)>|&(?:amp|lt|quot);|undefined|\[object|\n{3}/m)
  assert.doesNotMatch(email.subject + email.fromName, /[\r\n]/)
  assert.ok(Buffer.byteLength(email.html) < 102_000)
  // Addresses are in both, and the text has those of links besides.
  const said = new Set(`${email.subject} ${email.text}`.match(/[\p{L}\p{N}]+/gu))
  assert.deepEqual(
    wordsOf(email.html).filter((word) => !said.has(word)),
    [],
  )
}

const publishAtDesk = async (writer: MadeWriter, draft: object) => {
  const desk = deskOf(app, writer)
  const id = await desk.begin({ category: 'culture', ...draft })
  const answer = await desk.act('publish', id)
  assert.equal(answer.statusCode, 200, answer.body)
  return id
}

test('an email of a piece is the piece: everything in its text, as HTML and in words', async () => {
  const hash = await uploaderOf(app, ada).upload(await photograph(1, { width: 1600, height: 900 }))
  const reader = await readers.follow(['author/ada-okafor', 'section/culture'])
  const id = await publishAtDesk(ada, {
    headline: 'On "tea" & time',
    sub: "It's four minutes.",
    body_md: richText(hash),
    cover: { image: `/media/${hash}`, alt: 'A kettle', caption: 'Steam', credit: 'Lin', focus: { x: 50, y: 50 } },
  })
  const email = await readers.written(reader, 'piece')
  check(email)
  assert.equal(email.subject, 'On “tea” & time')
  assert.equal(email.fromName, 'Ada Okafor, Tea Site')
  assert.match(
    email.text,
    /^Tea Site\n\nCulture\n\nOn “tea” & time\n\nIt’s four minutes\.\n\nAda Okafor · \d+ \p{L}+ \d{4} · 1 min read\n\n\[Picture: A kettle\]\nSteam · Picture: Lin\n\nA first heading\n\n/u,
  )
  for (const part of [
    'and nobody says so.[1] See the physics (https://physics.example/kettles?a=1&b=2), or not,',
    `the teas (${base}/author/ada-okafor/on-tea-time#s-a-table-of-teas).`,
    '[Picture: A brown teapot on a windowsill]\nThe old pot. Photo: Ada',
    'Tea: Assam; Minutes: 4; forgiving\nTea: Sencha; Minutes: 1; <b>unforgiving</b>',
    '1. First the small bubbles\n2. Then the large ones:\n   • It is short.\n   • It is loud.',
    '> The kettle is the last honest clock.\n>\n> It has never rounded down.',
    '    // Patience\n    const minutes = 4 < 5 && "four"',
    '\n\n* * *\n\n☑ Fill the kettle\n☐ Wait\n\n',
    '[Picture: A copper pot] (https://pictures.example/pot.jpg)',
    '\n\nhttps://example.org/a-lone-link\n\nThe end.[2]\n\n[1] The notebooks are in Kolkata.\n\n[2] Half past, on Sundays.',
  ])
    assert.ok(email.text.includes(part), part)
  assert.match(
    email.text,
    new RegExp(
      `Read on the site:\n${base}/author/ada-okafor/on-tea-time\n\nYou follow Ada Okafor and the section Culture\\.\n\nChange or stop:\n${base}/desk/following/\\S+\n\nProof of publication:\n${base}/p/${id}/receipt\n\nTea Site\n${base}\n$`,
    ),
  )
  for (const markup of [
    `src="${base}/media/${hash}/1280.webp" alt="A kettle" width="552" height="311"`,
    '<ol style=',
    'font-style:italic">The kettle is the last honest clock.</p>',
    'text-align:right">4</td>',
    '<del>or not</del>',
    '☑ Fill the kettle',
    '<a href="https://pictures.example/pot.jpg"',
    '<html lang="en" dir="ltr">',
    '@media (prefers-color-scheme: dark)',
    '[data-ogsc] p',
  ])
    assert.ok(email.html.includes(markup), markup)
  assert.match(
    email.html,
    /<pre style="[^"]*">\/\/ Patience\nconst minutes = 4 &lt; 5 &amp;&amp; &quot;four&quot;\n<\/pre>/,
  )
  const headings = [...email.html.matchAll(/<(h\d)\b[^>]*>(.*?)<\/\1>/g)].map(([, tag, inner]) => [
    tag,
    textOf(htmlTree(inner!).map((node) => (isElement(node) ? textOf(node.children) : node))),
  ])
  assert.deepEqual(headings, [
    ['h1', 'On “tea” & time'],
    ['h2', 'A first heading'],
    ['h3', 'A table of teas'],
  ])
})

test('the frame is in the language of the reader, and the piece in its own', async () => {
  const noor = await makeWriter(admin, { slug: 'noor', name: 'نور الهاشمي' })
  const reader = await readers.follow(['author/noor'], { language: 'de-AT' })
  await makePieceInLocale(admin, noor, 'ar', {
    headline: 'في مديح البطء',
    sub: null,
    body_md: 'لا يحب أحد الانتظار.\n\n- الماء أولاً\n\n> الصبر مفتاح الفرج.',
  })
  const email = await readers.written(reader, 'piece')
  check(email)
  assert.equal(email.subject, 'في مديح البطء')
  assert.match(email.html, /<html lang="de" dir="ltr">/)
  assert.match(email.html, /<div lang="ar" dir="rtl">/)
  assert.match(email.html, /padding-right:18px;border-right:3px/)
  assert.match(email.text, /Auf der Website lesen:[\s\S]*Sie folgen: نور الهاشمي\.[\s\S]*Ändern oder abbestellen:/)

  const arabic = await readers.follow(['author/noor'], { language: 'ar' })
  await makePiece(admin, noor, { headline: 'In English', locale: 'en' })
  const other = await readers.written(arabic, 'piece')
  check(other)
  assert.match(other.html, /<html lang="ar" dir="rtl">[\s\S]*<div lang="en" dir="ltr">/)
})

test('what people wrote is text, wherever it is put', async () => {
  const hostile = await makeWriter(admin, { slug: 'hostile', name: '<img src=x onerror=alert(1)>"\u202e' })
  const reader = await readers.follow(['author/hostile'])
  await makePiece(admin, hostile, {
    headline: '</title><script>alert(1)</script>',
    sub: '"><a href="javascript:alert(1)">x</a>',
    body_md:
      '<script>alert(1)</script> [x](javascript:alert(1)) ![y](http://evil.example/pixel.gif) ![](https://evil.example/pixel.gif)',
  })
  const email = await readers.written(reader, 'piece')
  assert.doesNotMatch(email.html, /<(?:script|img)\b|href="javascript|="[^"]*"[^<>]*onerror/)
  assert.match(email.html, /&lt;\/title&gt;&lt;script&gt;/)
  assert.match(email.text, /\[Picture: evil\.example\] \(https:\/\/evil\.example\/pixel\.gif\)/)
})

test('a piece that is too long for an email ends after a paragraph and goes on at the site', async () => {
  const reader = await readers.follow(['author/ada-okafor'])
  const paragraph = 'The kettle is the only clock in my kitchen that tells the truth. '.repeat(20)
  await makePiece(admin, ada, {
    headline: 'A long one',
    body_md: Array.from({ length: 70 }, (_, at) => `## Part ${at}\n\n${paragraph}\n\nNumber ${at} ends.`).join('\n\n'),
  })
  const email = await readers.written(reader, 'piece')
  check(email)
  assert.ok(Buffer.byteLength(email.html) > 80_000)
  assert.match(email.text, /(?:truth\.|ends\.)\n\nContinue reading on the site:\nhttps:/)
  assert.match(email.html, /Continue reading on the site/)
})

test('an update is in the next email of the piece', async () => {
  const desk = deskOf(app, ada)
  const id = await publishAtDesk(ada, { headline: 'Before the update', body_md: 'Old words.' })
  const reader = await readers.follow(['site'])
  // Announced to those who follow already; this one comes to read it by the next piece.
  const next = await publishAtDesk(ada, { headline: 'Typed in haste', body_md: 'Wrnog words.' })
  const email = await readers.due(reader, 'piece')
  assert.match((await readers.write(email))!.text, /Wrnog words\./)
  await desk.ask('PATCH', `pieces/${next}`, { body_md: 'Right words.' }, { 'if-match': '*' })
  assert.equal((await desk.act('update', next)).statusCode, 200)
  assert.match((await readers.write(email))!.text, /Right words\.[\s\S]*You follow Tea Site\./)
  assert.notEqual(id, next)
})

test('nothing is written about a piece that is gone, nor to a reader who has stopped', async () => {
  const berta = await makeWriter(admin, { slug: 'berta', name: 'Berta Brandt' })
  const [one, other] = [await readers.follow(['author/berta']), await readers.follow(['author/berta'])]
  const id = await makePiece(admin, berta, { headline: 'Not for long' })
  const [first, second] = [await readers.due(one, 'piece'), await readers.due(other, 'piece')]
  assert.ok(await readers.write(first))
  await readers.stop(other)
  assert.equal(await readers.write(second), undefined)
  await unpublish(admin, berta, id)
  assert.equal(await readers.write(first), undefined)
})

test('an email that asks to confirm names what waits, and says so if nothing does', async () => {
  await makePiece(admin, ada, { headline: 'Tagged', tags: ['Green tea'] })
  const reader = await readers.ask(['author/ada-okafor', 'section/life', 'topic/green-tea'])
  const email = await readers.written(reader, 'confirm')
  check(email)
  const page = readers.context.reads.urls.following(readers.context.keys.readerToken(reader))
  assert.equal(email.fromName, undefined)
  assert.equal(email.subject, 'Confirm your emails from Tea Site')
  assert.match(email.text, /^You asked to follow Ada Okafor, the section Life and the topic Green tea by email\./)
  assert.ok(email.text.includes(`Confirm:\n${page}\n`))
  assert.equal(email.html.match(/class="action"/g)?.length, 1)
  const waiting = await readers.due(reader, 'confirm')
  await readers.confirm(reader)
  const known = (await readers.write(waiting))!
  assert.match(known.text, /^You already follow Ada Okafor, the section Life and the topic Green tea\./)
  assert.ok(known.text.includes(`Change or stop:\n${page}\n`))
  await readers.stop(reader)
  assert.equal(await readers.write(waiting), undefined)
})

test('a welcome has the words of the writer, with links', async () => {
  const greeter = await makeWriter(admin, { slug: 'greta', name: 'Greta' })
  const say = (text: string | null) =>
    asDesk(admin, greeter, (client) => client.query('select app.set_welcome($1)', [text]))
  await say('Dear <reader>,\nwelcome.\r\n\r\nBegin at https://greta.example/start?a=1&b=2. (Or not.)')
  const reader = await readers.follow(['author/greta'])
  const email = await readers.due(reader, 'welcome')
  const written = (await readers.write(email))!
  check(written)
  assert.equal(written.subject, 'Welcome from Greta')
  assert.equal(written.fromName, 'Greta, Tea Site')
  assert.ok(written.html.includes('Dear &lt;reader&gt;,<br>welcome.</p>'))
  assert.ok(written.html.includes('>https://greta.example/start?a=1&amp;b=2</a>. (Or not.)</p>'))
  assert.match(
    written.text,
    /Dear <reader>,\nwelcome\.\n\nBegin at https:\/\/greta\.example\/start\?a=1&b=2\. \(Or not\.\)/,
  )
  assert.match(written.text, /You follow Greta\./)
  await say(null)
  assert.equal(await readers.write(email), undefined)
})

test('a digest lists what is new, the newest first', async () => {
  const cleo = await makeWriter(admin, { slug: 'cleo', name: 'Cleo' })
  const daily = await readers.follow(['author/cleo'], { frequency: 'daily' })
  const weekly = await readers.follow(['author/cleo'], { frequency: 'weekly', language: 'fr' })
  const first = await makePiece(admin, cleo, { headline: 'The first', body_md: 'How it began.' })
  await makePiece(admin, cleo, { headline: 'Der zweite', locale: 'de', sub: 'Wie es weiterging.' })
  const email = await readers.written(daily, 'daily')
  check(email)
  assert.equal(email.subject, 'Der zweite and 1 more')
  assert.equal(email.fromName, undefined)
  assert.match(
    email.text,
    /^Tea Site\n\nNew on Tea Site\n\nAufbauen\n\nDer zweite\n\nWie es weiterging\.\n\nCleo · .+\n\nhttps:\/\/site\.test\/author\/cleo\/der-zweite\n\nBuilding\n\nThe first\n\nHow it began\.[\s\S]*You follow Cleo, with one email a day\./,
  )
  assert.match(email.html, /<div lang="de" dir="ltr">[\s\S]*<div lang="en" dir="ltr">/)
  const other = await readers.written(weekly, 'weekly')
  check(other)
  assert.match(other.subject, /^Der zweite et 1 autre article$/)

  const due = await readers.due(daily, 'daily')
  await unpublish(admin, cleo, first)
  assert.equal((await readers.write(due))!.subject, 'Der zweite')
  await admin.query('delete from app.announcements where daily is not null')
  assert.equal(await readers.write(due), undefined)
})
