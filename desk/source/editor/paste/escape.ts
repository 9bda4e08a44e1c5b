/** Text that says what it says and nothing in Markdown; no more signs are escaped than would be read as marks. */
export function escaped(text: string): string {
  return text
    .replace(/\\(?=[!-/:-@[-`{-~])/g, '\\\\')
    .replace(/[*`]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/~~/g, '\\~~')
    .replace(/\[(?=\^|[^\]]*\][([:])/g, '\\[')
    .replace(/<(?=[a-z/!?])/gi, '\\<')
    .replace(/&(?=#?\w+;)/g, '\\&')
}

/** What would make something else of a paragraph if it stood at the start of its line. */
export function escapedStart(line: string): string {
  return line
    .replace(/^(#{1,6})(?=\s|$)/, '\\$1')
    .replace(/^([>+-])(?=\s|$)/, '\\$1')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2')
    .replace(/^(={1,}|-{3,})\s*$/, '\\$1')
    .replace(/^\|/, '\\|')
}

/** An address as a link's target: bare where it can be, in angle brackets where it holds spaces or odd brackets. */
export function target(address: string): string {
  if (/[\s<>]/.test(address)) return `<${address.replace(/\s/g, '%20').replace(/[<>]/g, encodeURIComponent)}>`
  const isEven = /^[^()]*(\([^()]*\)[^()]*)*$/.test(address)
  return isEven ? address : address.replace(/\(/g, '%28').replace(/\)/g, '%29')
}
