/** Uploaded images, written in Markdown as `/media/{hash}`, and what a fragment says of an image's width. */

/** Width and height in pixels by hash. */
export type Pictures = Readonly<Record<string, readonly [width: number, height: number]>>

/** The hash, if the address is an uploaded image. */
export const ownPicture = (address: string): string | undefined =>
  /^\/media\/([0-9a-f]{64})(?:#(?:wide|full))?$/.exec(address)?.[1]

/**
 * `photo.jpg#wide` is wider than the text, `photo.jpg#full` as wide as the window. Other programs ignore the fragment of
 * an image, and show it as they show any.
 */
export type PictureWidth = 'wide' | 'full'

export function splitWidth(address: string): { address: string; width: PictureWidth | undefined } {
  const width = /#(wide|full)$/.exec(address)?.[1] as PictureWidth | undefined
  return width === undefined ? { address, width } : { address: address.slice(0, -width.length - 1), width }
}

/**
 * Stored HTML has relative addresses; the caller provides their base. No text can contain these tags: there every `<`
 * is `&lt;`.
 */
export const picturesAt = (html: string, place: string): string =>
  html.replaceAll('<img src="/media/', `<img src="${place}`).replaceAll('<a href="/media/', `<a href="${place}`)

/**
 * For people who check an unpublished text: an image on another server would reveal from where and when it
 * is read. It is replaced by `words` about its address, which is HTML.
 */
export const withoutExternalImages = (html: string, base: string, words: (address: string) => string): string =>
  html.replace(/<img\b[^>]*?\bsrc="(https?:[^"]*)"[^>]*>/g, (tag, address: string) =>
    address.startsWith(`${base}/`) ? tag : `<span class="elsewhere">[${words(address)}]</span>`,
  )
