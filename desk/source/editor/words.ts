import { markdown } from './surface/language.ts'

/** What the page does not show, or shows as something other than words. */
const unseen = new Set([
  ...['URL', 'LinkTitle', 'LinkLabel', 'LinkReference', 'Image', 'CodeInfo', 'ListMark', 'TaskMarker', 'Entity'],
  ...['EmphasisMark', 'StrikethroughMark', 'CodeMark', 'LinkMark', 'HeaderMark', 'QuoteMark'],
  ...['HTMLTag', 'Comment', 'CommentBlock', 'ProcessingInstruction', 'ProcessingInstructionBlock'],
])

/** How many words a reader sees: without addresses, numbers of footnotes and lists, and marks. */
export function countWords(text: string): number {
  const noted = text.replace(/\[\^[^\]\s]+\]:?/g, ' ')
  let seen = ''
  let from = 0
  markdown.parser.parse(noted).iterate({
    enter(node) {
      if (!unseen.has(node.name)) return true
      seen += noted.slice(from, node.from)
      from = node.to
      return false
    },
  })
  seen += noted.slice(from)
  return seen.match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu)?.length ?? 0
}
