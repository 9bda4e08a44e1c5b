import { hash } from 'node:crypto'
import type { Database } from '#platform/db/database.ts'
import { statement } from '#platform/db/statement.ts'

/** What distinguishes one reader from another on a day; never stored. */
export interface Reader {
  readonly address: string
  /** IPv4 /24 or IPv6 /48: the unit of the limit per minute, whatever user agents it sends. */
  readonly network: string
  readonly agent: string
}

interface RequestHeaders {
  readonly 'user-agent'?: string | undefined
  readonly purpose?: string | string[] | undefined
  readonly 'sec-purpose'?: string | string[] | undefined
  readonly 'sec-fetch-site'?: string | string[] | undefined
  readonly 'sec-fetch-mode'?: string | string[] | undefined
  readonly 'sec-fetch-dest'?: string | string[] | undefined
}

/** Bots that identify themselves (Cubot makes phones). Those that pose as a browser are not detected. */
const robots =
  /(?<!cu)bot|crawl|spider|slurp|scrap|archiver|preview|monitor|uptime|lighthouse|externalhit|fetch|http|curl|wget|python|java\/|axios|undici|node|ruby|perl|php|feed|rss/i

/** Enough to distinguish user agents. */
const maxAgentLength = 512

/** Undefined for bots and for prefetches. */
export function readerOf({ address, network }: Omit<Reader, 'agent'>, headers: RequestHeaders): Reader | undefined {
  const agent = headers['user-agent']?.trim()
  if (!agent || robots.test(agent)) return undefined
  if (`${headers['sec-purpose'] ?? ''} ${headers.purpose ?? ''}`.includes('prefetch')) return undefined
  return { address, network, agent: agent.slice(0, maxAgentLength) }
}

/** Whether a page of another site embeds our tracking pixel, as browsers report it; that is no read. */
export const isCrossSite = ({ 'sec-fetch-site': site }: RequestHeaders): boolean =>
  site !== undefined && site !== 'same-origin'

/** Whether the request is a navigation to a page, as far as the browser reports it. */
export const isNavigation = ({
  'sec-fetch-mode': mode = 'navigate',
  'sec-fetch-dest': dest = 'document',
}: RequestHeaders): boolean => mode === 'navigate' && dest === 'document'

/** A day of reads. Its salt comes from the database, is shared by all processes, and is deleted when the day is over. */
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
  const start = performance.now()
  const [row] = await db.query(readerSalt, {})
  const { date, salt, seconds_left } = row!
  return { date, salt, isOver: () => performance.now() >= start + seconds_left * 1000 }
}

/**
 * A reader of one piece on one day, as 128 bits in hex. It includes the piece, so that even all hashes together do not show
 * what else the same reader read. A salted, truncated hash, not an HMAC: it is never shown to anyone, and preparing an HMAC
 * key takes twenty times as long.
 */
export const visitorHash = (salt: string, kind: Kind, piece: string, { address, agent }: Reader): string =>
  shortHash(`${salt}\n${kind}\n${piece}\n${address}\n${agent}`)

/** A network on one day, for the limit per minute. */
export const networkHash = (salt: string, kind: Kind, network: string): string =>
  shortHash(`${salt}\n${kind} of network\n${network}`)

/** A network and a piece on one day, for the limit of ranked reads. It does not reveal the network, as above. */
export const rankHash = (salt: string, piece: string, network: string): string =>
  shortHash(`${salt}\nrank\n${piece}\n${network}`)

const shortHash = (text: string): string => hash('sha256', text, 'hex').slice(0, 32)
