import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** The stylesheet of all pages, made of these files in this order. */
const sheets = [
  'tokens',
  'common',
  'base',
  'shell',
  'prose',
  'link-cards',
  'pieces',
  'covers',
  'front',
  'directory',
  'parts',
  'shop',
  'forms',
  'scripts',
  'print',
]

interface Stylesheet {
  /** Immutable: the name contains the hash of the bytes. */
  readonly path: string
  readonly css: string
}

export interface Style extends Stylesheet {
  /** The same for a page in a frame of the desk: its text appears in our typeface, not before in another. */
  readonly framed: Stylesheet
  readonly fonts: Fonts
}

let made: Style | undefined

/** Read on first use. */
export function style(): Style {
  made ??= makeStyle()
  return made
}

function makeStyle(): Style {
  const fonts = readFonts()
  const written = sheets.map((name) => readFileSync(new URL(`./style/${name}.css`, import.meta.url), 'utf8')).join('\n')
  const rules = compact(written.replace('FONT_STACK', fontStack))
  return { ...stylesheetOf(fonts.css + rules), framed: stylesheetOf(fonts.framedCss + rules), fonts }
}

const stylesheetOf = (css: string): Stylesheet => ({
  path: `/style.${hash('sha256', css, 'base64url').slice(0, 10)}.css`,
  css,
})

/** Removes comments and the space around punctuation. Our sheets have no such text in strings. */
const compact = (css: string): string =>
  css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .replace(/: /g, ':')
    .replace(/;}/g, '}')
    .trim()

/**
 * The text typeface: Source Serif 4. Its Latin characters are our own subsets (fonts/make.py), small enough for a first
 * visit; other ranges come from the package. Browsers load only the files they need.
 */

interface FontFile {
  /** Immutable: the name contains the hash of the bytes. */
  readonly path: string
  readonly bytes: Buffer
}

const family = 'Standfirst Serif'

interface Cut {
  readonly name: '400' | '400-italic' | '600'
  readonly weight: string
  readonly style: 'normal' | 'italic'
  /** The same cut in the package. */
  readonly packaged: string
}

const cuts: readonly Cut[] = [
  { name: '400', weight: '400', style: 'normal', packaged: '400-normal' },
  { name: '400-italic', weight: '400', style: 'italic', packaged: '400-italic' },
  // Bold text uses it too: another weight would cost as much as a page of text.
  { name: '600', weight: '600 700', style: 'normal', packaged: '600-normal' },
]

/** As in fonts/make.py. */
const ownRanges = {
  '': 'U+20-7E,U+A0-A1,U+A3,U+A7,U+A9,U+AB,U+AD,U+B0,U+B7,U+BB,U+BF-FF,U+152-153,U+2010-2011,U+2013-2014,U+2018-201A,U+201C-201E,U+2022,U+2026,U+20AC',
  '-symbols':
    'U+A2,U+A4-A6,U+A8,U+AA,U+AC,U+AE-AF,U+B1-B6,U+B8-BA,U+BC-BE,U+131,U+2012,U+2020-2021,U+2030,U+2032-2033,U+2039-203A,U+2122,U+2190-2193,U+2212',
} as const

const packagedRanges = ['cyrillic-ext', 'cyrillic', 'greek', 'vietnamese', 'latin-ext'] as const

/** Without ı, Œ, œ and †, which are in our subsets: browsers load every file whose range has the character. */
const withoutOurs = (range: string): string =>
  range.replace('U+0100-02BA', 'U+100-130,U+132-151,U+154-2BA').replace('U+2020,', '')

/**
 * System fonts used until ours are loaded, or if they never are. Each is scaled until English text is as long as in
 * ours (mean width by letter frequency), and has our heights, so that nothing moves when ours arrive.
 */
const fallbackFonts: readonly { local: readonly string[]; sizes: Readonly<Record<Cut['name'], number>> }[] = [
  { local: ['Georgia', 'Gelasio'], sizes: { '400': 1.0102, '400-italic': 0.9205, '600': 0.8573 } },
  {
    local: ['Times New Roman', 'Liberation Serif', 'Tinos'],
    sizes: { '400': 1.106, '400-italic': 1.0213, '600': 1.0282 },
  },
  { local: ['Noto Serif'], sizes: { '400': 0.9406, '400-italic': 0.8947, '600': 0.8719 } },
  { local: ['DejaVu Serif'], sizes: { '400': 0.8689, '400-italic': 0.8057, '600': 0.7779 } },
]
const heights = { ascent: 1.036, descent: 0.335 }
const systemStyles: Readonly<Record<Cut['name'], string>> = { '400': '', '400-italic': ' Italic', '600': ' Bold' }

