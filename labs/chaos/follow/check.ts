/** Decides from the evidence of a run alone whether readers got what they were promised. */

/** What a reader does with the first email: nothing, report it as spam, or stop; or their server refuses it. */
export type Fate = 'reads' | 'complains' | 'stops' | 'gone'

export interface Reader {
  readonly address: string
  readonly fate: Fate
  /** When the server had answered the request to stop. */
  readonly stoppedAt?: number
}

export interface Arrival {
  readonly address: string
  readonly messageId: string
  /** Of the piece that it is about. */
  readonly piece: string
  /** As the receiving server verified it. */
  readonly dkim: string
  /** When its mailbox got it. */
  readonly at: number
}

export interface Evidence {
  readonly readers: readonly Reader[]
  /** In the order of their publication. What readers do happens between the first and the second. */
  readonly pieces: readonly string[]
  readonly arrivals: readonly Arrival[]
  /** Emails under way whenever a worker was killed or the relay went away. */
  readonly interrupted: number
  /** Readers' addresses found in logs or in the database. */
  readonly leaks: readonly string[]
}

interface Breach {
  readonly promise: 'F1' | 'F2' | 'F3' | 'F4' | 'F5'
  readonly what: string
}

export interface Verdict {
  readonly breaches: readonly Breach[]
  readonly duplicates: number
}

/** A reader who stops within a minute of the next publication may have an email under way. */
export const stopGrace = 60_000

export function check({ readers, pieces, arrivals, interrupted, leaks }: Evidence): Verdict {
  const breaches: Breach[] = []
  const add = (promise: Breach['promise'], what: string) => breaches.push({ promise, what })
  const arrived = Map.groupBy(arrivals, ({ address, piece }) => `${address} ${piece}`)

  let duplicates = 0
  for (const reader of readers) {
    for (const [number, piece] of pieces.entries()) {
      const emails = arrived.get(`${reader.address} ${piece}`) ?? []
      const isWanted = reader.fate === 'reads' || (number === 0 && reader.fate !== 'gone')
      if (isWanted && emails.length === 0) add('F1', `${reader.address} got nothing of piece ${number + 1}`)
      if (new Set(emails.map(({ messageId }) => messageId)).size > 1)
        add('F2', `${reader.address} got two different emails of piece ${number + 1}`)
      duplicates += Math.max(emails.length - 1, 0)
      if (reader.fate === 'reads' || number === 0) continue
      const late = emails.filter(({ at }) => reader.stoppedAt === undefined || at > reader.stoppedAt + stopGrace)
      if (late.length > 0) add('F4', `${reader.address}, who ${reader.fate}, got piece ${number + 1}`)
    }
  }
  if (duplicates > interrupted)
    add('F2', `${duplicates} duplicates, and only ${interrupted} emails were under way when something failed`)
  const known = new Set(readers.map(({ address }) => address))
  for (const { address, dkim, messageId } of arrivals) {
    if (dkim !== 'pass') add('F3', `the signature of ${messageId} is ${dkim}`)
    if (!known.has(address)) add('F4', `${address} follows nothing and got an email`)
  }
  for (const leak of leaks) add('F5', leak)
  return { breaches, duplicates }
}
