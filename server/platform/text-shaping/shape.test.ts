import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { glyphsOf, readWoff } from '../font.ts'
import { mostUnpacked, startText } from './fonts.ts'
import { advancesOf, canDraw, hanLanguageOf, isRightToLeft, shapeLine, type TextStyle } from './shape.ts'
import { unpackWoff2 } from './woff2.ts'

const styleOf = (text: string): TextStyle => ({
  weight: 600,
  han: hanLanguageOf(text),
  rightToLeft: isRightToLeft(text),
})
const shape = (text: string) => {
  const line = shapeLine(text, styleOf(text))
  assert.ok(line, text)
  return line
}
/** The outlines of a line without their positions, sorted. */
const outlinesIn = (path: string): string[] => path.match(/(?<=^M-?\d+ -?\d+|M-?\d+ -?\d+)[^M]+/g)!.sort()

const samples = {
  Latin: 'What the kettle knows',
  Cyrillic: 'Что знает чайник',
  Greek: 'Τι ξέρει ο βραστήρας',
  Arabic: 'ما تعرفه الغلاية',
  Persian: 'می‌خواهم چای',
  Hebrew: 'מה שהקומקום יודע',
  Devanagari: 'केतली क्या जानती है',
  Thai: 'กาต้มน้ำรู้อะไร',
  Chinese: '茶壶知道的事：“等待”——……',
  'traditional Chinese': '茶壺知道的事',
  Japanese: 'やかんが知っていること、「茶」',
  Korean: '주전자가 아는 것',
}

for (const [script, text] of Object.entries(samples)) {
  test(`${script} is drawn, as wide as its graphemes together`, () => {
    const { path, width } = shape(text)
    assert.match(path, /^M/)
    assert.ok(Math.abs(advancesOf(text, styleOf(text)).reduce((sum, one) => sum + one, 0) * 1_000 - width) < 1)
  })
}

test('Arabic letters join: together they have other outlines than alone', () => {
  const alone = [...'محمد'].flatMap((letter) => outlinesIn(shape(letter).path))
  const joined = outlinesIn(shape('محمد').path)
  assert.notDeepEqual(joined, alone.sort())
  assert.ok(shape('محمد').width < [...'محمد'].reduce((sum, letter) => sum + shape(letter).width, 0))
  // A joiner that Persian is written with keeps them apart.
  assert.notEqual(shape('می\u200cخ').path, shape('میخ').path)
  // lam and alef are one character.
  assert.ok(outlinesIn(shape('لا').path).length < outlinesIn(shape('ل').path).length + 2)
})

test('Devanagari has conjuncts, and signs that stand before their letter', () => {
  const { width } = shape('क्ष')
  assert.ok(width < shape('क').width + shape('ष').width)
  const [vowel, letter] = advancesOf('कि', styleOf('कि'))
  assert.ok(vowel! > 0 && letter === undefined, 'one grapheme')
  assert.notEqual(shape('कि').path.slice(0, 20), shape('क').path.slice(0, 20))
})

test('a mixed line is in the order of UAX #9, and brackets are mirrored', () => {
  // From left to right: the number, then the characters.
  const hebrew = shape('ש').path
  const line = shape('ש 12')
  assert.ok(line.path.endsWith(hebrew.replace(/^M\S+ \S+/, '')), 'the first letter is the last from the left')
  const inside = shape('tea ש tea')
  assert.ok(!inside.path.endsWith(hebrew.replace(/^M\S+ \S+/, '')))
  const bracket = outlinesIn(shape('(').path)
  const closing = outlinesIn(shape(')').path)
  assert.notDeepEqual(bracket, closing)
  assert.deepEqual(outlinesIn(shape('א(').path), [...outlinesIn(shape('א').path), ...closing].sort())
})

