import type { Cover, PieceListItem } from '#features/pieces/schema.ts'
import type { Urls } from '#features/urls.ts'
import { type Html, html } from '#platform/html.ts'
import { image, picture } from './variants.ts'

interface Box {
  /** In CSS pixels: 3 by 2, cropped around the focus of the cover. */
  readonly width: number
  readonly height: number
  /** How wide it is on narrow screens and from 48rem on, as numbers and units. */
  readonly narrow: readonly [number, string]
  readonly wide: readonly [number, string]
  /** Of the candidates, in pixels. */
  readonly widest: number
}

const boxes: Readonly<Record<'small' | 'medium' | 'large', Box>> = {
  small: { width: 144, height: 96, narrow: [6, 'rem'], wide: [9, 'rem'], widest: 640 },
  medium: { width: 360, height: 240, narrow: [100, 'vw'], wide: [360, 'px'], widest: 1280 },
  large: { width: 720, height: 480, narrow: [100, 'vw'], wide: [720, 'px'], widest: 1920 },
}

interface CoverOptions {
  readonly size: keyof typeof boxes
  /** Above the fold: loaded at once. */
  readonly eager?: boolean
}

type Pictured = Pick<PieceListItem, 'id' | 'title' | 'category' | 'cover'>

/**
 * The cover of a piece in a list, or one that is drawn for it. It is decoration there, since the headline beside it says
 * what the piece is about.
 */
function coverPicture({ id, title, category, cover }: Pictured, urls: Urls, options: CoverOptions): Html {
  const { width, height, ...box } = boxes[options.size]
  const shown = { alt: '', width, height, eager: options.eager }
  return cover
    ? picture(
        cover,
        { sizes: sizesOf(cover, box), widest: box.widest },
        { ...shown, classes: `cover ${focusClasses(cover.focus)}` },
        urls,
      )
    : image(urls.drawnCover(category, id.slice(-36), title), { ...shown, classes: 'cover' })
}

/** What is wider than its box is as high as it, and the rest is cut off: more pixels are needed. */
function sizesOf({ width, height }: Cover, { narrow, wide }: Pick<Box, 'narrow' | 'wide'>): string {
  const factor = Math.max(1, width / height / 1.5)
  const scaled = ([length, unit]: Box['wide']) => `${Math.round(length * factor * 10) / 10}${unit}`
  return `(min-width: 48rem) ${scaled(wide)}, ${scaled(narrow)}`
}

/** The same as a link, which repeats that of the headline and is therefore hidden from the keyboard and from screen readers. */
export const coverLink = (piece: Pictured & Pick<PieceListItem, 'url'>, urls: Urls, options: CoverOptions): Html =>
  html`<a class="cover-link" href="${piece.url}" tabindex="-1" aria-hidden="true">${coverPicture(piece, urls, options)}</a>`

/** Our pages have no style attributes, so the focus is rounded to one of eleven classes each way (covers.css). */
const focusClasses = ({ x, y }: { readonly x: number; readonly y: number }): string =>
  `x${Math.round(x / 10)} y${Math.round(y / 10)}`

/** On the page of its piece, from 64rem on wider than the text (covers.css). */
export const coverOnPage = (cover: Cover, urls: Urls): Html =>
  picture(cover, { sizes: '(min-width: 64rem) 54rem, 100vw', widest: 1920 }, { ...cover, eager: true }, urls)
