import { createWriteStream } from 'node:fs'
import type { Result } from '../../../testkit/desk-client.ts'
import type { Arrival } from '../webhooks/evidence.ts'

/** The evidence of a cluster run, and all its checker sees. Times are milliseconds since 1970. */

/** A draft is identified by its mark: a uuid in headline and body as `CANARY-<mark>`, also its Idempotency-Key. */
export type Mark = string

export interface Create {
  readonly mark: Mark
  /** As it was acknowledged. */
  readonly piece: string | null
  readonly end: number
  readonly result: Result
}

/** A publish or unpublish request. */
export interface Change {
  readonly piece: string
  readonly writer: string
  readonly start: number
  readonly end: number
  readonly result: Result
}

/** When a mark was first read, and when a request that showed it last began. */
export interface Sighting {
  readonly where: string
  readonly firstEnd: number
  readonly lastStart: number
  readonly lastWhere: string
}

/** A public address of a piece answered 404. */
export interface Absence {
  readonly mark: Mark
  readonly where: string
  readonly start: number
  readonly end: number
}

/** A key was used after its revocation was requested. */
export interface KeyUse {
  readonly key: string
  readonly start: number
  readonly status: number | null
}

/** A delivery as the database has it at the end. */
export interface DeliveryRecord {
  readonly message: string
  readonly piece: string
  readonly state: 'pending' | 'held' | 'delivered' | 'exhausted' | 'cancelled'
  /** Seconds since it was due; below 0 where it is not due yet. */
  readonly lateBy: number
  /** The writer's webhook failed last, so its deliveries wait until it answers again. */
  readonly failing: boolean
}

export interface Fault {
  readonly name: string
  readonly at: number
  /** When it was repaired and writes flowed again. */
  readonly until: number
  /** Seconds without an acknowledged write that it may cost. */
  readonly maxWriteGap: number
  /** Seconds that the slowest answer to a write took while it lasted, and may take. */
  readonly slowest: number
  readonly maxLatency?: number
}

/** Compares schemas app and pub in one statement: ids that are in only one of them. */
export interface Difference {
  readonly at: number
  readonly pieces: readonly string[]
}

export interface Evidence {
  readonly at: number
  /** When all clients had stopped and the final state was read. */
  readonly settledAt: number
  readonly creates: readonly Create[]
  readonly publications: ReadonlyMap<Mark, Change>
  readonly unpublications: ReadonlyMap<Mark, Change>
  readonly sightings: ReadonlyMap<Mark, Sighting>
  readonly absences: readonly Absence[]
  /** When each key's end was acknowledged. */
  readonly revocations: ReadonlyMap<string, number>
  readonly uses: readonly KeyUse[]
  readonly arrivals: readonly Arrival[]
  readonly deliveries: readonly DeliveryRecord[]
  /** Pieces that carry each mark, in the database, at the end. */
  readonly piecesByMark: ReadonlyMap<Mark, readonly string[]>
  /** Public at the end. */
  readonly publicPieces: ReadonlySet<string>
  readonly differences: readonly Difference[]
  readonly faults: readonly Fault[]
  /** When each write was acknowledged, in order. */
  readonly acknowledged: readonly number[]
}

/** Records each action as a line of the history file, and in memory what the checker needs. */

const marks = /CANARY-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/g

export type Recorder = ReturnType<typeof openRecorder>

