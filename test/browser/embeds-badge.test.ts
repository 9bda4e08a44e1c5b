import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { drawBadge } from '../../server/http/embeds/badge.ts'
import { translatorOf } from '../../server/messages/translator.ts'
import { textToPath } from '../../server/platform/svg-text/line.ts'
import { createTextShaper } from '../../server/platform/svg-text/shaper.ts'
import { normaliseLine } from '../../server/platform/text/normalise.ts'
import { openBrowser } from './browser.ts'

/** The badge in a real browser: the pill fits its name in any script. `BADGES` is the number of random names. */

const total = Number(process.env['BADGES'] ?? 2_000)

const browser = await openBrowser()
const page = await browser.newPage()
await page.setContent('<!doctype html><title>Badges</title><div id="place"></div>')

const shaper = createTextShaper('en', { milliseconds: 20_000 })
after(() => shaper.close())

/** With outlines where there are fonts, or all in the reader's font, as when the fonts take too long. */
async function drawn(name: string, { verified = true, isShaped = true } = {}): Promise<string> {
  const shaped = isShaped ? await shaper.fit(normaliseLine(name)) : undefined
  return drawBadge(translatorOf('en'), {
    name,
    siteName: 'Standfirst',
    theme: 'light',
    verified,
    tone: 'plain',
    shaped: { name: shaped, initial: undefined },
  })
}

const names: Readonly<Record<string, readonly string[]>> = {
  Latin: ['Ada Okafor', 'Bo', 'i', 'WWWW MMMM', 'Øyvind Ångström', 'Łukasz Żółć', 'Nguyễn Văn Thiệu', 'İpek Ğ'],
  Cyrillic: ['Фёдор Достоевский', 'Україна Їжак'],
  Greek: ['Γιώργος Σεφέρης', 'Ταΰγετος'],
  Arabic: ['محمد علي', 'فاطمة الزهراء (لندن)', 'شش سس'],
  Hebrew: ['דוד גרוסמן', 'עמוס עוז Oz'],
  Devanagari: ['महादेवी वर्मा', 'प्रेमचंद'],
  Thai: ['กฤษณา อโศกสิน', 'สุนทรภู่'],
  CJK: ['村上春樹', 'カズオ・イシグロ', '한강 작가', '魯迅 Lu Xun'],
  'emoji and marks': ['👩‍💻 Ada 🚀', '🇩🇪', 'ḱ́ëë Zo̊é', 'Z̸̧̛a̶l̷͎g̶o̵', '❤️'],
  long: [
    'Wilhelmina Bartholomew-Featherstonehaugh von und zu Unterberg III',
    '村上春樹'.repeat(12),
    'ग'.repeat(80),
    'W'.repeat(80),
    '👩‍👩‍👧‍👦'.repeat(11),
  ],
  odd: ['<b>&"\'', '\u202Egnp.exe', 'a\u0000b\u0007c', '   spaced   out   ', '…'],
}

interface Measured {
  readonly width: number
  readonly mark: { readonly left: number; readonly right: number }
  readonly name: { readonly left: number; readonly right: number }
  readonly tick: { readonly left: number; readonly right: number }
}

/** The measured boxes of its parts. The name is set at 14 pixels, the site's initial at 17. */
const measure = (svg: string): Promise<Measured> =>
  page.evaluate((markup) => {
    // biome-ignore lint/suspicious/noExplicitAny: runs in the page, whose types this program does not have
    const { document } = globalThis as any
    const place = document.getElementById('place')
    place.innerHTML = markup
    const [picture] = place.children
    const origin = picture.getBoundingClientRect().left
    const box = (element: { getBoundingClientRect(): { left: number; right: number } }) => {
      const { left, right } = element.getBoundingClientRect()
      return { left: left - origin, right: right - origin }
    }
    const [rule, tick] = [picture.querySelectorAll('rect')[1], picture.querySelector('circle')]
    const name = picture.querySelector('text') ?? picture.querySelector('path[transform*="scale(0.014"]')
    return { width: picture.width.baseVal.value, mark: box(rule), name: box(name), tick: box(tick) }
  }, svg)

/** Glyphs begin and end a little inside or outside of their advance width. */
const bearing = 2.5

