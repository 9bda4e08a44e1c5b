/**
 * Rows of an RFC 4180 file, keyed by the header row. Quoted fields may contain commas, line breaks and doubled quotes.
 */
export function readCsv(text: string): Record<string, string>[] {
  const [head = [], ...rows] = csvRows(text.replace(/^\uFEFF/, ''))
  return rows
    .filter((row) => row.some((field) => field !== ''))
    .map((row) => Object.fromEntries(head.map((name, at) => [name.trim(), row[at] ?? ''])))
}

const fields = {
  ',': /(?:"([^"]*(?:""[^"]*)*)"|([^,\r\n]*))(,|\r?\n|\r|$)/y,
  ';': /(?:"([^"]*(?:""[^"]*)*)"|([^;\r\n]*))(;|\r?\n|\r|$)/y,
  '\t': /(?:"([^"]*(?:""[^"]*)*)"|([^\t\r\n]*))(\t|\r?\n|\r|$)/y,
}

/** All rows, the header among them, with what spreadsheets of some countries put between fields. */
export function* csvRows(text: string, separator: keyof typeof fields = ','): Generator<string[]> {
  // Of its own: another file may be read in between.
  const field = new RegExp(fields[separator])
  let row: string[] = []
  for (field.lastIndex = 0; field.lastIndex < text.length; ) {
    // A misplaced quote is an ordinary character, so that every field matches.
    const [, quoted, bare = '', after] = field.exec(text)!
    row.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'))
    if (after === separator) continue
    yield row
    row = []
  }
  if (row.length > 0) yield row
}
