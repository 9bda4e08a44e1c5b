import { setTimeout as pause } from 'node:timers/promises'
import { check } from './check.ts'
import { type Front, startFront } from './front.ts'
import { afew, drain, evidenceOf, moveIn } from './living.ts'
import type { MailRoom } from './mail-room.ts'
import { type PlantName, plantOf } from './plants.ts'
import type { Recorder } from './record.ts'
import type { House } from './standing.ts'

/** A few people live with a bug for some seconds; the checker must tell which promise it broke. */

interface Given {
  readonly house: House
  readonly mail: MailRoom
  readonly record: Recorder
  readonly random: () => number
}

/** Until something is public, and from the bug on until everybody must have met it. */
const settling = 2500
const meeting = 9000
let batches = 0

export async function plantAndFind(names: readonly PlantName[], given: Given): Promise<boolean> {
  const { house, mail } = given
  const chosen = names.map(plantOf)
  batches += 1
  const bugs = { doubles: false, remembers: 0, ...Object.assign({}, ...chosen.map(({ front }) => front ?? {})) }
  const needsFront = chosen.some(({ front }) => front)
  const fronts: Front[] = needsFront ? await Promise.all(house.servers.map(({ base }) => startFront(base, bugs))) : []
  const bases = needsFront ? { bases: fronts.map(({ base }) => base) } : {}
  const life = await moveIn({ ...given, ...bases, crowd: afew, name: `plant-${batches}` })
  await pause(settling)
  const undo = await Promise.all(chosen.map((one) => one.plant?.({ house, mail, life })))
  await pause(meeting)
  await life.end()
  await drain(house, life.authors, 10_000)
  const broken = new Set(check(await evidenceOf(house, life)).map(({ promise }) => promise))
  for (const front of fronts) front.close()
  for (const one of undo) await one?.()

  let areFound = true
  for (const [place, name] of names.entries()) {
    const { breaks } = chosen[place]!
    const isFound = broken.has(breaks)
    console.log(`  planted ${name.padEnd(14)}${isFound ? `found by ${breaks}` : `MISSED by ${breaks}`}`)
    areFound &&= isFound
  }
  return areFound
}
