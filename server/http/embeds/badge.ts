import { normaliseLine } from '#platform/text/normalise.ts'
import { type Xml, xml } from '#platform/xml.ts'
import { estimatedWidth, graphemesOf, isRightToLeft } from './svg-text/estimate.ts'
import { setLine } from './svg-text/line.ts'

/** A pill with a writer's name in it, whole in itself: no font, no style, no address is fetched for it. */

export type BadgeTheme = 'light' | 'dark'

export interface Badge {
  readonly name: string
  readonly siteName: string
  readonly theme: BadgeTheme
  readonly verified: boolean
  /** Asks for the tone of the verified; a writer who is not does not get it. */
  readonly tone: 'plain' | 'verified'
}

interface Palette {
  readonly paper: string
  readonly line: string
  readonly ink: string
  readonly quiet: string
  readonly rule: string
}

/** The colours of the pages' tokens, in the one spelling that every program which shows SVG can read. */
export const palettes: Readonly<Record<BadgeTheme, Palette>> = {
  light: { paper: '#fcfaf6', line: '#dbd7d0', ink: '#1f1915', quiet: '#5e5650', rule: '#9b1f1d' },
  dark: { paper: '#15120f', line: '#36322d', ink: '#e2ddd5', quiet: '#aca79e', rule: '#f18a76' },
}

/** The tone of the verified: green, quietly. */
const verifiedTone = {
  light: { paper: '#eaf8ee', line: '#a0caad', tick: '#23643f' },
  dark: { paper: '#102118', line: '#2f5740', tick: '#85d1a4' },
} as const

const height = 28
const edge = 11
const markGap = 8
const tickGap = 6
const tickSize = 15
const baseline = 18.9
const textSize = 14
const markSize = 17

/** The longest name that is drawn whole: beyond it, letters give way to an ellipsis. */
const most = { graphemes: 40, ems: 20, charactersInOne: 12 }

export function drawBadge({ name, siteName, theme, verified, tone }: Badge): string {
  const palette = palettes[theme]
  const { paper, line, tick } =
    verified && tone === 'verified' ? verifiedTone[theme] : { ...palette, tick: palette.ink }
  const shown = normaliseLine(name)
  const ticked = verified ? [{ gap: tickGap }, tickIn(tick, paper)] : []
  return pill({
    label: `${shown}${verified ? ', verified' : ''} · ${siteName}`,
    paper,
    line,
    mirrored: isRightToLeft(shown),
    parts: [markOf(siteName, palette), { gap: markGap }, lettered(shown, palette.ink), ...ticked],
  })
}

/** What stands where a badge would, if somebody wrote under that name. */
export function drawNobody(theme: BadgeTheme): string {
  const { paper, line, quiet } = palettes[theme]
  const label = 'writer not found'
  return pill({ label, paper, line, mirrored: false, parts: [lettered(label, quiet)] })
}

/** Something of a known width, drawn so far from the left; or nothing, which is a gap. */
type Part = { readonly width: number; draw(left: number): Xml } | { readonly gap: number }

interface Pill {
  readonly label: string
  readonly paper: string
  readonly line: string
  /** Begins at the right, as its name is read. */
  readonly mirrored: boolean
  readonly parts: readonly Part[]
}

function pill({ label, paper, line, mirrored, parts }: Pill): string {
  const inner = parts.reduce((sum, part) => sum + widthOf(part), 0)
  const width = Math.ceil(inner + edge * 2)
  let left = (width - inner) / 2
  const drawn = (mirrored ? parts.toReversed() : parts).map((part) => {
    const at = left
    left += widthOf(part)
    return 'gap' in part ? undefined : part.draw(at)
  })
  return String(
    xml`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}"><title>${label}</title><rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="${(height - 1) / 2}" fill="${paper}" stroke="${line}"/>${drawn}</svg>`,
  )
}

const widthOf = (part: Part): number => ('gap' in part ? part.gap : part.width)

/** The first letter of the site and the rule under it: a standfirst under a headline. */
function markOf(siteName: string, { ink, rule }: Palette): Part {
  const [initial = ''] = graphemesOf(siteName)
  const line = setLine(initial)
  const width = Math.max(((line?.width ?? 0) * markSize) / 1000, 9)
  return {
    width,
    draw: (left) =>
      xml`${line && outlined(line.path, left, 18.2, markSize, ink)}<rect x="${fine(left)}" y="21" width="${fine(width * 0.8)}" height="1.6" fill="${rule}"/>`,
  }
}

/** In the site's serif, as outlines, where it has the letters; else in the reader's own font, fitted to the pill. */
function lettered(text: string, ink: string): Part {
  const { shown, ems, path } = fitted(text)
  const width = ems * textSize
  return {
    width,
    draw: (left) =>
      path === undefined
        ? xml`<text x="${fine(left + width / 2)}" y="${baseline}" font-family="system-ui,sans-serif" font-size="${textSize}" font-weight="600" text-anchor="middle" textLength="${fine(width)}" lengthAdjust="spacingAndGlyphs"${isRightToLeft(shown) && xml` direction="rtl"`} fill="${ink}">${shown}</text>`
        : outlined(path, left, baseline, textSize, ink),
  }
}

interface Fitted {
  readonly shown: string
  readonly ems: number
  /** Undefined where the site's serif lacks a letter. */
  readonly path?: string
}

function fitted(text: string): Fitted {
  const all = graphemesOf(text).map((grapheme) => Array.from(grapheme).slice(0, most.charactersInOne).join(''))
  for (let count = Math.min(all.length, most.graphemes); ; count -= 1) {
    const cut = all.slice(0, count).join('')
    const shown = count < all.length ? `${cut.trimEnd()}…` : cut
    const line = setLine(shown)
    const ems = line ? line.width / 1000 : estimatedWidth(shown)
    if (ems <= most.ems || count <= 1) return { shown, ems, ...(line ? { path: line.path } : {}) }
  }
}

const outlined = (path: string, left: number, base: number, size: number, ink: string): Xml =>
  xml`<path transform="translate(${fine(left)} ${base}) scale(${size / 1000} ${-size / 1000})" fill="${ink}" d="${path}"/>`

function tickIn(colour: string, paper: string): Part {
  const middle = height / 2
  return {
    width: tickSize,
    draw: (left) => {
      const centre = left + tickSize / 2
      return xml`<circle cx="${fine(centre)}" cy="${middle}" r="${tickSize / 2}" fill="${colour}"/><path d="M${fine(centre - 3.3)} ${fine(middle + 0.2)}l2.3 2.4 4.4-4.9" fill="none" stroke="${paper}" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"/>`
    },
  }
}

/** A tenth of a pixel is finer than any screen. */
const fine = (value: number): number => Math.round(value * 10) / 10
