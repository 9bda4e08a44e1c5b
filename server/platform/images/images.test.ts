import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import sharp from 'sharp'
import { readAnswer } from './decode.ts'
import type { OgImageContent } from './og-image/poster.ts'
import { createOgImageRenderer } from './og-image/worker.ts'
import { readVariants } from './variants.ts'

/** Images as pixels: what is drawn is in its place, and what cannot be drawn leaves no trace. */

const readPicture = async () => undefined
// Patient: how long a layout takes on a busy machine is not what is tested.
const drawer = createOgImageRenderer({ readPicture, milliseconds: 20_000 })
after(() => drawer.close())

const blank: OgImageContent = {
  picture: null,
  art: { hue: 90, seed: '0123456789ab', initials: 'Te' },
  portrait: null,
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

/** What is beside the text is painted over with paper: at the right, or at the left of a mirrored picture. */
async function pixelsOf(png: Buffer): Promise<Pixels> {
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  assert.deepEqual([info.width, info.height, info.channels], [1200, 630, 3])
  // The margin is of paper from top to bottom; its colour may be one beside it in the palette of a file.
  const isPaper = (y: number) =>
    data
      .subarray(3 * (y * info.width + 10))
      .slice(0, 3)
      .every((value, at) => Math.abs(value - paper[at]!) < 5)
  const from = Array.from({ length: info.height }, (_, y) => y).every(isPaper) ? panel.right : panel.left
  for (let y = 0; y < info.height; y++)
    for (let x = from; x < from + panel.width; x++) data.set(paper, 3 * (y * info.width + x))
  return { data, width: info.width, height: info.height }
}

const panel = { left: 0, right: 760, width: 440 }
const paper = Buffer.from('fcfaf6', 'hex')

/** With its margins, at the edge and beside the panel. */
const isInPlace = ({ left, right }: { readonly left: number; readonly right: number }): boolean =>
  left >= 56 && right <= 1144 && (right <= 712 || left >= 488)

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
  'a long headline in Chinese': {
    title: '茶壶知道的事：“等待”、'.repeat(17),
    text: '（四分钟）。'.repeat(66),
    foot: '鲁'.repeat(80),
  },
  'a long headline in Japanese': { title: 'やかんが知っていること、ー「茶」'.repeat(12), kicker: '暮らし'.repeat(40) },
  'a long headline in Korean': { title: '주전자가 아는 것과 '.repeat(18), text: '주전자'.repeat(130) },
  'a long headline in Arabic': { title: 'ما تعرفه الغلاية عن الانتظار '.repeat(7), text: 'أربع دقائق '.repeat(30) },
  'Arabic without a space': {
    title: 'الغلاية'.repeat(28),
    text: 'ش'.repeat(400),
    foot: 'م'.repeat(80),
    footTicked: true,
  },
  'a long headline in Hebrew': { title: 'מה שהקומקום יודע '.repeat(12), kicker: 'מטבח'.repeat(30), titleTicked: true },
  'a long headline in Devanagari': { title: 'केतली क्या जानती है '.repeat(10), text: 'प्रतीक्षा '.repeat(40) },
  'a long headline in Thai': { title: 'กาต้มน้ำรู้อะไร'.repeat(13), text: 'ปู่ย่าที่'.repeat(40) },
  'marks upon marks of other scripts': {
    title: `ض${'\u064b'.repeat(60)} क${'्क'.repeat(60)} ก${'\u0e49'.repeat(60)}`,
    text: `ש${'\u05b8'.repeat(90)}`,
  },
  'both directions in both': {
    title: 'كتاب The Kettle (2026): نسخة 2.0',
    text: 'Why “مرحبا” is שלום, in 漢字',
    foot: 'ع a ע',
  },
  'directions turned by hand': { title: '\u202eOn tea\u2066 ما \u2069\u202d تعرفه', text: '\u200f(((\u200e)))\u061c' },
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
    assert.ok(isInPlace({ left, right }), `from ${left} to ${right}`)
    assert.ok(top >= 50 && bottom <= 590, `from ${top} to ${bottom}`)
  })
}

test('rare characters from everywhere make a picture, if not of all of them', async () => {
  // Patient: how much is read is limited, and how long that takes on a busy machine is not what is tested.
  const patient = createOgImageRenderer({ readPicture, milliseconds: 60_000 })
  const spread = (from: number, step: number, count: number) =>
    Array.from({ length: count }, (_, n) => String.fromCodePoint(from + step * n)).join('')
  const png = await patient.draw({ ...blank, title: spread(0x4e00, 101, 200), text: spread(0xac00, 28, 390) })
  await patient.close()
  const { left, right } = inkBox(await pixelsOf(png))
  assert.ok(isInPlace({ left, right }), `from ${left} to ${right}`)
})

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

