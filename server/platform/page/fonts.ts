import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/**
 * The reading face: Source Serif 4. Its Latin letters are cuts of our own (fonts/make.py), small enough for a first
 * visit; all other ranges come from the package as they are. A browser asks only for the files whose letters it meets.
 */

interface FontFile {
  /** Immutable: the name holds the hash of the bytes. */
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
  // Bold text is set in it too: a second, heavier cut would cost what a page of text does.
  { name: '600', weight: '600 700', style: 'normal', packaged: '600-normal' },
]

/** As fonts/make.py cuts them. */
const ownRanges = {
  '': 'U+20-7E,U+A0-A1,U+A3,U+A7,U+A9,U+AB,U+AD,U+B0,U+B7,U+BB,U+BF-FF,U+152-153,U+2010-2011,U+2013-2014,U+2018-201A,U+201C-201E,U+2022,U+2026,U+20AC',
  '-symbols':
    'U+A2,U+A4-A6,U+A8,U+AA,U+AC,U+AE-AF,U+B1-B6,U+B8-BA,U+BC-BE,U+131,U+2012,U+2020-2021,U+2030,U+2032-2033,U+2039-203A,U+2122,U+2190-2193,U+2212',
} as const

const packagedRanges = ['cyrillic-ext', 'cyrillic', 'greek', 'vietnamese', 'latin-ext'] as const

/** Without ı, Œ, œ and †, which we have: a browser asks for every file whose range has the letter. */
const withoutOurs = (range: string): string =>
  range.replace('U+0100-02BA', 'U+100-130,U+132-151,U+154-2BA').replace('U+2020,', '')

/**
 * Faces of the system that stand in until ours have come, and where they never do. Each is widened or narrowed until
 * an English text is as long as in ours (the mean width of its letters by frequency), and given our heights, so that
 * nothing moves when ours arrive.
 */
const standIns: readonly { local: readonly string[]; sizes: Readonly<Record<Cut['name'], number>> }[] = [
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

/** What `font-family` names, best first. */
export const fontStack: string = [
  `"${family}"`,
  ...standIns.map(({ local }) => `"As ${local[0]}"`),
  'Georgia',
  'serif',
].join(', ')

interface Face {
  readonly cut: Cut
  readonly range: string
  readonly file: FontFile
}

export interface Fonts {
  readonly files: readonly FontFile[]
  /** The @font-face rules. */
  readonly css: string
  /** The same for the desk, where a writer stays: its letters come in the site's face even if they come late. */
  readonly deskCss: string
  /** What every page needs, and asks for before it has read the stylesheet. */
  readonly first: readonly string[]
  /** The same for a page with italics. */
  readonly italic: string
}

export function readFonts(): Fonts {
  const faces = cuts.flatMap((cut) => [...packagedFaces(cut), ...ownFaces(cut)])
  const letters = (style: Cut['style']) =>
    faces.filter(({ cut, range }) => cut.style === style && range === ownRanges['']).map(({ file }) => file.path)
  return {
    files: faces.map(({ file }) => file),
    css: [...faces.map((face) => faceRule(face, 'optional')), ...standInRules()].join('\n'),
    deskCss: [...faces.map((face) => faceRule(face, 'swap')), ...standInRules()].join('\n'),
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
 * On public pages our letters are preloaded and there for the first paint, or the page stays with its stand-in: exchanged later, even
 * one of the same mean width moves lines (measured: a layout shift of 0.02). A letter of another range must not stay
 * a stranger in its word, so it is exchanged whenever it comes.
 */
const faceRule = ({ cut, range, file }: Face, letters: 'optional' | 'swap'): string =>
  `@font-face{font-family:"${family}";font-style:${cut.style};font-weight:${cut.weight};` +
  `font-display:${range === ownRanges[''] ? letters : 'swap'};` +
  `src:url(${file.path}) format("woff2");unicode-range:${range}}`

const percent = (share: number): string => `${Math.round(share * 10_000) / 100}%`

const standInRules = (): string[] =>
  standIns.flatMap(({ local, sizes }) =>
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
