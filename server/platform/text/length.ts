/** In code points. Counted, since spreading a body of 1.3 MB takes 20 ms. */
export function lengthOf(text: string): number {
  let pairs = 0
  for (let at = 0; at < text.length; at++) if (text.codePointAt(at)! > 0xffff) pairs++
  return text.length - pairs
}
