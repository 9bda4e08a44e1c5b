import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import sharp from 'sharp'
import { publishProfile, renameWriter, setVerified } from '../../server/features/authors/writers.ts'
import { testApp, testSite } from '../../testkit/app.ts'
import { inTransaction, makeDraft, makePiece, makeWriter, unpublish } from '../../testkit/factories.ts'
import { withoutId } from '../../testkit/http.ts'
import { until } from '../../testkit/waiting.ts'

/** Open Graph images, requested as other sites do. */

const { url, admin, app } = await testSite()
const writer = await makeWriter(admin, {
  slug: 'ada',
  name: 'Ada Okafor',
  bio: 'Writes about kitchens.',
  location: 'Lagos',
})

type Asked = Pick<InjectOptions, 'method' | 'headers'>

/** Asks again when the server is busy, as its answer says. */
const ask = (path: string, more: Asked = {}, server: FastifyInstance = app): Promise<LightMyRequestResponse> =>
  until(async () => {
    const answer = await server.inject({ url: path, ...more })
    return answer.statusCode !== 503 && answer
  }, `${path} is answered by anything but 503`)

const pieceImage = (id: string) => `/image/piece/${id}.png`
const authorImage = (slug: string) => `/image/author/${slug}.png`

/** Width and height are in the first chunk of every PNG. */
function sizeOf(png: Buffer): [number, number] {
  assert.equal(png.subarray(0, 8).toString('latin1'), '\x89PNG\r\n\x1a\n')
  return [png.readUInt32BE(16), png.readUInt32BE(20)]
}

test('a piece and an author have a picture of 1200 × 630 in at most 100 kB, open to every site', async () => {
  const id = await makePiece(admin, writer, { headline: 'On tea', sub: 'Four minutes.' })
  for (const path of [pieceImage(id), pieceImage(id.toUpperCase()), authorImage('ada')]) {
    const { statusCode, headers, rawPayload } = await ask(path)
    assert.deepEqual([statusCode, headers['content-type']], [200, 'image/png'], path)
    assert.deepEqual(sizeOf(rawPayload), [1200, 630])
    assert.ok(rawPayload.length <= 100_000, `${rawPayload.length} bytes`)
    assert.equal(headers['access-control-allow-origin'], '*')
    assert.equal(headers['cross-origin-resource-policy'], 'cross-origin')
    assert.equal(headers['set-cookie'], undefined)
  }
})

test('a picture is kept at the edge as long as any answer, by the names it is purged by', async () => {
  const id = await makePiece(admin, writer)
  const { headers } = await ask(pieceImage(id))
  assert.equal(headers['cache-control'], 'public, max-age=0, s-maxage=30, must-revalidate')
  assert.equal(headers['surrogate-key'], `piece-${id} byline-ada`)
  assert.equal((await ask(authorImage('ada'))).headers['surrogate-key'], 'author-ada byline-ada')
})

test('whoever has the picture gets 304, and HEAD tells its length', async () => {
  const id = await makePiece(admin, writer, { headline: 'Twice asked' })
  const first = await ask(pieceImage(id))
  const etag = String(first.headers['etag'])
  assert.match(etag, /^"[\w-]+"$/)
  const again = await ask(pieceImage(id), { headers: { 'if-none-match': etag } })
  assert.deepEqual([again.statusCode, again.rawPayload.length], [304, 0])
  const head = await ask(pieceImage(id), { method: 'HEAD' })
  assert.deepEqual(
    [head.statusCode, head.rawPayload.length, head.headers['content-length']],
    [200, 0, String(first.rawPayload.length)],
  )
})

test('what is not public has no picture: the same 404 for drafts, unpublished pieces and what never was', async () => {
  const draft = await makeDraft(admin, writer, { headline: 'Not yet' })
  const gone = await makePiece(admin, writer, { headline: 'No more' })
  assert.equal((await ask(pieceImage(gone))).statusCode, 200)
  await unpublish(admin, writer, gone)
  const hidden = await makeWriter(admin, { shown: false })
  const never = '00000000-0000-4000-8000-000000000000'
  const answers = await Promise.all([never, draft, gone, 'x', '..%2f..%2fetc'].map((id) => ask(pieceImage(id))))
  for (const { statusCode, body, headers } of answers) {
    assert.deepEqual(
      [statusCode, withoutId(body), headers['cache-control']],
      [404, withoutId(answers[0]!.body), 'no-store'],
    )
  }
  for (const slug of ['nobody', hidden.slug, 'Ada', 'a.b', '%00']) {
    assert.equal((await ask(authorImage(slug))).statusCode, 404, slug)
  }
  assert.equal((await ask('/image/piece/')).statusCode, 404)
})