/** The value of `font-family`. */
export const fontStack: string = [
  `"${family}"`,
  ...fallbackFonts.map(({ local }) => `"As ${local[0]}"`),
  'Georgia',
  'serif',
].join(', ')

interface Face {
  readonly cut: Cut
  readonly range: string
  readonly file: FontFile
}

type FontDisplay = 'optional' | 'swap' | 'block'

interface Fonts {
  readonly files: readonly FontFile[]
  /** The @font-face rules. */
  readonly css: string
  /** The same for the desk, where people stay: it switches to our typeface even if it loads late. */
  readonly deskCss: string
  /** The same for pages in its frames, which share no cache with it: text waits for our typeface. */
  readonly framedCss: string
  /** What every page needs, preloaded before the stylesheet is parsed. */
  readonly first: readonly string[]
  /** The same for a page with italics. */
  readonly italic: string
}

function readFonts(): Fonts {
  const faces = cuts.flatMap((cut) => [...packagedFaces(cut), ...ownFaces(cut)])
  const letters = (style: Cut['style']) =>
    faces.filter(({ cut, range }) => cut.style === style && range === ownRanges['']).map(({ file }) => file.path)
  const rules = (display: FontDisplay) =>
    [...faces.map((face) => faceRule(face, display)), ...fallbackRules()].join('\n')
  return {
    files: faces.map(({ file }) => file),
    css: rules('optional'),
    deskCss: rules('swap'),
    framedCss: rules('block'),
    first: letters('normal'),
    italic: letters('italic')[0]!,
  }
}

const ownFaces = (cut: Cut): Face[] =>
  Object.entries(ownRanges).map(([suffix, range]) => {
    const name = `serif-${cut.name}${suffix}`
    return { cut, range, file: fontFile(name, readFileSync(new URL(`./fonts/${name}.woff2`, import.meta.url))) }
  })

function packagedFaces(cut: Cut): Face[] {
  const { resolve } = createRequire(import.meta.url)
  const from = (path: string) => readFileSync(resolve(`@fontsource/source-serif-4/${path}`))
  const ranges = JSON.parse(from('unicode.json').toString()) as Record<string, string>
  return packagedRanges.map((range) => {
    const bytes = from(`files/source-serif-4-${range}-${cut.packaged}.woff2`)
    return { cut, range: withoutOurs(ranges[range]!), file: fontFile(`serif-${range}-${cut.name}`, bytes) }
  })
}

const fontFile = (name: string, bytes: Buffer): FontFile => ({
  path: `/fonts/${name}.${hash('sha256', bytes, 'base64url').slice(0, 10)}.woff2`,
  bytes,
})

/**
 * On public pages our fonts are preloaded and used for the first paint, or the page keeps its fallback: a later swap
 * moves lines even at the same mean width (measured: a layout shift of 0.02). Characters of other ranges would look out
 * of place in their word, so they are swapped whenever they arrive.
 */
const faceRule = ({ cut, range, file }: Face, display: FontDisplay): string =>
  `@font-face{font-family:"${family}";font-style:${cut.style};font-weight:${cut.weight};` +
  `font-display:${range === ownRanges[''] ? display : 'swap'};` +
  `src:url(${file.path}) format("woff2");unicode-range:${range}}`

const percent = (share: number): string => `${Math.round(share * 10_000) / 100}%`

const fallbackRules = (): string[] =>
  fallbackFonts.flatMap(({ local, sizes }) =>
    cuts.map(({ name, weight, style }) => {
      const names = local.map((one) => `local("${one}${systemStyles[name]}")`).join(',')
      const size = sizes[name]
      return (
        `@font-face{font-family:"As ${local[0]}";font-style:${style};font-weight:${weight};src:${names};` +
        `size-adjust:${percent(size)};ascent-override:${percent(heights.ascent / size)};` +
        `descent-override:${percent(heights.descent / size)};line-gap-override:0%}`
      )
    }),
  )