export function openRecorder(file: string) {
  const stream = createWriteStream(file)
  const creates: Create[] = []
  const publications = new Map<Mark, Change>()
  const unpublications = new Map<Mark, Change>()
  /** Published, and chosen to be unpublished later. */
  const toBeUnpublished = new Set<Mark>()
  const sightings = new Map<Mark, Sighting>()
  const absences: Absence[] = []
  const revocations = new Map<string, number>()
  const uses: KeyUse[] = []
  const arrivals: Arrival[] = []
  const differences: Difference[] = []
  const faults: Fault[] = []
  const acknowledged: number[] = []
  const unknown = { writes: 0 }
  let [reads, slowest, begun, settled] = [0, 0, 0, Number.POSITIVE_INFINITY]

  const line = (op: string, key: string, start: number, end: number, result: Result, more: object = {}) => {
    stream.write(`${JSON.stringify({ op, key, start, end, result, ...more })}\n`)
  }
  const written = (start: number, end: number, result: Result) => {
    if (result === 'ok') {
      acknowledged.push(end)
      begun = Math.max(begun, start)
    }
    if (result === 'unknown') unknown.writes += 1
  }
  return {
    file,
    creates,
    publications,
    unpublications,
    toBeUnpublished,
    sightings,
    absences,
    revocations,
    uses,
    arrivals,
    differences,
    faults,
    acknowledged,
    unknown,
    /** When all clients had stopped. */
    get settledAt() {
      return settled
    },
    settle: () => {
      settled = Date.now()
    },
    /** When the latest of the acknowledged writes began. */
    get lastWriteStart() {
      return begun
    },
    get reads() {
      return reads
    },
    /** Milliseconds of the slowest request that wrote and was answered, since this was last asked. */
    takeSlowest: () => {
      const taken = slowest
      slowest = 0
      return taken
    },
    created: (start: number, create: Create) => {
      creates.push(create)
      written(start, create.end, create.result)
      line('create', create.mark, start, create.end, create.result)
    },
    answered: (start: number, end: number) => {
      slowest = Math.max(slowest, end - start)
    },
    published: (mark: Mark, change: Change) => {
      publications.set(mark, change)
      written(change.start, change.end, change.result)
      line('publish', mark, change.start, change.end, change.result, { writer: change.writer })
    },
    unpublished: (mark: Mark, change: Change) => {
      unpublications.set(mark, change)
      written(change.start, change.end, change.result)
      line('unpublish', mark, change.start, change.end, change.result, { writer: change.writer })
    },
    revoked: (key: string, start: number, end: number, result: Result) => {
      if (result === 'ok') revocations.set(key, end)
      written(start, end, result)
      line('revoke', key, start, end, result)
    },
    minted: (key: string, start: number, end: number, result: Result) => {
      written(start, end, result)
      line('mint', key, start, end, result)
    },
    used: (use: KeyUse) => {
      uses.push(use)
      line('use', use.key, use.start, Date.now(), use.status === null ? 'unknown' : use.status < 300 ? 'ok' : 'fail')
    },
    /** Records every mark in a response and returns them. */
    read: (where: string, start: number, text: string): ReadonlySet<Mark> => {
      reads += 1
      const end = Date.now()
      const found = new Set([...text.matchAll(marks)].map(([, mark]) => mark!))
      for (const mark of found) {
        const known = sightings.get(mark)
        if (!known) {
          sightings.set(mark, { where, firstEnd: end, lastStart: start, lastWhere: where })
          line('see', mark, start, end, 'ok', { where })
        } else if (start > known.lastStart) sightings.set(mark, { ...known, lastStart: start, lastWhere: where })
      }
      return found
    },
    missed: (absence: Absence) => {
      absences.push(absence)
      line('look', absence.mark, absence.start, absence.end, 'fail', { where: absence.where })
    },
    arrived: (arrival: Arrival) => {
      arrivals.push(arrival)
      const result = arrival.status === null ? 'unknown' : arrival.status < 300 ? 'ok' : 'fail'
      line('deliver', arrival.message, arrival.at, Date.now(), result, { status: arrival.status })
    },
    compared: (difference: Difference) => {
      differences.push(difference)
      line('compare', 'wings', difference.at, Date.now(), difference.pieces.length === 0 ? 'ok' : 'fail')
    },
    faulted: (fault: Fault) => {
      faults.push(fault)
      line('fault', fault.name, fault.at, fault.until, 'ok')
    },
    close: () => new Promise<void>((resolve) => stream.end(resolve)),
  }
}
