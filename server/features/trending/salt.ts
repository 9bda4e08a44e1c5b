import { hash } from 'node:crypto'
import type { Database } from '#platform/db/database.ts'
import { statement } from '#platform/db/statement.ts'
import type { Reader } from './reader.ts'

/** A day of reads: its salt is the database's, shared by all processes, and deleted when the day is over. */
export interface ReadingDay {
  readonly date: string
  readonly salt: string
  isOver(): boolean
}

interface Row {
  readonly date: string
  readonly salt: string
  readonly seconds_left: number
}

const readerSalt = statement.raw<object, Row>(
  'reader_salt',
  "select day::text as date, encode(salt, 'hex') as salt, seconds_left from pub.reader_salt()",
  [],
)

export async function today(db: Database): Promise<ReadingDay> {
  const asked = performance.now()
  const [row] = await db.query(readerSalt, {})
  const { date, salt, seconds_left } = row!
  return { date, salt, isOver: () => performance.now() >= asked + seconds_left * 1000 }
}

/**
 * A reader of one piece on one day, as 128 bits in hexadecimal. The piece is part of it: nobody can tell, with all marks
 * at hand, what else the same reader read. Salted and cut short, not an HMAC: nobody is shown it, and preparing a key
 * takes twenty times as long as this does.
 */
export const markOf = (salt: string, kind: 'read' | 'visit', piece: string, { address, agent }: Reader): string =>
  hash('sha256', `${salt}\n${kind}\n${piece}\n${address}\n${agent}`, 'hex').slice(0, 32)
