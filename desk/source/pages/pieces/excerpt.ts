/** The first words of a text without Markdown marks. */
export function excerptOf(markdown: string, longest = 180): string {
  const plain = markdown
    .replace(/^\s*(`{3,}|~{3,}).*$/gm, '')
    .replace(/^\s*[-*_]( *[-*_]){2,}\s*$/gm, '')
    .replace(/!\[([^\]]*)\](\([^)]*\))?/g, '$1')
    .replace(/\[\^[^\]]*\]:?/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)?/g, '$1')
    .replace(/^\s*(#{1,6}|>|[-*+]|\d+[.)])\s+(\[[ xX]\]\s+)?/gm, '')
    .replace(/(\*\*|__|~~|`)/g, '')
    .replace(/(^|[\s("“‘])[*_](?=\S)|(?<=\S)[*_](?=[\s.,;:!?)"”’]|$)/gm, '$1')
    .replace(/\s+/g, ' ')
    .trim()
  if ([...plain].length <= longest) return plain
  const cut = [...plain].slice(0, longest).join('')
  return `${cut.replace(/\s+\S*$/, '')} …`
}