test('a script no font has is left out whole: two such headlines make one picture, without boxes', async () => {
  const emblem = { title: '', foot: null }
  for (const title of ['ჩაიდანი', 'ሻይ', 'བོད་ཡིག', 'ꦗꦮ']) {
    assert.ok(await same({ title, foot: null }, emblem), title)
    assert.ok(await same({ title: `${title} tea`, foot: null }, emblem), `${title} among Latin letters`)
  }
})

test('where the headline cannot be drawn the name stands in its place, and the mark where that cannot either', async () => {
  assert.ok(
    await same(
      { title: 'ჩაი', foot: 'Noa Levi', footTicked: true },
      { title: 'Noa Levi', titleTicked: true, foot: null },
    ),
  )
  assert.ok(await same({ title: 'ჩაი', foot: 'ნინო', footTicked: true }, { title: '', foot: null }))
})

test('a headline in any script is drawn, with its text and name', async () => {
  for (const [title, text, foot] of [
    ['茶壶知道的事', '四分钟', '鲁迅'],
    ['やかん', '四分', '村上春樹'],
    ['주전자', '사 분', '한강'],
    ['الغلاية', 'أربع دقائق', 'نجيب محفوظ'],
    ['הקומקום', 'ארבע דקות', 'עמוס עוז'],
    ['केतली', 'चार मिनट', 'महादेवी वर्मा'],
    ['กาต้มน้ำ', 'สี่นาที', 'สุนทรภู่'],
    ['Чайник', 'Τέσσερα λεπτά', 'Фёдор'],
  ] as const) {
    const whole = { title, text, foot }
    assert.ok(!(await same(whole, { ...whole, title: '' })), title)
    assert.ok(!(await same(whole, { ...whole, text: '' })), text)
    assert.ok(!(await same(whole, { ...whole, foot: '' })), foot)
  }
})

test('a headline from right to left stands at the right, and the picture is mirrored', async () => {
  const rowsOf = { site: [50, 100], title: [200, 500], foot: [530, 600] } as const
  const middleOf = async (given: Partial<OgImageContent>, part: keyof typeof rowsOf) => {
    const { left, right } = inkBox(await pixelsOf(await draw({ kicker: null, ...given })), rowsOf[part])
    return (left + right) / 2
  }
  for (const part of ['site', 'title', 'foot'] as const) {
    assert.ok((await middleOf({ title: 'On tea' }, part)) < 600, part)
    assert.ok((await middleOf({ title: 'על תה' }, part)) > 600, part)
    assert.ok((await middleOf({ title: 'عن الشاي Tea' }, part)) > 600, part)
    assert.ok((await middleOf({ title: 'On الشاي' }, part)) < 600, part)
  }
})

test('the language of a text decides the forms of its Han characters', async () => {
  assert.ok(!(await same({ title: '直', language: 'ja' }, { title: '直', language: 'zh' })))
  assert.ok(await same({ title: '直', language: 'en' }, { title: '直' }))
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
  const hasty = createOgImageRenderer({ readPicture, milliseconds: 1 })
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

test('a refusal is one of four, and its number is a number', () => {
  assert.deepEqual(answer({ refused: 'pixels', millions: 41 }), { refused: 'pixels', millions: 41 })
  assert.deepEqual(answer({ refused: 'pixels', millions: '<b>' }), { refused: 'pixels' })
  assert.deepEqual(answer({ refused: 'slow' }), { refused: 'slow' })
  assert.deepEqual(answer({ refused: 'busy' }), { refused: 'busy' })
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

test('of the process that makes smaller copies exactly what was asked for is taken', () => {
  const webp = Buffer.from('RIFF\0\0\0\0WEBPVP8 ')
  const avif = Buffer.from('\0\0\0\x1cftypavif\0\0\0\0')
  const asked = ['160.avif', '160.webp'] as const
  const answer = (line: unknown, ...parts: Buffer[]) =>
    readVariants(Buffer.concat([Buffer.from(`${JSON.stringify(line)}\n`), ...parts]), asked)
  const good = [
    ['160.avif', avif.length],
    ['160.webp', webp.length],
  ]
  assert.deepEqual(
    answer(good, avif, webp)?.map(({ variant }) => variant),
    [...asked],
  )
  const bad: unknown[] = [null, 'x', {}, [], [good[0]], [good[1], good[0]], [...good, good[0]], [null, null]]
  for (const line of bad) assert.equal(answer(line, avif, webp), undefined, JSON.stringify(line))
  assert.equal(answer(good, webp, avif), undefined, 'formats')
  assert.equal(answer(good, avif), undefined, 'too few bytes')
  assert.equal(answer(good, avif, webp, webp), undefined, 'too many')
  assert.equal(answer([['160.avif', -1], good[1]], avif, webp), undefined, 'a length below zero')
  assert.equal(answer([['160.avif', 1e308], good[1]], avif, webp), undefined, 'a length without end')
})
