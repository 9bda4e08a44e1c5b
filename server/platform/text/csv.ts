/** Rows of RFC 4180 by the names of the first: quotes may hold commas, line breaks and doubled quotes. */
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
    // A quote in the wrong place is a sign like any other, so that every field matches.
    const [, quoted, bare = '', after] = field.exec(text)!
    row.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'))
    if (after === ',') continue
    yield row
    row = []
  }
  if (row.length > 0) yield row
}
