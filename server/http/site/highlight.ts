import { type Html, html } from '#platform/html.ts'
import { fold } from '#platform/text/fold.ts'

/** Text with every place marked that a search for this term finds, by the same folding. */
export function marked(text: string, term: string): Html {
  const folded = fold(text)
  const sought = fold(term)
  // Folding keeps the length of a line; what is not a line yet is shown as it is.
  if (folded.length !== text.length || sought === '') return html`${text}`
  const parts: Html[] = []
  let from = 0
  for (let at = folded.indexOf(sought); at !== -1; at = folded.indexOf(sought, from)) {
    const to = at + sought.length
    parts.push(html`${text.slice(from, at)}<mark>${text.slice(at, to)}</mark>`)
    from = to
  }
  return html`${parts}${text.slice(from)}`
}
