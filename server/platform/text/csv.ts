/**
 * Rows of an RFC 4180 file, keyed by the header row. Quoted fields may contain commas, line breaks and doubled quotes.
 */
export function readCsv(text: string): Record<string, string>[] {
  const [head = [], ...rows] = rowsOf(text.replace(/^\uFEFF/, ''))
  return rows
    .filter((row) => row.some((field) => field !== ''))
    .map((row) => Object.fromEntries(head.map((name, at) => [name.trim(), row[at] ?? ''])))
}

const field = /(?:"([^"]*(?:""[^"]*)*)"|([^,\r\n]*))(,|\r?\n|\r|$)/y

function* rowsOf(text: string): Generator<string[]> {
  let row: string[] = []
  for (field.lastIndex = 0; field.lastIndex < text.length; ) {
    // A misplaced quote is an ordinary character, so that every field matches.
    const [, quoted, bare = '', after] = field.exec(text)!
    row.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'))
    if (after === ',') continue
    yield row
    row = []
  }
  if (row.length > 0) yield row
}
