import { type Xml, xml } from '../../html.ts'
import { tokenColour } from '../../page/colours.ts'
import { type HanLanguage, startText, type Weight } from '../../text-shaping/fonts.ts'
import {
  graphemesOf,
  hanLanguageOf,
  isRightToLeft,
  type ShapedLine,
  shapeLine,
  type TextStyle,
} from '../../text-shaping/shape.ts'
import type { Focus } from '../crop.ts'
import { coverPanel, drawCover } from '../drawn-cover/draw.ts'
import { outlineOf } from '../drawn-cover/outline.ts'
import {
  atMost,
  drawable,
  fitted,
  leadingOf,
  type MeasuredText,
  measured,
  oneLine,
  type SetText,
} from './text-layout.ts'

interface DrawnArt {
  readonly hue: number
  readonly seed: string
  readonly initials: string
}

/** The text of a preview image (Open Graph), and what is beside it. */
export interface OgImageContent {
  /** A stored picture, by its hash. */
  readonly picture: { readonly hash: string; readonly focus: Focus } | null
  /** Drawn if there is no picture, or if it cannot be read. */
  readonly art: DrawnArt
  /** The hash of a stored picture, shown as a disc before the foot. */
  readonly portrait: string | null
  /** The name of the site. */
  readonly site: string
  /** The site's own icon, a square SVG; without one its name is underlined. */
  readonly mark: string | null
  readonly kicker: string | null
  readonly title: string
  readonly titleTicked: boolean
  readonly text: string | null
  readonly foot: string | null
  readonly footTicked: boolean
  /** The language of title and text (BCP 47): Japanese and Korean have their own forms of Han characters. */
  readonly language?: string
}

const size = { width: 1200, height: 630 } as const
/** The art is at the end of the lines, from top to bottom. */
export const panel = { width: 440, height: size.height } as const
export const portraitSize = 72

const margin = 64
const across = size.width - panel.width - margin - 52
const edges = { top: 54, bottom: 50 }
/** Height shared by title and text. */
const middle = 322
const gap = 26
const sites = { size: 34, leading: 1.2, tracking: -12 }
const kickers = 27
const titles = { sizes: [96, 86, 76, 66, 58, 52, 46, 42], leading: 1.1, tracking: -15 }
const texts = { size: 31, leading: 1.36, most: 3 }
const feet = 30
/** The height of a single line, relative to its size. */
const lineHeight = 1.37
/** From the middle of a line down to its baseline, relative to its size. */
const toBaseline = 0.35

/** A part of the picture: its size, and how to draw it with its top at `y`. */
interface Block {
  readonly width: number
  readonly height: number
  draw(side: Side, y: number): Xml
}

/** An image as SVG, and where stored pictures are to be put. */
export interface ComposedImage {
  readonly svg: string
  /** The left edge of the panel. */
  readonly panel: number
  readonly portrait: { readonly left: number; readonly top: number } | null
}

/** Draws an image as SVG, text as outlines. If the title is right-to-left, the picture is mirrored. */
export function compose(poster: OgImageContent, palette: Palette): ComposedImage {
  startText()
  const all = [poster.title, poster.text, poster.foot, poster.kicker].join(' ')
  const han = hanLanguageOf(all, poster.language)
  const { site, mark, kicker, title, titleTicked, text, foot, footTicked } = wordsOf(poster, { han })
  const portrait = foot && poster.portrait !== null ? portraitSize : 0
  const measure = (words: string, weight: Weight, tracking = 0): MeasuredText =>
    measured(words, { weight, han, rightToLeft: isRightToLeft(words), tracking })
  const side = sideOf(isRightToLeft(title ?? site ?? ''))
  const { paper, soft, rule } = palette

  const plate = nameplate(site ? measure(site, 600, sites.tracking) : undefined, mark, palette)
  const topic = kicker ? oneLine(measure(kicker, 400), across / 2 / kickers) : undefined
  const ruleTop = edges.top + Math.max(plate.height, topic ? kickers * lineHeight : 0) + 28
  const footTop = size.height - edges.bottom - (foot ? Math.max(feet * lineHeight, portrait) : 0)

  const set = title ? setTitle(measure(title, 600, titles.tracking), text !== null) : undefined
  const blocks = set
    ? [titleBlock(set, titleTicked, palette), ...(text ? textBlock(measure(text, 400), set, soft) : [])]
    : [emblem(site ? measure([...site][0]!, 600) : undefined, mark, palette)]
  const free = footTop - ruleTop - 2 - blocks.reduce((sum, { height }) => sum + height, 0)
  let y = ruleTop + 2 + free / 2
  const drawn = blocks.map((block) => {
    const at = y
    y += block.height
    return block.draw(side, at)
  })
  const afterPortrait = portrait && portrait + 18
  const footLine = foot ? oneLine(measure(foot, 600), (across - afterPortrait - 50) / feet) : undefined
  const footTick = footTicked ? { size: feet * 0.85, gap: 12 } : undefined
  const lineTop = footTop + (Math.max(portrait, feet * lineHeight) - feet * lineHeight) / 2
  const left = side.rightToLeft ? 0 : size.width - panel.width
  return {
    svg: String(
      xml`<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}"><rect width="${size.width}" height="${size.height}" fill="${paper}"/>${plate.draw(side, edges.top)}${topic && lineAt(topic, kickers, soft, farSideOf(side), edges.top, lineHeight)}<rect x="${round(side.left(across))}" y="${round(ruleTop)}" width="${across}" height="2" fill="${rule}"/>${drawn}${footLine && tickedLine(footLine, feet, lineHeight, palette, side, lineTop, footTick, afterPortrait)}</svg>`,
    ).replace(/<\/svg>$/, `${poster.picture ? '' : drawnPanel(poster.art, left, han)}</svg>`),
    panel: left,
    portrait: portrait ? { left: Math.round(side.left(portrait)), top: Math.round(footTop) } : null,
  }
}