test('a former address leads to the picture at the present one', async () => {
  const renamed = await makeWriter(admin, { slug: 'grace-old', name: 'Grace' })
  await inTransaction(admin, async (client) => {
    await renameWriter(client, 'grace-old', 'grace')
    await publishProfile(client, renamed.id)
  })
  const answer = await ask(authorImage('grace-old'))
  assert.deepEqual([answer.statusCode, answer.headers.location], [301, 'https://site.test/image/author/grace.png'])
})

test('the picture changes with what it shows', async () => {
  const other = await makeWriter(admin, { slug: 'edsger', name: 'Edsger' })
  const id = await makePiece(admin, other, { headline: 'A headline' })
  const looks = async () =>
    [await ask(pieceImage(id)), await ask(authorImage('edsger'))].map(({ headers }) => headers['etag'])
  const before = await looks()
  assert.deepEqual(await looks(), before)
  await inTransaction(admin, async (client) => {
    await setVerified(client, 'edsger', 'identity', true)
    await publishProfile(client, other.id)
  })
  const ticked = await looks()
  assert.notEqual(ticked[0], before[0])
  assert.notEqual(ticked[1], before[1])
})

test('a standfirst is shown, and the beginning of the text is not taken for one', async () => {
  const body_md = 'The kettle is on. It takes four minutes, and then it is off.'
  const [without, withOne, alike] = await Promise.all([
    makePiece(admin, writer, { headline: 'Same', body_md }),
    makePiece(admin, writer, { headline: 'Same', body_md, sub: 'What waiting is for.' }),
    makePiece(admin, writer, { headline: 'Same', body_md: `${body_md} ${'More of it. '.repeat(40)}` }),
  ])
  const words = [without, withOne, alike].map(async (id) =>
    inkedColumns((await ask(pieceImage(id))).rawPayload, ...middleRows),
  )
  const [plain, stood, long] = await Promise.all(words)
  assert.notDeepEqual(plain, stood)
  assert.deepEqual(plain, long)
})

const paper = Buffer.from('fcfaf6', 'hex')
const panelWidth = 440

/** The columns of a band of rows that are not background, without the cover: it is at the left where lines end there. */
async function inkedColumns(png: Buffer, top: number, bottom: number): Promise<number[]> {
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const isPaper = (x: number, y: number) =>
    paper.every((value, channel) => Math.abs(data[3 * (y * info.width + x) + channel]! - value) < 5)
  // A cover that is drawn may have the colour of paper in one channel, or in one column.
  const margin = Array.from({ length: info.height * 50 }, (_, at) => isPaper(at % 50, Math.floor(at / 50)))
  const isMirrored = !margin.every(Boolean)
  const isPanel = (x: number) => (isMirrored ? x < panelWidth : x >= info.width - panelWidth)
  const isInk = (x: number, y: number) => !isPanel(x) && Math.abs(data[3 * (y * info.width + x)]! - paper[0]!) > 24
  const rows = Array.from({ length: bottom - top }, (_, row) => top + row)
  return Array.from({ length: info.width }, (_, x) => x).filter((x) => rows.some((y) => isInk(x, y)))
}

const middleRows = [180, 520] as const

