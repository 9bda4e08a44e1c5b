/**
 * Smaller versions of uploaded images, for pages: stored HTML names each image once, and a browser chooses what fits.
 * `/media/{hash}/{width}.webp` and `.avif` exist for each of these widths below the image's own.
 */
const variantWidths = [320, 640, 960, 1280, 1920] as const

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
      const widths = variantWidths.filter((one) => one < Number(own))
      if (widths.length === 0) return whole
      const set = (type: string) => widths.map((one) => `${place}${hash}/${one}.${type} ${one}w`)
      const drawn = sizes[width ?? 'text']
      return `${figure ?? ''}<picture><source type="image/avif" srcset="${set('avif').join(', ')}" sizes="${drawn}">${image} srcset="${[...set('webp'), `${place}${hash} ${own}w`].join(', ')}" sizes="${drawn}" /></picture>`
    },
  )
}