test('Han characters have the forms of the language', () => {
  const form = (han: 'zh' | 'ja' | 'ko') => shapeLine('直', { ...styleOf(''), han })!.path
  assert.notEqual(form('zh'), form('ja'))
  assert.notEqual(form('zh'), form('ko'))
  assert.equal(hanLanguageOf('東京の'), 'ja')
  assert.equal(hanLanguageOf('東京 서울'), 'ko')
  assert.equal(hanLanguageOf('東京', 'ja-JP'), 'ja')
  assert.equal(hanLanguageOf('東京', 'en'), 'zh')
})

test('what no font has is not drawn, and never as an empty box', () => {
  for (const text of ['ჩაიდანი', 'ሻይ', '👩‍👩‍👧‍👦', '\u{10FFFD}', 'tea ☕️', '茶🍵'])
    assert.equal(shapeLine(text, styleOf(text)), undefined, text)
  assert.ok(canDraw('q\u0323', styleOf('q')), 'from two files of the font')
  assert.ok(!canDraw('🍵', styleOf('')))
})

test('one text reads so many files and no more, and the next begins again', () => {
  const list = fileURLToPath(import.meta.resolve('@fontsource-variable/noto-serif-kr/unicode.json'))
  const files = JSON.parse(readFileSync(list, 'utf8')) as Record<string, string>
  const oneOfEach = Object.values(files).flatMap((ranges) => {
    const found = ranges
      .split(',')
      .map((range) => Number.parseInt(range.slice(2), 16))
      .find((code) => code >= 0xac00 && code < 0xd7a4)
    return found === undefined ? [] : [String.fromCodePoint(found)]
  })
  assert.ok(oneOfEach.length > mostUnpacked + 10, `${oneOfEach.length} files`)
  const style = { ...styleOf(''), han: 'ko' } as const
  startText()
  const drawn = oneOfEach.filter((character) => canDraw(character, style))
  assert.ok(drawn.length >= mostUnpacked && drawn.length < oneOfEach.length, `${drawn.length} drawn`)
  startText()
  assert.ok(canDraw(oneOfEach.at(-1)!, style))
})

test('both weights of a variable font', () => {
  const at = (weight: 400 | 600) => shapeLine('茶', { ...styleOf('茶'), weight })!.path
  assert.notEqual(at(400), at(600))
})

test('WOFF2 is unpacked to the letters of the same font as WOFF: widths and bounding boxes', () => {
  type Tables = (name: string) => Buffer
  const tablesIn = (font: Buffer): Tables => {
    const tables = new Map<string, Buffer>()
    for (let entry = 12; entry < 12 + 16 * font.readUInt16BE(4); entry += 16) {
      const [at, length] = [font.readUInt32BE(entry + 8), font.readUInt32BE(entry + 12)]
      tables.set(font.toString('latin1', entry, entry + 4), font.subarray(at, at + length))
    }
    return (name) => tables.get(name)!
  }
  const charactersIn = (table: Tables): Map<number, unknown> => {
    const [head, hhea, hmtx, glyf, loca] = ['head', 'hhea', 'hmtx', 'glyf', 'loca'].map(table) as Buffer[]
    const offset = (glyph: number) =>
      head!.readInt16BE(50) === 1 ? loca!.readUInt32BE(4 * glyph) : 2 * loca!.readUInt16BE(2 * glyph)
    const characterOf = (glyph: number) => ({
      advance: hmtx!.readUInt16BE(4 * Math.min(glyph, hhea!.readUInt16BE(34) - 1)),
      box: offset(glyph) === offset(glyph + 1) ? null : glyf!.toString('hex', offset(glyph) + 2, offset(glyph) + 10),
    })
    return new Map([...glyphsOf(table('cmap'))].map(([codePoint, glyph]) => [codePoint, characterOf(glyph)]))
  }
  for (const part of ['latin', 'latin-ext', 'cyrillic', 'greek', 'vietnamese']) {
    const name = `@fontsource/source-serif-4/files/source-serif-4-${part}-600-normal.woff`
    const read = (file: string) => readFileSync(fileURLToPath(import.meta.resolve(file)))
    assert.deepEqual(charactersIn(tablesIn(unpackWoff2(read(`${name}2`)))), charactersIn(readWoff(read(name))), part)
  }
})
