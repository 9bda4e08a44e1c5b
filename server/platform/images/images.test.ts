import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import sharp from 'sharp'
import { readAnswer } from './image-intake.ts'
import type { OgImageContent } from './og-image/poster.ts'
import { createOgImageRenderer } from './og-image/worker.ts'

/** Images as pixels: what is drawn is in its place, and what cannot be drawn leaves no trace. */

const drawer = createOgImageRenderer()
after(() => drawer.close())

const blank: OgImageContent = {
  site: 'Standfirst',
  mark: null,
  kicker: 'Life',
  title: 'On tea',
  titleTicked: false,
  text: null,
  foot: 'Ada Okafor',
  footTicked: false,
}
const draw = (given: Partial<OgImageContent>) => drawer.draw({ ...blank, ...given })

interface Pixels {
  readonly data: Buffer
  readonly width: number
  readonly height: number
}

async function pixelsOf(png: Buffer): Promise<Pixels> {
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  assert.deepEqual([info.width, info.height, info.channels], [1200, 630, 3])
  return { data, width: info.width, height: info.height }
}

/** The bounding box of everything that is not background. */
function inkBox({ data, width, height }: Pixels, rows: readonly [number, number] = [0, height]) {
  const paper = data.subarray(0, 3)
  const box = { left: width, right: 0, top: height, bottom: 0 }
  for (let y = rows[0]; y < rows[1]; y++) {
    for (let x = 0; x < width; x++) {
      const at = 3 * (y * width + x)
      const apart = [0, 1, 2].some((channel) => Math.abs(data[at + channel]! - paper[channel]!) > 24)
      if (!apart) continue
      box.left = Math.min(box.left, x)
      box.right = Math.max(box.right, x)
      box.top = Math.min(box.top, y)
      box.bottom = Math.max(box.bottom, y)
    }
  }
  return box
}

