/**
 * Finds pictures in Markdown. Runs at each keystroke, so it must be linear: no part of the expression can begin again
 * inside itself, and each is bounded (a URL has at most 2048 characters).
 */
const pictureSyntax =
  /!\[((?:[^[\]\\]|\\.){0,1000})\]\(\s{0,20}<?(https:\/\/[^\s)>[]{1,2048}|\/media\/[\w-]{1,200}(?:#(?:wide|full))?)(?=[\s)>])>?(?:\s{1,20}"(?:[^"\\]|\\.){0,1000}"\s{0,20}|\s[^)["]{0,1000})?\)/g

interface PictureReference {
  readonly words: string
  readonly address: string
  readonly at: number
}

export function* findPictures(text: string): Generator<PictureReference> {
  if (!text.includes('![')) return
  for (const { 1: words = '', 2: address = '', index: at } of text.matchAll(pictureSyntax)) yield { words, address, at }
}

/** The text with another address for one picture, wherever it is shown; its width stays. Links are left alone. */
export function replacePicture(text: string, from: string, to: string): string {
  const width = /#(?:wide|full)$/.exec(from)?.[0] ?? ''
  let changed = ''
  let end = 0
  for (const { words, address, at } of findPictures(text)) {
    if (address !== from) continue
    const start = text.indexOf(from, at + words.length)
    changed += text.slice(end, start) + to + width
    end = start + from.length
  }
  return changed + text.slice(end)
}

/** A picture alone in its paragraph: its title is the caption, and a fragment says how wide it is. */
export function pictureMarkdown(picture: {
  readonly alt: string
  readonly address: string
  readonly caption: string
  /** `wide`, `full`, or `text` for the width of the text. */
  readonly width: string
}): string {
  const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()
  const alt = oneLine(picture.alt).replace(/[[\]\\]/g, '\\$&')
  const fragment = picture.width === 'text' ? '' : `#${picture.width}`
  const caption = oneLine(picture.caption).replace(/["\\]/g, '\\$&')
  return `![${alt}](${picture.address}${fragment}${caption && ` "${caption}"`})`
}
