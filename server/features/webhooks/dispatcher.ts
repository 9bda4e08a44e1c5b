import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '#platform/db/database.ts'
import { type ClaimedDelivery, claim, type DeliveryResult, mostOff } from './delivery-queue.ts'
import { Settling } from './result-batcher.ts'
import { attempt, type Sending } from './send.ts'

/** One worker's deliveries: claims what is due, sends it, and says what came of it. */

/** Attempts at once. Those that have waited for two seconds count no longer, up to as many as `most` allows. */
const slots = { trusted: 64, doubted: 32, most: 256 }
const patience = 2000
/** Workers are woken when something is ordered, if they can hear it; looking finds what comes due by the clock. */
const lookEvery = { hearing: 3000, deaf: 1000 }
const pauseAfterTrouble = 500
/** At SIGTERM, for what is under way. What is not done then is claimed by another when its lease ends. */
const longestFarewell = 16_000

export interface Told {
  onAttempt(claimed: ClaimedDelivery, met: DeliveryResult): void
  onTrouble(error: unknown): void
  /** At each look: seconds by which this machine's clock is ahead of the database's. Nothing is sent where it is wrong. */
  onClock(ahead: number, isWrong: boolean): void
}

export interface Dispatcher {
  /** Something may be due. */
  wake(): void
  stop(): Promise<void>
}

interface UnderWay {
  readonly since: number
  readonly doubted: boolean
}

export function startDispatcher(db: Database, sending: Sending, told: Told, canHear = false): Dispatcher {
  const underWay = new Set<UnderWay>()
  let stopping = false
  let woken = Promise.withResolvers<void>()
  const wake = () => woken.resolve()
  const settling = new Settling(db, { onSettled: wake, onTrouble: told.onTrouble })

  const deliver = async (claimed: ClaimedDelivery) => {
    const place = { since: performance.now(), doubted: claimed.doubted }
    underWay.add(place)
    try {
      const met = await attempt(claimed, sending)
      told.onAttempt(claimed, met)
      await settling.add(met)
    } catch (error) {
      // Its lease ends, and it is tried again.
      told.onTrouble(error)
    } finally {
      underWay.delete(place)
      wake()
    }
  }

  const work = async () => {
    let failures = 0
    while (!stopping) {
      woken = Promise.withResolvers()
      const claimed = await claimFor(roomBeside(underWay)).catch(async (error) => {
        failures += 1
        // A single one is a process that still loads, or a connection that broke: the next goes well, and all is well.
        if (failures > 1) told.onTrouble(error)
        await pause(pauseAfterTrouble)
        return undefined
      })
      if (claimed === undefined) continue
      failures = 0
      for (const one of claimed) void deliver(one)
      if (claimed.length === 0) await Promise.race([woken.promise, pause(canHear ? lookEvery.hearing : lookEvery.deaf)])
    }
  }
  const claimFor = async (room: Room): Promise<readonly ClaimedDelivery[]> => {
    if (room.trusted === 0 && room.doubted === 0) return []
    const { ahead, claimed } = await claim(db, room)
    told.onClock(ahead, Math.abs(ahead) > mostOff)
    return claimed
  }

  const working = work()
  return {
    wake,
    stop: async () => {
      stopping = true
      wake()
      await working
      const end = performance.now() + longestFarewell
      while (underWay.size > 0 && performance.now() < end) await pause(20)
    },
  }
}

interface Room {
  readonly trusted: number
  readonly doubted: number
}

function roomBeside(underWay: ReadonlySet<UnderWay>): Room {
  const young = performance.now() - patience
  let [trusted, doubted] = [0, 0]
  for (const one of underWay) {
    if (one.doubted) doubted += 1
    else if (one.since > young) trusted += 1
  }
  const left = slots.most - underWay.size
  return {
    trusted: Math.max(0, Math.min(slots.trusted - trusted, left)),
    doubted: Math.max(0, Math.min(slots.doubted - doubted, left)),
  }
}
