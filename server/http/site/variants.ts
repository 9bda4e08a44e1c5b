import type { Urls } from '#features/urls.ts'
import { type Html, html } from '#platform/html.ts'
import type { VariantFormat } from '#platform/images/formats.ts'
import { variantWidths } from '#platform/images/variants.ts'

/** Only images that are public have smaller copies: those of previews and of other sites do not. */
export const hasVariants = (address: string, urls: Urls): boolean => address.startsWith(urls.media(''))

interface Pictured {
  readonly url: string
  readonly width: number
}

/** The candidates for `srcset`, in pixels of width; the image itself is the widest in its own format. */
function srcset({ url, width }: Pictured, format: VariantFormat, widest: number): string {
  const narrower = variantWidths.filter((one) => one < width && one <= widest)
  const candidates = narrower.map((one) => `${url}/${one}.${format} ${one}w`)
  return (format === 'webp' && width <= widest ? [...candidates, `${url} ${width}w`] : candidates).join(', ')
}

interface Shown {
  readonly alt: string
  /** Of its box, in CSS pixels. */
  readonly width: number
  readonly height: number
  readonly classes?: string
  /** Above the fold: loaded at once. */
  readonly eager?: boolean | undefined
}

export const image = (url: string, { alt, width, height, classes, eager }: Shown, candidates?: Html): Html =>
  html`<img src="${url}"${candidates}${classes && html` class="${classes}"`} alt="${alt}" width="${width}" height="${height}"${eager ? html` fetchpriority="high"` : html` loading="lazy"`} decoding="async">`

interface Candidates {
  readonly sizes: string
  /** In pixels. */
  readonly widest: number
}

/** `<picture>` with AVIF, and WebP for browsers without it; plain if the image has no smaller copies. */
export function responsive(picture: Pictured, { sizes, widest }: Candidates, shown: Shown, urls: Urls): Html {
  const avif = hasVariants(picture.url, urls) ? srcset(picture, 'avif', widest) : ''
  if (avif === '') return image(picture.url, shown)
  const webp = html` srcset="${srcset(picture, 'webp', widest)}" sizes="${sizes}"`
  return html`<picture><source type="image/avif" srcset="${avif}" sizes="${sizes}">${image(picture.url, shown, webp)}</picture>`
}
