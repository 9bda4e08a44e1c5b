/** A picture whose bytes are in its address, as some programs copy them. */
const embedded =
  /<img\b[^>]*?\ssrc\s*=\s*["']data:(image\/(?:png|jpeg|gif|webp|avif|hei[cf]));base64,([\w+/=\s]+)["']/gi

/** The pictures that pasted HTML contains as data. They are uploaded; the text never has such an address. */
export const embeddedPictures = (html: string): File[] =>
  [...html.matchAll(embedded)].flatMap(([, type, base64], place) => {
    const bytes = bytesOf(base64!)
    return bytes ? [new File([bytes], `${place + 1}.${type!.split('/')[1]}`, { type: type! })] : []
  })

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
