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
