import { responsive } from '#platform/images/variants.ts'

/** Smaller versions of uploaded images, for pages: stored HTML names each image once, and a browser chooses what fits. */

/** None is drawn so narrow that it needs less. */
const narrowest = 320

/** How wide an image is drawn, as in prose.css. */
const sizes: Readonly<Record<string, string>> = {
  text: '(min-width: 48rem) 36rem, 90vw',
  wide: '(min-width: 64rem) 54rem, 90vw',
  full: '100vw',
}

/** The sanitiser writes images exactly so, and text never contains a tag. */
const imageIn = (place: string): RegExp =>
  new RegExp(
    `(<figure(?: class="(wide|full)")?>)?(<img src="${RegExp.escape(place)}([0-9a-f]{64})"[^>]*? width="(\\d+)"[^>]*?) />`,
    'g',
  )

/** `place` is where the images of `html` are, for example `https://site.example/media/`. */
export function withVariants(html: string, place: string): string {
  if (!html.includes(place)) return html
  return html.replace(
    imageIn(place),
    (whole, figure: string | undefined, width: string | undefined, image: string, hash: string, own: string) => {
      const drawn = { sizes: sizes[width ?? 'text']!, narrowest }
      const offered = responsive({ url: place + hash, width: Number(own) }, drawn)
      return offered ? `${figure ?? ''}<picture>${offered.source}${image}${offered.attributes} /></picture>` : whole
    },
  )
}
