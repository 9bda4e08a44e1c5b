import type pg from 'pg'
import { streamCopy } from './copy.ts'

/** COPY in PostgreSQL's binary form: nothing has to be escaped, nor read as text again. */

export type Field = Buffer | null

export const uuid = (value: string): Field => Buffer.from(value.replaceAll('-', ''), 'hex')

export const text = (value: string | null): Field => (value === null ? null : Buffer.from(value))

const epoch = Date.UTC(2000, 0, 1)

export function time(value: Date): Field {
  const field = Buffer.allocUnsafe(8)
  field.writeBigInt64BE(BigInt(value.getTime() - epoch) * 1000n)
  return field
}

/** Of PostgreSQL's type `text`. */
const textType = 25

export const texts = (values: readonly string[]): Field => {
  const items = values.map((value) => Buffer.from(value))
  const head = Buffer.allocUnsafe(arrayHead(items.length))
  writeArrayHead(head, items.length)
  return Buffer.concat([head, ...items.flatMap((item) => [length(item.length), item])])
}

const arrayHead = (count: number): number => (count === 0 ? 12 : 20)

function writeArrayHead(field: Buffer, count: number): void {
  let at = field.writeInt32BE(count === 0 ? 0 : 1)
  at = field.writeInt32BE(0, at)
  at = field.writeInt32BE(textType, at)
  if (count === 0) return
  at = field.writeInt32BE(count, at)
  field.writeInt32BE(1, at)
}

function length(value: number): Buffer {
  const field = Buffer.allocUnsafe(4)
  field.writeInt32BE(value)
  return field
}

const signature = Buffer.from('PGCOPY\n\u00FF\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
const end = Buffer.from([0xff, 0xff])

export async function copyBinary(
  client: pg.ClientBase,
  target: string,
  rows: Iterable<readonly Field[]>,
): Promise<void> {
  await streamCopy(client, `copy ${target} from stdin (format binary)`, binaryChunks(rows))
}

function* binaryChunks(rows: Iterable<readonly Field[]>): Generator<Buffer> {
  yield signature
  for (const row of rows) {
    const parts = row.flatMap((field) => (field === null ? [length(-1)] : [length(field.length), field]))
    yield Buffer.concat([Buffer.from([0, row.length]), ...parts])
  }
  yield end
}
