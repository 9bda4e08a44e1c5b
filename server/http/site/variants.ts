import type { Urls } from '#features/urls.ts'
import { type Html, html } from '#platform/html.ts'
import { type Candidates, responsive } from '#platform/images/variants.ts'

/** Only images that are public have smaller copies: those of previews and of other sites do not. */
export const hasVariants = (address: string, urls: Urls): boolean => address.startsWith(urls.media(''))

interface Pictured {
  readonly url: string
  readonly width: number
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

/** `<picture>` with AVIF, and WebP for browsers without it; plain if the image has no smaller copies. */
export function picture(pictured: Pictured, candidates: Candidates, shown: Shown, urls: Urls): Html {
  const offered = hasVariants(pictured.url, urls) ? responsive(pictured, candidates) : undefined
  if (!offered) return image(pictured.url, shown)
  return html`<picture>${offered.source}${image(pictured.url, shown, offered.attributes)}</picture>`
}
