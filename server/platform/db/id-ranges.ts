/**
 * Divides rows into parts by the first digits of their random ids: parts have similar sizes, and a row stays in its
 * part. Another digit is used when parts become too large.
 */

/** The limit of sitemaps.org for one file. */
const mostInPart = 50_000
const perPage = 2_000
/** Parts vary by chance: at 40,000 on average the limit is 50 standard deviations away. */
const averageInPart = 40_000

/** [''] alone, or '0' to 'f', or '00' to 'ff', and so on; empty if there are no rows. */
export function partsFor(rows: number): string[] {
  if (rows === 0) return []
  let digits = 0
  while (rows > averageInPart * 16 ** digits) digits += 1
  if (digits === 0) return ['']
  return Array.from({ length: 16 ** digits }, (_, at) => at.toString(16).padStart(digits, '0'))
}

/** The rows of a part, page by page, ordered by id. */
export async function* rowsOfPart<Row extends { readonly id: string }>(
  digits: string,
  read: (page: { after: string; to: string; limit: number }) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  const span = spanOf(digits)
  if (!span) return
  let { after } = span
  for (let left = mostInPart; left > 0; left -= perPage) {
    const limit = Math.min(perPage, left)
    const rows = await read({ after, to: span.to, limit })
    if (rows.length > 0) yield rows
    if (rows.length < limit) return
    after = rows.at(-1)!.id
  }
}

/** The ids of a part are greater than `after` and at most `to`; undefined for an invalid name. */
function spanOf(digits: string): { after: string; to: string } | undefined {
  if (!/^[0-9a-f]{0,4}$/.test(digits)) return undefined
  return { after: uuidBefore(digits), to: uuidOf(digits, 'f') }
}

const uuidOf = (digits: string, filler: '0' | 'f'): string =>
  digits.padEnd(32, filler).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')

/** The last id before those with this prefix; ids of version 4 are never nil. */
function uuidBefore(digits: string): string {
  const before = Number.parseInt(digits || '0', 16) - 1
  return before < 0 ? uuidOf('', '0') : uuidOf(before.toString(16).padStart(digits.length, '0'), 'f')
}