for (const [language, headline, name] of [
  ['zh', '茶壶知道的事：一个组织如何学会“等待”', '鲁迅'],
  ['ja', 'やかんが知っていること、「待つ」ことについて', '村上春樹'],
  ['ko', '주전자가 아는 것: 기다리는 법', '한강'],
  ['ar', 'ما تعرفه الغلاية عن الانتظار', 'نجيب محفوظ'],
  ['he', 'מה שהקומקום יודע על ההמתנה', 'עמוס עוז'],
  ['hi', 'केतली क्या जानती है: प्रतीक्षा', 'महादेवी वर्मा'],
  ['th', 'กาต้มน้ำรู้อะไรเกี่ยวกับการรอคอย', 'สุนทรภู่'],
  ['ru', 'Что знает чайник об ожидании', 'Фёдор Достоевский'],
  ['el', 'Τι ξέρει ο βραστήρας', 'Γιώργος Σεφέρης'],
] as const) {
  test(`a headline and a name are drawn in their script, on the right side: ${language}`, async () => {
    const other = await makeWriter(admin, { slug: `writer-${language}`, name })
    const draw = async (given: string) =>
      (await ask(pieceImage(await makePiece(admin, other, { headline: given, locale: language })))).rawPayload
    const png = await draw(headline)
    assert.deepEqual(sizeOf(png), [1200, 630])
    assert.ok(!png.equals(await draw(headline.slice(0, -2))), 'every letter counts')
    const columns = await inkedColumns(png, ...middleRows)
    assert.ok(columns.length > 200, 'a headline of some width')
    assert.ok(columns[0]! >= 56 && columns.at(-1)! <= 1144, `from ${columns[0]} to ${columns.at(-1)}`)
    const isRightToLeft = language === 'ar' || language === 'he'
    const [before, after] = [columns[0]! - 64, 1136 - columns.at(-1)!]
    assert.ok(isRightToLeft ? after < 10 : before < 10, `${before} before, ${after} after`)
    const foot = await inkedColumns(png, 530, 600)
    assert.ok(isRightToLeft ? foot[0]! > 600 : foot.at(-1)! < 600)
    assert.equal((await ask(authorImage(other.slug))).statusCode, 200)
  })
}

test('no headline leaves its picture, in whatever script and however long', async () => {
  for (const headline of [
    'W'.repeat(67),
    '茶'.repeat(200),
    'الغلاية'.repeat(28),
    'क्ष'.repeat(66),
    'กาต้มน้ำ'.repeat(25),
    `Why “${'مرحبا '.repeat(20)}” is long, שלום`,
    `كتاب ${'The Kettle '.repeat(15)}`,
    '👩‍👩‍👧‍👦🇯🇵 茶 ☕️'.repeat(6),
    `ض${'\u064b'.repeat(80)} e${'\u0301'.repeat(80)}`,
  ]) {
    const png = (await ask(pieceImage(await makePiece(admin, writer, { headline })))).rawPayload
    const columns = await inkedColumns(png, 0, 630)
    assert.ok(
      columns[0]! >= 56 && columns.at(-1)! <= 1144 && (columns.at(-1)! <= 712 || columns[0]! >= 488),
      `${headline.slice(0, 20)}: ${columns[0]}, ${columns.at(-1)}`,
    )
    assert.deepEqual(await inkedColumns(png, 0, 50), [])
    assert.deepEqual(await inkedColumns(png, 592, 630), [])
  }
})

test('more pictures at once than the site draws are refused for a moment, and drawn then', async () => {
  const ids: string[] = []
  for (let n = 0; n < 24; n++) ids.push(await makePiece(admin, writer, { headline: `One of many, ${n}` }))
  const answers = await Promise.all(ids.map((id) => app.inject(pieceImage(id))))
  const refused = answers.filter(({ statusCode }) => statusCode === 503)
  assert.ok(refused.length >= 10, `${refused.length} refused`)
  for (const { statusCode } of answers) assert.ok([200, 503].includes(statusCode), `${statusCode}`)
  for (const { headers } of refused) {
    assert.deepEqual([headers['retry-after'], headers['cache-control']], ['2', 'no-store'])
  }
  for (const id of ids) assert.equal((await ask(pieceImage(id))).statusCode, 200)
})

test('an address that asks for pictures all the time is told when to come back', async () => {
  const hasty = await testApp(url, { RATE_SEARCH: '3' })
  const id = await makePiece(admin, writer, { headline: 'Often asked' })
  const asked = await Promise.all(Array.from({ length: 8 }, () => ask(pieceImage(id), {}, hasty)))
  assert.ok(asked.some(({ statusCode }) => statusCode === 429))
})

test('a site draws its own name, and its mark if it has one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'site-'))
  after(() => rm(folder, { recursive: true }))
  const mark = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 9 9 0"/></svg>'
  await writeFile(join(folder, 'mark.svg'), mark)
  const id = await makePiece(admin, writer, { headline: 'Whose is it?' })
  const sites: Record<string, string>[] = [
    {},
    { SITE_NAME: 'The Kettle' },
    { SITE_NAME: 'The Kettle', SITE_FOLDER: folder },
  ]
  const looks = new Set<unknown>()
  for (const settings of sites) {
    const { statusCode, headers } = await ask(pieceImage(id), {}, await testApp(url, settings))
    assert.equal(statusCode, 200)
    looks.add(headers['etag'])
  }
  assert.equal(looks.size, 3)
})