/** Numbers and outlines alone, so there is nothing to escape. */
function drawnPanel(art: DrawnArt, left: number, han: HanLanguage): string {
  const outline = (text: string) => {
    const shaped = text && shapeLine(text, { weight: 600, han, rightToLeft: isRightToLeft(text) })
    return shaped ? outlineOf(shaped.path) : undefined
  }
  // A narrow panel has place for one character.
  const initial = outline(graphemesOf(art.initials)[0] ?? '')
  return coverPanel(drawCover({ ...art, initial, initials: initial }), left, panel.width, panel.height)
}

type Text = Omit<OgImageContent, 'picture' | 'art' | 'portrait'>
type Words = { readonly [Part in keyof Text]: Text[Part] extends boolean ? boolean : string | null }

/** The parts that can be drawn. If the title cannot, the next part that can replaces it. */
function wordsOf({ mark, titleTicked, footTicked, ...poster }: Text, { han }: Pick<TextStyle, 'han'>): Words {
  const said = (part: string | null, weight: Weight) => drawable(part, { han, weight, rightToLeft: false })
  const head = { site: said(poster.site, 600), mark, kicker: said(poster.kicker, 400) }
  const [title, foot, text] = [said(poster.title, 600), said(poster.foot, 600), said(poster.text, 400)]
  if (title) return { ...head, title, titleTicked, text, foot, footTicked }
  if (text) return { ...head, title: text, titleTicked: false, text: null, foot, footTicked }
  return { ...head, title: foot, titleTicked: footTicked, text: null, foot: null, footTicked: false }
}

/** Where things begin: at the left, or at the right in a mirrored picture. */
interface Side {
  readonly rightToLeft: boolean
  /** The left edge of something that begins `from` after the margin. */
  left(width: number, from?: number): number
}

const sideOf = (rightToLeft: boolean): Side => ({
  rightToLeft,
  left: (width, from = 0) => (rightToLeft ? size.width - margin - from - width : margin + from),
})

/** For what ends where the lines end. */
const farSideOf = ({ rightToLeft, left }: Side): Side => ({
  rightToLeft: !rightToLeft,
  left: (width, from = 0) => left(width, across - from - width),
})

/** Lines are measured before they are broken; where drawing differs, the line is made a little smaller. */
const scaleOf = (line: ShapedLine, fontSize: number, widest: number): number =>
  Math.min(fontSize / 1_000, widest / Math.max(line.width, 1))

function lineAt(
  line: ShapedLine,
  fontSize: number,
  ink: string,
  side: Side,
  y: number,
  leading: number,
  from = 0,
): Xml {
  const scale = scaleOf(line, fontSize, across - from)
  const baseline = y + fontSize * (leading / 2 + toBaseline)
  return xml`<path transform="translate(${round(side.left(line.width * scale, from))} ${round(baseline)}) scale(${scale} ${-scale})" fill="${ink}" d="${line.path}"/>`
}

interface Tick {
  readonly size: number
  readonly gap: number
}

