/** Pictures that lie in the site, written in Markdown as `/media/{hash}`. */

/** By hash, each with its width and height in pixels. */
export type Pictures = Readonly<Record<string, readonly [width: number, height: number]>>

/** The hash, where the address is one of these. */
export const ownPicture = (address: string): string | undefined => /^\/media\/([0-9a-f]{64})$/.exec(address)?.[1]

/**
 * Stored HTML has them as they are written; whoever shows it says where they are. No text can spell these tags: there
 * every `<` is `&lt;`.
 */
export const picturesAt = (html: string, place: string): string =>
  html.replaceAll('<img src="/media/', `<img src="${place}`).replaceAll('<a href="/media/', `<a href="${place}`)

/**
 * For whoever must read a text before it is public: a picture at another server would tell its writer from where, and
 * when, it is read. In its place stands where it lies.
 */
export const withoutForeignPictures = (html: string, base: string): string =>
  html.replace(/<img\b[^>]*?\bsrc="(https?:[^"]*)"[^>]*>/g, (tag, address: string) =>
    address.startsWith(`${base}/`) ? tag : `<span class="elsewhere">[A picture at ${address}, not loaded]</span>`,
  )
