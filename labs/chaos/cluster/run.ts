import { randomInt } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { randomFrom } from '../../../server/seed/random.ts'
import { check } from './check.ts'
import { type FaultName, kinds, shortFaults } from './faults.ts'
import { plantAndFind } from './find-injected-bugs.ts'
import { type PlantName, plants, plantsAtOnce } from './injected-bugs.ts'
import { lookAtLast } from './readers.ts'
import { openMailRoom } from './receivers.ts'
import { openRecord, type Recorder } from './recorder.ts'
import { type Site, startSite } from './start.ts'
import { printBreaches, printFault, printResult, progress } from './table.ts'
import { drain, everybody, evidenceOf, moveIn, shake, some, untilWritten } from './workload.ts'

/** The program itself, in namespaces of its own (enclose.ts). labs/chaos/run.ts says what it takes. */

const { values } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    rng: { type: 'string' },
    plant: { type: 'string' },
    fault: { type: 'string', multiple: true },
  },
})
for (const [asked, known] of [
  [values.plant === undefined ? [] : [values.plant], plants],
  [values.fault ?? [], kinds],
] as const) {
  if (asked.every((name) => name in known)) continue
  console.error(`There is no ${asked.join(', ')}. There is: ${Object.keys(known).join(', ')}`)
  process.exit(2)
}
const rng = Number(values.rng ?? randomInt(2 ** 31))
const folder = fileURLToPath(new URL('../../../.data/chaos/cluster', import.meta.url))
const least = values.long
  ? { faults: 50, writes: 100_000, minutes: 55 }
  : { faults: values.fault?.length ?? (values.short ? shortFaults.length : 20), writes: 0, minutes: 30 }

const random = randomFrom(rng, 1).float
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const began = Date.now()
console.log(`The whole site, ${values.long ? 'long' : values.short ? 'short' : 'usual'}, --rng ${rng}`)
// Receivers live as long as the site does; what they get belongs to whoever lives there.
let record: Recorder = openRecord(`${folder}/history.jsonl`)
const mail = await openMailRoom(random, () => record)
const site = await startSite(mail.allow, folder, (what) => progress(began, what))

const planted = values.short ? plantsAtOnce : (Object.keys(plants) as PlantName[])
const isSound = values.plant
  ? await finds([values.plant as PlantName])
  : (await holds(site)) && (values.fault !== undefined || (await finds(planted)))
console.log(isSound ? `Kept, in ${((Date.now() - began) / 1000).toFixed(0)} s.` : 'NOT KEPT.')
process.exit(isSound ? 0 : 1)

/** The site as it is, shaken; then every promise is held against what happened. */
async function holds(site: Site): Promise<boolean> {
  const life = await moveIn({ site, mail, record, random, crowd: values.short ? some : everybody, name: 'writer' })
  const from = Date.now()
  const end = from + least.minutes * 60_000
  let bag: FaultName[] = []
  while ((record.faults.length < least.faults || record.acknowledged.length < least.writes) && Date.now() < end) {
    if (bag.length === 0) bag = drawnFrom(values)
    if (values.short) await untilWritten(record)
    else await pause(1500 + random() * 3500)
    const name = bag.pop()!
    progress(began, name)
    await shake(name, site, record, random, values.short)
    printFault(began, record)
  }
  const living = (Date.now() - from) / 1000
  mail.calm()
  await life.end()
  progress(began, 'what is due goes out')
  await drain(site, life.authors, 90_000)
  progress(began, 'a last look at everything')
  await lookAtLast(life.endpoints, record, 60)
  const evidence = await evidenceOf(site, life)
  const breaches = check(evidence, !values.short)
  printResult(evidence, breaches, record, living)
  printBreaches(breaches)
  await record.close()
  const isEnough = record.faults.length >= least.faults && record.acknowledged.length >= least.writes
  if (!isEnough) console.log('  Fewer faults or writes than this form demands.')
  return breaches.length === 0 && isEnough
}

/** Every kind once, in another order each time; those of the short form as they are. */
function drawnFrom({ short, fault }: typeof values): FaultName[] {
  if (fault) return [...(fault as FaultName[])].reverse()
  if (short) return [...shortFaults].reverse()
  return (Object.keys(kinds) as FaultName[])
    .map((name) => ({ name, at: random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ name }) => name)
}

/** Each bug must be found by the promise it breaks. In the short form those that do not hide each other, all at once. */
async function finds(names: readonly PlantName[]): Promise<boolean> {
  const batches = values.short && !values.plant ? [names] : names.map((name) => [name])
  let areFound = true
  for (const batch of batches) {
    progress(began, `planted: ${batch.join(', ')}`)
    record = openRecord(`${folder}/planted-${batch.length === 1 ? batch[0] : 'all'}.jsonl`)
    areFound = (await plantAndFind(batch, { site, mail, record, random })) && areFound
    await record.close()
  }
  return areFound
}