function tickedLine(
  line: ShapedLine,
  fontSize: number,
  leading: number,
  palette: Palette,
  side: Side,
  y: number,
  tick: Tick | undefined,
  start = 0,
): Xml {
  const from = start + line.width * scaleOf(line, fontSize, across - start) + (tick?.gap ?? 0)
  return xml`${lineAt(line, fontSize, palette.ink, side, y, leading, start)}${tick && tickAt(side.left(tick.size, from), y + (fontSize * leading - tick.size) / 2, tick.size, palette)}`
}

function nameplate(site: MeasuredText | undefined, mark: string | null, { ink, accent }: Palette): Block {
  const name = site && oneLine(site, across / 2 / sites.size)
  const nameHeight = name ? sites.size * sites.leading : 0
  const draw = (side: Side, y: number, from: number) =>
    name && lineAt(name, sites.size, ink, side, y, sites.leading, from)
  if (mark) {
    return {
      width: 44,
      height: 44,
      draw: (side, y) => xml`${picture(mark, side.left(44), y, 44)}${draw(side, y + (44 - nameHeight) / 2, 60)}`,
    }
  }
  const line = 1.15 * sites.size
  return {
    width: line,
    height: nameHeight + 11,
    draw: (side, y) =>
      xml`${draw(side, y, 0)}<rect x="${round(side.left(line))}" y="${round(y + nameHeight + 7)}" width="${round(line)}" height="4" fill="${accent}"/>`,
  }
}

/** Leaves space for two lines of text below it, unless it would be truncated: then it gets all the space. */
function setTitle(title: MeasuredText, withText: boolean): SetText {
  const frame = { sizes: titles.sizes, leading: leadingOf(title, titles.leading), across }
  const above = fitted(title, { ...frame, tall: middle - gap - 2 * texts.size * texts.leading })
  return withText && above.whole ? above : fitted(title, { ...frame, tall: middle })
}

function titleBlock(set: SetText, ticked: boolean, palette: Palette): Block {
  const step = set.size * set.leading
  const tick = { size: set.size * 0.5, gap: set.size * 0.24 }
  return {
    width: across,
    height: step * set.lines.length,
    draw: (side, y) =>
      xml`${set.lines.map((line, at) =>
        tickedLine(
          line,
          set.size,
          set.leading,
          palette,
          side,
          y + at * step,
          ticked && at === set.lines.length - 1 ? tick : undefined,
        ),
      )}`,
  }
}

function textBlock(text: MeasuredText, title: SetText, soft: string): Block[] {
  const leading = leadingOf(text, texts.leading)
  const step = texts.size * leading
  const left = middle - gap - title.size * title.leading * title.lines.length
  const most = Math.min(Math.floor(left / step), texts.most)
  if (most < 1) return []
  const lines = atMost(text, most, across / texts.size)
  const draw = (side: Side, y: number) =>
    xml`${lines.map((line, at) => lineAt(line, texts.size, soft, side, y + gap + at * step, leading))}`
  return [{ width: across, height: gap + step * lines.length, draw }]
}

/** If nothing else can be drawn: the icon, or an underlined initial. */
function emblem(initial: MeasuredText | undefined, mark: string | null, { ink, accent }: Palette): Block {
  const tall = 260
  if (mark) return { width: tall, height: tall, draw: (side, y) => picture(mark, side.left(tall), y, tall) }
  const letter = initial && oneLine(initial, across / tall)
  const height = letter ? tall : 0
  return {
    width: tall,
    height: height + 30,
    draw: (side, y) =>
      xml`${letter && lineAt(letter, tall, ink, side, y, 1)}<rect x="${side.left(130)}" y="${round(y + height + 12)}" width="130" height="18" fill="${accent}"/>`,
  }
}

const picture = (svg: string, left: number, top: number, wide: number): Xml =>
  xml`<image x="${round(left)}" y="${round(top)}" width="${wide}" height="${wide}" href="data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}"/>`

const tickAt = (left: number, top: number, wide: number, { paper, ink }: Palette): Xml =>
  xml`<g transform="translate(${round(left)} ${round(top)}) scale(${wide / 24})"><circle cx="12" cy="12" r="12" fill="${ink}"/><path d="M6.6 12.4l3.7 3.7 7.1-7.6" fill="none" stroke="${paper}" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"/></g>`

/** To a tenth of a pixel. */
const round = (value: number): number => Math.round(value * 10) / 10

/** The light colours of the pages, read from their stylesheet. */
export interface Palette {
  readonly paper: string
  readonly ink: string
  readonly soft: string
  readonly rule: string
  readonly accent: string
}

export const readPalette = (): Palette => ({
  paper: tokenColour('paper'),
  ink: tokenColour('ink'),
  soft: tokenColour('soft'),
  rule: tokenColour('rule'),
  accent: tokenColour('accent'),
})
