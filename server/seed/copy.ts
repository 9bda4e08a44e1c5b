import { once } from 'node:events'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

/** A value that COPY can encode. */
export type CopyValue =
  | string
  | number
  | boolean
  | null
  | Date
  | readonly string[]
  | readonly number[]
  | Readonly<Record<string, unknown>>

/** Sends rows by COPY in chunks of some 300 kB, with backpressure: twenty times faster than INSERT. */
export async function copyRows(
  client: pg.ClientBase,
  target: string,
  rows: Iterable<readonly CopyValue[]>,
): Promise<void> {
  const stream = client.query(copyFrom(`copy ${target} from stdin`))
  const finished = once(stream, 'finish')
  for (const chunk of chunksOf(rows)) {
    if (!stream.write(chunk)) await Promise.race([once(stream, 'drain'), finished])
  }
  stream.end()
  await finished
}

function* chunksOf(rows: Iterable<readonly CopyValue[]>): Generator<string> {
  let chunk = ''
  for (const row of rows) {
    chunk += `${row.map(copyText).join('\t')}\n`
    if (chunk.length > 300_000) {
      yield chunk
      chunk = ''
    }
  }
  yield chunk
}

/**
 * For tables with row security, which COPY does not support: one INSERT from a JSON parameter. `columns` maps names to
 * types.
 */
export async function insertRows(
  client: pg.ClientBase,
  table: string,
  columns: Readonly<Record<string, string>>,
  rows: readonly (readonly CopyValue[])[],
): Promise<void> {
  const names = Object.keys(columns)
  const records = rows.map((row) => Object.fromEntries(row.map((value, index) => [names[index], value])))
  const shape = names.map((name) => `${name} ${columns[name]}`).join(', ')
  await client.query(
    `insert into ${table} (${names.join(', ')}) select * from json_to_recordset($1::json) as given (${shape})`,
    [JSON.stringify(records)],
  )
}

function copyText(value: CopyValue): string {
  if (value === null) return '\\N'
  if (typeof value === 'string') return escaped(value)
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.length === 0 ? '{}' : escaped(arrayText(value))
  return escaped(JSON.stringify(value))
}

const special = /[\\\t\n\r]/
const specials = /[\\\t\n\r]/g
const spelled: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

const escaped = (text: string): string => (special.test(text) ? text.replace(specials, (one) => spelled[one]!) : text)

const arrayText = (items: readonly string[]): string =>
  `{${items.map((item) => `"${item.replace(/["\\]/g, '\\$&')}"`).join(',')}}`
