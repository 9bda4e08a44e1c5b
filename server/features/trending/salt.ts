import { hash } from 'node:crypto'
import type { Database } from '#platform/db/database.ts'
import { statement } from '#platform/db/statement.ts'
import type { Reader } from './visitor-hash.ts'

/** A day of reads: its salt is the database's, shared by all processes, and deleted when the day is over. */
export interface ReadingDay {
  readonly date: string
  readonly salt: string
  isOver(): boolean
}

export type Kind = 'read' | 'visit'

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
export const markOf = (salt: string, kind: Kind, piece: string, { address, agent }: Reader): string =>
  salted(`${salt}\n${kind}\n${piece}\n${address}\n${agent}`)

/** A network on one day, for the limit of a minute. */
export const networkMark = (salt: string, kind: Kind, network: string): string =>
  salted(`${salt}\n${kind} of network\n${network}`)

/** A network and a piece on one day, for the limit of its rank. Nobody can tell which network it is, as above. */
export const rankMark = (salt: string, piece: string, network: string): string =>
  salted(`${salt}\nrank\n${piece}\n${network}`)

const salted = (text: string): string => hash('sha256', text, 'hex').slice(0, 32)