for (const [script, all] of Object.entries(names)) {
  test(`the pill fits names: ${script}`, async () => {
    for (const [name, isShaped] of all.flatMap((one) => [[one, true] as const, [one, false] as const])) {
      const { width, mark, name: letters, tick } = await measure(await drawn(name, { isShaped }))
      const details = `${name}, ${isShaped ? 'shaped' : 'not shaped'}: ${JSON.stringify({ width, mark, letters, tick })}`
      const mirrored = tick.left < mark.left
      assert.equal(mirrored, /^[\u0590-\u06ff]/.test(name), details)
      const [from, to] = mirrored ? [tick.right + 6, mark.left - 8] : [mark.left + 9 + 8, tick.left - 6]
      if (mirrored) assert.ok(Math.abs(letters.left - from) <= bearing, details)
      else assert.ok(Math.abs(letters.right - to) <= bearing, details)
      assert.ok(letters.left >= from - bearing && letters.right <= to + bearing, details)
      for (const { left, right } of [mark, letters, tick]) assert.ok(left >= 8 && right <= width - 8, details)
      assert.ok(width <= 400, details)
    }
  })
}

describe('a name that is too long', () => {
  test('is cut between letters as people see them, and ends with an ellipsis', async () => {
    const shown = async (name: string) => /<text[^>]*>([^<]*)</.exec(await drawn(name, { isShaped: false }))?.[1] ?? ''
    assert.match(await shown('👩‍👩‍👧‍👦'.repeat(30)), /^(👩‍👩‍👧‍👦)+…$/u)
    assert.match(await shown('e\u0301q\u0323'.repeat(30)), /^(éq\u0323)+é?…$/u)
    assert.match(await shown('村上春樹'.repeat(12)), /^[村上春樹]+…$/u)
  })

  test('is whole in its title', async () => {
    const name = 'Wilhelmina Bartholomew-Featherstonehaugh von und zu Unterberg III'
    assert.ok((await drawn(name)).includes(`<title>${name}, verified · Standfirst</title>`))
  })
})

test('letters drawn as outlines stand where the browser would set them', async () => {
  const scripts = ['latin', 'latin-ext', 'cyrillic', 'greek', 'vietnamese', 'cyrillic-ext']
  const fonts = scripts.map((script) => {
    const file = import.meta.resolve(`@fontsource/source-serif-4/files/source-serif-4-${script}-600-normal.woff`)
    return readFileSync(fileURLToPath(file)).toString('base64')
  })
  const lines = [...names['Latin']!, ...names['Cyrillic']!, ...names['Greek']!, 'AVATAR Te To P. Ty “V” L’A']
  const widths = await page.evaluate(
    async ({ files, texts }) => {
      // biome-ignore lint/suspicious/noExplicitAny: runs in the page, whose types this program does not have
      const { document, FontFace } = globalThis as any
      const families = files.map((_: string, index: number) => `serif-${index}`)
      for (const [index, file] of files.entries()) {
        document.fonts.add(await new FontFace(`serif-${index}`, `url(data:font/woff;base64,${file})`).load())
      }
      return texts.map((text: string) => {
        const line = document.createElement('span')
        line.style.cssText = `position:absolute;white-space:pre;font:1000px ${families.join()};font-variant-ligatures:none;font-kerning:normal`
        line.textContent = text
        document.body.append(line)
        const { width } = line.getBoundingClientRect()
        line.remove()
        return width
      })
    },
    { files: fonts, texts: lines },
  )
  for (const [index, text] of lines.entries()) {
    const { width } = textToPath(text)!
    // A third of a pixel in the badge.
    assert.ok(Math.abs(width - widths[index]!) <= 25, `${text}: ${width}, and ${widths[index]} in the browser`)
  }
})

test(`${total} made-up names are all well-formed, and said in full`, async () => {
  const unit = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
    fc.constantFrom(
      ...']]>',
      '&',
      '<',
      '>',
      '"',
      "'",
      '\u0000',
      '\u000b',
      '\ufffe',
      '\ud800',
      '\u202e',
      '\u2066',
      '\u0301',
      '\u200d',
      '&lol;',
      '<!--',
      '-->',
      '<?xml?>',
    ),
  )
  const made = fc.sample(
    fc.array(unit, { minLength: 1, maxLength: 80 }).map((parts) => parts.join('')),
    total,
  )
  const unspeakable = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu
  for (let first = 0; first < made.length; first += 500) {
    const batch = made.slice(first, first + 500)
    const titles = await page.evaluate(
      (pictures) =>
        pictures.map((svg: string) => {
          // biome-ignore lint/suspicious/noExplicitAny: runs in the page, whose types this program does not have
          const parsed = new (globalThis as any).DOMParser().parseFromString(svg, 'image/svg+xml')
          return parsed.querySelector('parsererror') ? 'not well-formed' : parsed.querySelector('title').textContent
        }),
      await Promise.all(batch.map((name) => drawn(name, { verified: false }))),
    )
    const expected = batch.map((name) => `${normaliseLine(name)} · Standfirst`.replace(unspeakable, ''))
    assert.deepEqual(titles, expected)
  }
})
