/**
 * Parts of Markdown that are not words to a reader. No pattern continues past a character where it could start, so each
 * takes linear time.
 */
const unseen: readonly RegExp[] = [
  // Images with their alt text; then link targets and reference labels.
  /!\[(?:\\.|[^[\]\\])*\](?:\([^()[\]\n]*\)|\[[^[\]]*\])?/g,
  /\[\^[^[\]\s]+\]:?/g,
  /^ {0,3}\[[^[\]\n]+\]:.*$/gm,
  /(?<=\])\([^()[\]\n]*\)/g,
  /(?<=\])\[[^[\]]*\]/g,
  /\b(?:https?:\/\/|www\.)[^\s<>]+/gi,
  // Tags and comments, entities, code fences, list numbers and task boxes.
  /<[a-z!/?][^<>]*>/gi,
  /&#?\w{1,31};/g,
  /^[ \t>]*(?:`{3,}|~{3,}).*$/gm,
  /^[ \t>]*\d{1,9}[.)](?=\s)/gm,
  /^[ \t>]*(?:[-*+][ \t]+)?\[[ x]\](?=\s)/gim,
]

/** Counts the words a reader sees: without URLs, numbers of footnotes and lists, and markup. */
export function countWords(markdown: string): number {
  let seen = markdown
  for (const pattern of unseen) seen = seen.replace(pattern, ' ')
  // Markup inside a word does not split it.
  return seen.replace(/[*~`]/g, '').match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu)?.length ?? 0
}
