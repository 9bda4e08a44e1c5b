import { createWriteStream } from 'node:fs'
import type { Result } from '../../../testkit/desk-client.ts'
import type { Arrival } from '../webhooks/evidence.ts'
import type { Absence, Change, Create, Difference, Fault, Mark, Sighting, Use } from './evidence.ts'

/** Takes down what happens: a line of the history for each act, and in memory what the checker will ask for. */

const marks = /CANARY-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/g

export type Recorder = ReturnType<typeof openRecord>

export function openRecord(file: string) {
  const stream = createWriteStream(file)
  const creates: Create[] = []
  const publications = new Map<Mark, Change>()
  const unpublications = new Map<Mark, Change>()
  /** Published, and somebody has decided to take it back a while later. */
  const toBeUnpublished = new Set<Mark>()
  const sightings = new Map<Mark, Sighting>()
  const absences: Absence[] = []
  const revocations = new Map<string, number>()
  const uses: Use[] = []
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
    /** When everybody had ended. */
    get settled() {
      return settled
    },
    settle: () => {
      settled = Date.now()
    },
    /** When the latest of the acknowledged writes began. */
    get begun() {
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
    used: (use: Use) => {
      uses.push(use)
      line('use', use.key, use.start, Date.now(), use.status === null ? 'unknown' : use.status < 300 ? 'ok' : 'fail')
    },
    /** Every mark in what somebody read. Answers with whether it held this one. */
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
