import { readFileSync } from 'node:fs'
import { atMost, drawable, fitted, oneLine, type SetText, type Width } from './text-layout.ts'
import type { Typeface, Weight } from './typeface.ts'

/** The text of a preview image (Open Graph). */
export interface OgImageContent {
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
}

export interface DrawingResources {
  readonly face: Typeface
  readonly palette: Palette
}

export const size = { width: 1200, height: 630 } as const

const margin = 72
const across = size.width - 2 * margin
/** Height shared by title and text. */
const middle = 332
const gap = 26
const sites = 34
const kickers = 30
const titles = { sizes: [108, 96, 86, 76, 68, 60, 54, 48], leading: 1.1, across }
const texts = { size: 36, leading: 1.36, most: 3 }
const feet = 32

export function compose(poster: OgImageContent, { face, palette }: DrawingResources): Element {
  const { paper, ink, soft, rule } = palette
  const { site, mark, kicker, title, titleTicked, text, foot, footTicked } = wordsOf(poster, face)
  const width =
    (weight: Weight): Width =>
    (words) =>
      face.width(words, weight)
  const set = title ? setTitle(title, text !== null, width(600)) : undefined
  return column(
    {
      ...size,
      boxSizing: 'border-box',
      padding: `54px ${margin}px 50px`,
      background: paper,
      color: ink,
      fontFamily: face.family,
      fontWeight: 400,
    },
    row(
      { justifyContent: 'space-between', alignItems: 'flex-start' },
      nameplate(site && oneLine(site, across / 2 / sites, width(600)), mark, palette),
      kicker ? line(oneLine(kicker, across / 2 / kickers, width(400)), { fontSize: kickers, color: soft }) : null,
    ),
    row({ height: 2, marginTop: 28, background: rule }),
    column(
      { flexGrow: 1, justifyContent: 'center' },
      set ? titleOf(set, titleTicked, palette) : emblem(site, mark, palette),
      set && text ? textOf(text, set, width(400), palette) : null,
    ),
    foot
      ? row(
          { alignItems: 'center' },
          line(oneLine(foot, (across - 50) / feet, width(600)), { fontSize: feet, fontWeight: 600 }),
          footTicked ? tick(feet * 0.85, 12, palette) : null,
        )
      : null,
  )
}

type Words = { readonly [Part in keyof OgImageContent]: OgImageContent[Part] extends boolean ? boolean : string | null }

/** The parts that can be drawn. If the title cannot, the next part that can replaces it. */
function wordsOf({ mark, titleTicked, footTicked, ...poster }: OgImageContent, face: Typeface): Words {
  const said = (part: string | null) => drawable(part, face.has)
  const [title, text, foot] = [said(poster.title), said(poster.text), said(poster.foot)]
  const head = { site: said(poster.site), mark, kicker: said(poster.kicker) }
  if (title) return { ...head, title, titleTicked, text, foot, footTicked }
  if (text) return { ...head, title: text, titleTicked: false, text: null, foot, footTicked }
  return { ...head, title: foot, titleTicked: footTicked, text: null, foot: null, footTicked: false }
}

function nameplate(site: string | null, mark: string | null, { accent }: Palette): Element {
  const name = site
    ? line(site, { fontSize: sites, fontWeight: 600, letterSpacing: '-0.012em', lineHeight: 1.2 })
    : null
  if (mark) return row({ alignItems: 'center' }, picture(mark, 44), row({ width: 16 }), name)
  return column({}, name, row({ width: 1.15 * sites, height: 4, marginTop: 7, background: accent }))
}

/** Leaves space for two lines of text below it, unless it would be truncated: then it gets all the space. */
function setTitle(title: string, withText: boolean, width: Width): SetText {
  const above = fitted(title, { ...titles, tall: middle - gap - 2 * texts.size * texts.leading }, width)
  return withText && above.whole ? above : fitted(title, { ...titles, tall: middle }, width)
}

const titleOf = ({ size, lines }: SetText, ticked: boolean, palette: Palette): Element =>
  column(
    { fontSize: size, fontWeight: 600, lineHeight: titles.leading, letterSpacing: '-0.015em' },
    ...lines.map((words, at) =>
      row(
        { alignItems: 'center' },
        line(words),
        ticked && at === lines.length - 1 ? tick(size * 0.5, size * 0.24, palette) : null,
      ),
    ),
  )

function textOf(text: string, title: SetText, width: Width, { soft }: Palette): Element | null {
  const measure = across / texts.size
  const left = middle - gap - title.size * titles.leading * title.lines.length
  const most = Math.min(Math.floor(left / (texts.size * texts.leading)), texts.most)
  if (most < 1) return null
  return column(
    { marginTop: gap, fontSize: texts.size, lineHeight: texts.leading, color: soft },
    ...atMost(text, most, measure, width).map((words) => line(words)),
  )
}

/** If nothing else can be drawn: the icon, or an underlined initial. */
function emblem(site: string | null, mark: string | null, { accent }: Palette): Element {
  if (mark) return row({}, picture(mark, 260))
  return column(
    { alignItems: 'flex-start' },
    site ? line([...site][0]!, { fontSize: 260, fontWeight: 600, lineHeight: 1 }) : null,
    row({ width: 130, height: 18, marginTop: 12, background: accent }),
  )
}

/** Elements in the form that satori takes. */
export interface Element {
  readonly type: string
  readonly props: Readonly<Record<string, unknown>>
}
type Style = Readonly<Record<string, string | number>>
type Child = Element | string | null

const row = (style: Style, ...children: Child[]): Element => ({
  type: 'div',
  props: { style: { display: 'flex', ...style }, children: children.filter((child) => child !== null) },
})

const column = (style: Style, ...children: Child[]): Element => row({ flexDirection: 'column', ...style }, ...children)

/** Never wrapped: the caller has measured it. */
const line = (words: string, style: Style = {}): Element => row({ whiteSpace: 'nowrap', ...style }, words)

const picture = (svg: string, across: number): Element => ({
  type: 'img',
  props: {
    src: `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`,
    width: across,
    height: across,
  },
})

const tick = (across: number, before: number, { paper, ink }: Palette): Element => ({
  type: 'svg',
  props: {
    width: across,
    height: across,
    viewBox: '0 0 24 24',
    style: { marginLeft: before },
    children: [
      { type: 'circle', props: { cx: 12, cy: 12, r: 12, fill: ink } },
      {
        type: 'path',
        props: {
          d: 'M6.6 12.4l3.7 3.7 7.1-7.6',
          fill: 'none',
          stroke: paper,
          'stroke-width': 2.4,
          'stroke-linecap': 'round',
          'stroke-linejoin': 'round',
        },
      },
    ],
  },
})

/** The light colours of the pages, read from their stylesheet. */
export interface Palette {
  readonly paper: string
  readonly ink: string
  readonly soft: string
  readonly rule: string
  readonly accent: string
}

export function readPalette(): Palette {
  const tokens = readFileSync(new URL('../../page/style/tokens.css', import.meta.url), 'utf8')
  const colour = (name: string): string => {
    // The first of that name: the dark colours come later.
    const found = new RegExp(`--${name}: ([^;]+);`).exec(tokens)?.[1]
    if (!found) throw new Error(`tokens.css has no colour ${name}`)
    return found
  }
  return {
    paper: colour('paper'),
    ink: colour('ink'),
    soft: colour('soft'),
    rule: colour('rule'),
    accent: colour('accent'),
  }
}
