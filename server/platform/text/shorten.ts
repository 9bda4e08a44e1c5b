/** The first `longest` characters or fewer, ending with a whole word and an ellipsis where something was left out. */
export function shortened(text: string, longest: number): string {
  const characters = [...text.slice(0, 2 * longest + 2)]
  if (characters.length <= longest) return text
  const cut = characters.slice(0, longest).join('')
  const word = characters[longest] === ' ' ? cut.length : cut.lastIndexOf(' ')
  return `${cut.slice(0, word > cut.length / 2 ? word : cut.length).trimEnd()}…`
}
