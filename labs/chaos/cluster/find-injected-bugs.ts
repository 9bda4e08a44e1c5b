import { until } from '../../../testkit/until.ts'
import { type Front, startFront } from './bad-cache.ts'
import { check } from './check.ts'
import { type PlantName, plantOf } from './injected-bugs.ts'
import { lookAtLast } from './readers.ts'
import type { MailRoom } from './receivers.ts'
import type { Recorder } from './recorder.ts'
import type { Site } from './start.ts'
import { afew, drain, evidenceOf, moveIn } from './workload.ts'

/** A few people live with a bug for a while; the checker must tell which promise it broke. */

interface Given {
  readonly site: Site
  readonly mail: MailRoom
  readonly record: Recorder
  readonly random: () => number
}

let batches = 0

export async function plantAndFind(names: readonly PlantName[], given: Given): Promise<boolean> {
  const { site, mail } = given
  const chosen = names.map(plantOf)
  batches += 1
  const bugs = { doubles: false, remembers: false, ...Object.assign({}, ...chosen.map(({ front }) => front ?? {})) }
  const needsFront = chosen.some(({ front }) => front)
  const fronts: Front[] = needsFront ? await Promise.all(site.servers.map(({ base }) => startFront(base, bugs))) : []
  const bases = needsFront ? { bases: fronts.map(({ base }) => base) } : {}
  const life = await moveIn({ ...given, ...bases, crowd: afew, name: `plant-${batches}` })
  const undo = await Promise.all(chosen.map((one) => one.plant?.({ site, mail, life })))
  await everybodyMetIt(given.record)
  await life.end()
  await drain(site, life.authors, 10_000)
  await lookAtLast(life.endpoints, given.record, 1)
  const broken = new Set(check(await evidenceOf(site, life)).map(({ promise }) => promise))
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

/** From now on drafts are made, keys are revoked and used again, and pieces that somebody saw are taken back. */
async function everybodyMetIt({ creates, uses, sightings, unpublications }: Recorder): Promise<void> {
  const [created, used] = [creates.length, uses.length]
  await until(
    () =>
      creates.length >= created + 20 &&
      uses.length >= used + 12 &&
      [...unpublications].filter(([mark, { result }]) => result === 'ok' && sightings.has(mark)).length >= 5,
    'everybody met the planted bugs',
  )
}
