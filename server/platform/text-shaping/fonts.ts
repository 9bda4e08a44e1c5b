import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Blob, Face, Font, Variation } from 'harfbuzzjs'
import { createLru } from '../lru.ts'
import { unpackWoff2 } from './woff2.ts'

/**
 * The fonts of link pictures and badges. Each package is split into files by code points, and a file is read when a
 * text first needs it: a process that never sees Chinese never loads a Chinese font.
 */

export type Weight = 400 | 600

interface FontPackage {
  readonly name: string
  /** The parts to use, by their names in unicode.json; undefined: the numbered ones, which hold the script itself. */
  readonly parts?: readonly string[]
  /** One file for all weights. */
  readonly variable: boolean
}

const noto = (name: string, ...parts: string[]): FontPackage => ({
  name: `@fontsource-variable/${name}`,
  variable: true,
  ...(parts.length > 0 ? { parts } : {}),
})

const sourceSerif: FontPackage = {
  name: '@fontsource/source-serif-4',
  parts: ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'greek', 'vietnamese'],
  variable: false,
}
const byScript: readonly FontPackage[] = [
  noto('noto-naskh-arabic', 'arabic'),
  noto('noto-serif-hebrew', 'hebrew'),
  noto('noto-serif-devanagari', 'devanagari'),
  noto('noto-serif-thai', 'thai'),
]
/** Han characters have other forms in Japan and Korea. */
const han = { zh: noto('noto-serif-sc'), ja: noto('noto-serif-jp'), ko: noto('noto-serif-kr') } as const
export type HanLanguage = keyof typeof han
/** Quotation marks, dashes and ellipses as wide as a Chinese character are among the Latin ones of its font. */
const widePunctuation = noto('noto-serif-sc', 'latin')

const packageOrder = (language: HanLanguage): FontPackage[] => [
  sourceSerif,
  ...byScript,
  han[language],
  ...Object.values(han).filter((one) => one !== han[language]),
]

const orders = { zh: packageOrder('zh'), ja: packageOrder('ja'), ko: packageOrder('ko') } as const

/** A font at one weight, in thousandths of its size. */
export interface LoadedFont {
  readonly font: Font
  /** Whether characters may be set closer: not where they join, nor in scripts without spaces. */
  readonly hasTracking: boolean
  /** Outlines by glyph, as `outlineOf` fills them. */
  readonly outlines: Map<number, Outline>
}

/** Closed curves: where each begins, and the rest as a relative SVG path. */
export type Outline = readonly { readonly x: number; readonly y: number; readonly rest: string }[]

interface Part {
  readonly file: (weight: Weight) => string
  readonly variable: boolean
  /** One of about a hundred of its package: how many a text reads is limited. */
  readonly isNumbered: boolean
}

/** From and to; later ones may overlap in packages with few parts. */
interface Range {
  readonly from: number
  readonly to: number
  readonly part: Part
}

/** Weight in the cache: unpacked bytes, about 130 kB a file, so some 100 files of 340. */
const cacheBytes = 14_000_000

interface LoadedFile {
  readonly face: Face
  readonly codePoints: ReadonlySet<number>
  readonly weights: Map<Weight, LoadedFont>
}

const files = createLru<LoadedFile>(cacheBytes)
const rangesOf = new Map<FontPackage, readonly Range[]>()

/** Reads unicode.json: which code points each file is for. */
function readRanges(pack: FontPackage): readonly Range[] {
  const known = rangesOf.get(pack)
  if (known) return known
  const { name, variable } = pack
  const listed = JSON.parse(readFileSync(pathOf(`${name}/unicode.json`), 'utf8')) as Record<string, string>
  const short = name.split('/')[1]!
  const order = (part: string) => pack.parts?.indexOf(part) ?? 0
  const ranges = Object.entries(listed)
    .map(([part, text]) => ({ part: part.replace(/[[\]]/g, ''), text, isNumbered: part.startsWith('[') }))
    .filter(({ part, isNumbered }) => pack.parts?.includes(part) ?? isNumbered)
    .sort((one, other) => order(one.part) - order(other.part))
    .flatMap(({ part, text }): Range[] => {
      const file = (weight: Weight) => `${name}/files/${short}-${part}-${variable ? 'wght' : weight}-normal.woff2`
      return text
        .split(',')
        .map((range) => ({ ...readRange(range), part: { file, variable, isNumbered: !pack.parts } }))
    })
  if (!pack.parts) ranges.sort((one, other) => one.from - other.from)
  rangesOf.set(pack, ranges)
  return ranges
}

function readRange(text: string): { from: number; to: number } {
  const [from = '', to = from] = text.trim().replace(/^U\+/i, '').split('-')
  return { from: Number.parseInt(from, 16), to: Number.parseInt(to, 16) }
}

/** The parts that may have a code point. Numbered parts are thousands of ranges that do not overlap. */
function partsFor(pack: FontPackage, codePoint: number): Part[] {
  const ranges = readRanges(pack)
  if (pack.parts) return ranges.filter(({ from, to }) => codePoint >= from && codePoint <= to).map(({ part }) => part)
  let [low, high] = [0, ranges.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (ranges[middle]!.to < codePoint) low = middle + 1
    else high = middle
  }
  const found = ranges[low]
  return found && found.from <= codePoint ? [found.part] : []
}

const pathOf = (name: string): string => fileURLToPath(import.meta.resolve(name))

/**
 * Files that one picture or name may have unpacked, at 3 to 4 ms each: long titles needed up to 31. What is made of
 * rare characters from everywhere counts as text that cannot be drawn.
 */
export const mostUnpacked = 48
let unpacked = 0

/** Called before each picture or name. */
export function startText(): void {
  unpacked = 0
}

function load(part: Part, weight: Weight): LoadedFile | undefined {
  const name = part.file(weight)
  const known = files.get(name)
  if (known) return known
  if (part.isNumbered && ++unpacked > mostUnpacked) return undefined
  const bytes = unpackWoff2(readFileSync(pathOf(name)))
  const face = new Face(new Blob(bytes))
  const file = { face, codePoints: new Set(face.collectUnicodes()), weights: new Map() }
  files.set(name, file, bytes.length)
  return file
}

function atWeight({ face, weights }: LoadedFile, { variable }: Part, weight: Weight): LoadedFont {
  const known = weights.get(weight)
  if (known) return known
  const font = new Font(face)
  font.setScale(1_000, 1_000)
  if (variable) font.setVariations([new Variation('wght', weight)])
  const loaded = { font, hasTracking: !variable, outlines: new Map<number, Outline>() }
  weights.set(weight, loaded)
  return loaded
}

/** The first font that has all code points of a grapheme; undefined if none has. */
export function findFont(
  codePoints: readonly number[],
  weight: Weight,
  language: HanLanguage,
  isWide: boolean,
): LoadedFont | undefined {
  const packages = isWide ? [widePunctuation, ...orders[language]] : orders[language]
  const [first = 0] = codePoints
  for (const pack of packages) {
    for (const part of partsFor(pack, first)) {
      const file = load(part, weight)
      if (file && codePoints.every((codePoint) => file.codePoints.has(codePoint))) return atWeight(file, part, weight)
    }
  }
  return undefined
}
