/**
 * What a reader of a Markdown text does not see as words. No pattern goes on past a sign at which it could begin, so
 * that each takes time in proportion to the text, whatever is in it.
 */
const unseen: readonly RegExp[] = [
  // Pictures, with their words for those who cannot see them; then where links lead, and what a reference is called.
  /!\[(?:\\.|[^[\]\\])*\](?:\([^()[\]\n]*\)|\[[^[\]]*\])?/g,
  /\[\^[^[\]\s]+\]:?/g,
  /^ {0,3}\[[^[\]\n]+\]:.*$/gm,
  /(?<=\])\([^()[\]\n]*\)/g,
  /(?<=\])\[[^[\]]*\]/g,
  /\b(?:https?:\/\/|www\.)[^\s<>]+/gi,
  // Tags and comments, entities, the lines around code, numbers of lists and boxes of tasks.
  /<[a-z!/?][^<>]*>/gi,
  /&#?\w{1,31};/g,
  /^[ \t>]*(?:`{3,}|~{3,}).*$/gm,
  /^[ \t>]*\d{1,9}[.)](?=\s)/gm,
  /^[ \t>]*(?:[-*+][ \t]+)?\[[ x]\](?=\s)/gim,
]

/** How many words a reader sees: without addresses, numbers of footnotes and lists, and marks. */
export function countWords(markdown: string): number {
  let seen = markdown
  for (const pattern of unseen) seen = seen.replace(pattern, ' ')
  // A mark inside a word does not make two of it.
  return seen.replace(/[*~`]/g, '').match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu)?.length ?? 0
}
