/**
 * Where a text names a picture. This is asked at each letter that is typed, so it has to end soon whatever is there: no
 * part can begin again inside itself, and each has an end (an address has at most 2048 characters).
 */
const named =
  /!\[((?:[^[\]\\]|\\.){0,1000})\]\(\s{0,20}<?(https:\/\/[^\s)>[]{1,2048}|\/media\/[\w-]{1,200})(?=[\s)>])>?(?:\s[^)[]{0,1000})?\)/g

interface Named {
  readonly words: string
  readonly address: string
  readonly at: number
}

export function* picturesIn(text: string): Generator<Named> {
  if (!text.includes('![')) return
  for (const { 1: words = '', 2: address = '', index: at } of text.matchAll(named)) yield { words, address, at }
}
