/** Text that turns the direction of reading must turn it back: no block of a writer's changes what stands after it. */

const turning = /[\u202A-\u202E\u2066-\u2069]/u
const everyTurn = new RegExp(turning, 'gu')

const endOfEmbedding = '\u202C'
const endOfIsolate = '\u2069'

const closers: Readonly<Record<string, string>> = {
  '\u202A': endOfEmbedding,
  '\u202B': endOfEmbedding,
  '\u202C': endOfEmbedding,
  '\u202D': endOfEmbedding,
  '\u202E': endOfEmbedding,
  '\u2066': endOfIsolate,
  '\u2067': endOfIsolate,
  '\u2068': endOfIsolate,
  '\u2069': endOfIsolate,
}

/** What closes every embedding, override and isolate that `text` leaves open (Unicode's UAX 9, X1 to X7). */
export function closing(text: string): string {
  if (!turning.test(text)) return ''
  const open: string[] = []
  let isolates = 0
  for (const [character] of text.matchAll(everyTurn)) {
    const closer = closers[character]!
    if (closer !== character) {
      open.push(closer)
      if (closer === endOfIsolate) isolates += 1
    } else if (character === endOfIsolate && isolates > 0) {
      while (open.pop() !== endOfIsolate);
      isolates -= 1
    } else if (open.at(-1) === character) open.pop()
  }
  return open.reverse().join('')
}
