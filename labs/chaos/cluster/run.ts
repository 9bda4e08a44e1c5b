import { randomInt } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { randomFrom } from '../../../server/seed/random.ts'
import { check, printBreaches, printFault, printResult, progress } from './check.ts'
import { openRecorder, type Recorder } from './evidence.ts'
import { type FaultName, faultKinds, shortFaults } from './faults.ts'
import { type BugName, bugsAtOnce, injectAndFind, injectedBugs } from './injected-bugs.ts'
import { checkFinalState } from './readers.ts'
import { type Site, startSite } from './start.ts'
import {
  allClients,
  drain,
  evidenceOf,
  fewerClients,
  injectFault,
  startReceivers,
  startWorkload,
  untilWriteAcknowledged,
} from './workload.ts'

/** The run itself, inside the sandbox (netns.ts). See labs/chaos/run.ts for its options. */

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
  [values.plant === undefined ? [] : [values.plant], injectedBugs],
  [values.fault ?? [], faultKinds],
] as const) {
  if (asked.every((name) => name in known)) continue
  console.error(`There is no ${asked.join(', ')}. There is: ${Object.keys(known).join(', ')}`)
  process.exit(2)
}
const rng = Number(values.rng ?? randomInt(2 ** 31))
const folder = fileURLToPath(new URL('../../../.data/chaos/cluster', import.meta.url))
const minimum = values.long
  ? { faults: 50, writes: 100_000, minutes: 55 }
  : { faults: values.fault?.length ?? (values.short ? shortFaults.length : 20), writes: 0, minutes: 30 }

const random = randomFrom(rng, 1).float
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const began = Date.now()
console.log(`The whole site, ${values.long ? 'long' : values.short ? 'short' : 'usual'}, --rng ${rng}`)
// Receivers live as long as the site; what they receive belongs to the current workload.
let record: Recorder = openRecorder(`${folder}/history.jsonl`)
const mail = await startReceivers(random, () => record)
const site = await startSite(mail.allow, folder, (what) => progress(began, what))

const planted = values.short ? bugsAtOnce : (Object.keys(injectedBugs) as BugName[])
const isSound = values.plant
  ? await runInjectedBugs([values.plant as BugName])
  : (await runFaults(site)) && (values.fault !== undefined || (await runInjectedBugs(planted)))
console.log(isSound ? `Kept, in ${((Date.now() - began) / 1000).toFixed(0)} s.` : 'NOT KEPT.')
process.exit(isSound ? 0 : 1)

/** Injects faults into the unmodified site, then checks every promise against the evidence. */
async function runFaults(site: Site): Promise<boolean> {
  const life = await startWorkload({
    site,
    mail,
    record,
    random,
    clients: values.short ? fewerClients : allClients,
    name: 'writer',
  })
  const from = Date.now()
  const end = from + minimum.minutes * 60_000
  let bag: FaultName[] = []
  while ((record.faults.length < minimum.faults || record.acknowledged.length < minimum.writes) && Date.now() < end) {
    if (bag.length === 0) bag = drawFaults(values)
    if (values.short) await untilWriteAcknowledged(record)
    else await pause(1500 + random() * 3500)
    const name = bag.pop()!
    progress(began, name)
    await injectFault(name, site, record, random, values.short)
    printFault(began, record)
  }
  const seconds = (Date.now() - from) / 1000
  mail.stopFaults()
  await life.end()
  progress(began, 'what is due goes out')
  await drain(site, life.authors, 90_000)
  progress(began, 'a last look at everything')
  await checkFinalState(life.endpoints, record, 60)
  const evidence = await evidenceOf(site, life)
  const breaches = check(evidence, !values.short)
  printResult(evidence, breaches, record, seconds)
  printBreaches(breaches)
  await record.close()
  const isEnough = record.faults.length >= minimum.faults && record.acknowledged.length >= minimum.writes
  if (!isEnough) console.log('  Fewer faults or writes than this form demands.')
  return breaches.length === 0 && isEnough
}

/** Every kind once, shuffled; the short form in its fixed order. */
function drawFaults({ short, fault }: typeof values): FaultName[] {
  if (fault) return [...(fault as FaultName[])].reverse()
  if (short) return [...shortFaults].reverse()
  return (Object.keys(faultKinds) as FaultName[])
    .map((name) => ({ name, at: random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ name }) => name)
}

/** Each bug must be found by the promise it breaks. In the short form those that do not hide each other, all at once. */
async function runInjectedBugs(names: readonly BugName[]): Promise<boolean> {
  const batches = values.short && !values.plant ? [names] : names.map((name) => [name])
  let areFound = true
  for (const batch of batches) {
    progress(began, `planted: ${batch.join(', ')}`)
    record = openRecorder(`${folder}/planted-${batch.length === 1 ? batch[0] : 'all'}.jsonl`)
    areFound = (await injectAndFind(batch, { site, mail, record, random })) && areFound
    await record.close()
  }
  return areFound
}