const words = 'What the kettle knows about how an organisation learns to wait for those who never come'
const hard: Record<string, Partial<OgImageContent>> = {
  'one letter': { title: 'A' },
  'a long headline': { title: `${words} ${words}`.slice(0, 200), text: `${words} `.repeat(5).slice(0, 400) },
  'letters without a space': { title: 'W'.repeat(200), text: 'M'.repeat(400), foot: 'W'.repeat(80), footTicked: true },
  'the widest words': { title: 'MMMMMMMM WWWWWWWW '.repeat(11), text: 'WWWW '.repeat(80), kicker: 'W'.repeat(120) },
  'one long German word': { title: 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz' },
  'small letters': { title: 'i l '.repeat(50), text: 'il'.repeat(200) },
  'Cyrillic, Greek, Vietnamese': { title: 'Что знает чайник', text: 'Τι ξέρει ο βραστήρας', foot: 'Nguyễn Thị Hương' },
  'a writer with everything': {
    title: 'Maximilian Alexander von und zu Hohenberg-Sigmaringen-Wittelsbach the Younger',
    titleTicked: true,
    kicker: 'Editor at large, The Quarterly Review of Kitchens and Related Rooms',
    text: `${words} `.repeat(20),
    foot: 'Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch · 12,345 pieces',
  },
  'a site with a long name': { site: 'The International Quarterly Review of Kettles, Cups, Saucers and Spoons' },
  'marks upon marks': { title: `e${'\u0301'.repeat(60)} o${'\u0308\u0304'.repeat(30)} a`, text: '\u0301'.repeat(100) },
  'white space of every kind': { title: ' \u00a0\u2003 tea\u3000\n\t time \u200b\u2028 ', text: '\n\n\n' },
  'punctuation alone': { title: '… — !?', text: '***', foot: '---' },
  'nothing at all': { title: '', text: '', foot: '', kicker: '', site: '' },
}

for (const [what, given] of Object.entries(hard)) {
  test(`${what}: a picture of at most 100 kB with its margins free`, async () => {
    const png = await draw(given)
    assert.ok(png.length <= 100_000, `${png.length} bytes`)
    const { left, right, top, bottom } = inkBox(await pixelsOf(png))
    assert.ok(left >= 64 && right <= 1136, `from ${left} to ${right}`)
    assert.ok(top >= 50 && bottom <= 590, `from ${top} to ${bottom}`)
  })
}

test('a headline never runs into the foot, and a long one is smaller than a short one', async () => {
  const footOf = async (given: Partial<OgImageContent>) =>
    inkBox(await pixelsOf(await draw({ foot: null, ...given })), [140, 630])
  for (const title of [words, `${words}, and then some more of it`, 'tea '.repeat(50), 'jQgpy '.repeat(33)]) {
    for (const text of [null, `${words} `.repeat(4)]) {
      const { bottom } = await footOf({ title, text })
      assert.ok(bottom < 520, `${title.slice(0, 20)}… ends at ${bottom}`)
    }
  }
  const tall = async (title: string) => {
    const { top, bottom } = await footOf({ title })
    return bottom - top
  }
  assert.ok((await tall('Tea')) > 60)
})

const same = async (one: Partial<OgImageContent>, other: Partial<OgImageContent>): Promise<boolean> =>
  (await draw(one)).equals(await draw(other))

test('a script the typeface lacks is left out whole: two such headlines make one picture, without boxes', async () => {
  const emblem = { title: '', foot: null }
  for (const title of [
    'やかんが知っていること',
    'ما تعرفه الغلاية',
    'מה שהקומקום יודע',
    'केतली',
    'กาต้มน้ำ',
    '주전자',
    'ჩაიდანი',
  ]) {
    assert.ok(await same({ title, foot: null }, emblem), title)
    assert.ok(await same({ title: `${title} tea`, foot: null }, emblem), `${title} among Latin letters`)
  }
})

test('where the headline cannot be drawn the name stands in its place, and the mark where that cannot either', async () => {
  assert.ok(
    await same(
      { title: '茶', foot: 'Noa Levi', footTicked: true },
      { title: 'Noa Levi', titleTicked: true, foot: null },
    ),
  )
  assert.ok(await same({ title: '茶', foot: '山田 太郎', footTicked: true }, { title: '', foot: null }))
})

test('emoji and signs the typeface lacks are dropped, and the words stay', async () => {
  for (const title of [
    'On ☕️ tea',
    'On tea 👩‍👩‍👧‍👦',
    '🇳🇬 On tea',
    'On 1️⃣ tea',
    'On ⟶ tea ⟶',
    'On\u200d tea\ufe0f',
    '\u202eOn tea',
  ]) {
    assert.ok(await same({ title }, { title: 'On tea' }), title)
  }
})

test('the tick is drawn for those who have it', async () => {
  assert.ok(!(await same({ footTicked: true }, { footTicked: false })))
  assert.ok(!(await same({ titleTicked: true }, { titleTicked: false })))
})

test('a site with a mark of its own has it on its pictures', async () => {
  const mark =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="16" fill="#00f"/></svg>'
  const { data, width } = await pixelsOf(await draw({ mark }))
  const at = 3 * (76 * width + 94)
  assert.deepEqual([...data.subarray(at, at + 3)], [0, 0, 255])
})

test('ten are in hand at once and the next is told to come back; one picture asked by many is drawn once', async () => {
  const many = await Promise.allSettled(Array.from({ length: 30 }, (_, n) => draw({ title: `One of many, ${n}` })))
  const refused = many.filter((one) => one.status === 'rejected').map(({ reason }) => [reason.status, reason.reason])
  assert.equal(many.length - refused.length, 10)
  assert.deepEqual(refused, Array(20).fill([503, 'overloaded']))
  const pictures = await Promise.all(Array.from({ length: 30 }, () => draw({ title: 'Asked by many' })))
  assert.ok(pictures.every((picture) => picture === pictures[0]))
})

test('what takes too long is given up, and the next picture is drawn', async () => {
  const hasty = createOgImageRenderer({ milliseconds: 1 })
  await assert.rejects(hasty.draw({ ...blank, title: words.repeat(2), text: words }), {
    status: 503,
    reason: 'overloaded',
  })
  await hasty.close()
  assert.ok(await draw({ title: 'The next one' }))
})

const webp = 'RIFF\0\0\0\0WEBPVP8 '
const answer = (line: unknown, bytes = '') => readAnswer(Buffer.from(`${JSON.stringify(line)}\n${bytes}`, 'latin1'))

test('a WebP with a size is a picture', () => {
  assert.deepEqual(answer({ width: 2, height: 3 }, webp), { bytes: Buffer.from(webp, 'latin1'), width: 2, height: 3 })
})

test('a refusal is one of three, and its number is a number', () => {
  assert.deepEqual(answer({ refused: 'pixels', millions: 41 }), { refused: 'pixels', millions: 41 })
  assert.deepEqual(answer({ refused: 'pixels', millions: '<b>' }), { refused: 'pixels' })
  assert.deepEqual(answer({ refused: 'slow' }), { refused: 'slow' })
})

test('whatever else a decoder says, or nothing, is no picture', () => {
  for (const [line, bytes] of [
    [{ width: 2, height: 3 }, '<html>'],
    [{ width: 2, height: '3' }, webp],
    [{ width: -2, height: 3 }, webp],
    [{ width: 2.5, height: 3 }, webp],
    [{ refused: 'in words of its own' }, ''],
    [null, webp],
    ['text', webp],
  ] as const)
    assert.deepEqual(answer(line, bytes), { refused: 'damaged' })
  for (const bytes of ['', '\n', '{', webp, `{"width":2,"height":3}${webp}`])
    assert.deepEqual(readAnswer(Buffer.from(bytes, 'latin1')), { refused: 'damaged' })
})
