import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { startPrimary } from '../../../testkit/engines/postgres.ts'
import { percentile } from '../../../testkit/measure.ts'
import { type Breach, check, maxUptake, type Verdict } from './check.ts'
import { steps } from './evidence.ts'
import { type Plan, type Progress, type RunResult, runWebhooks } from './workload.ts'

/** Webhooks alone, on one PostgreSQL. labs/chaos/run.ts says what it takes. */

/** What a person sees of a run. */

const every = 5000
const shownBreaches = 5

/** On a terminal one line that changes; in a log one every five seconds. */
function progressLine(publications: number): (progress: Progress) => void {
  const began = Date.now()
  let last = 0
  return ({ what, published, unknown, arrived, taken, kills }) => {
    const seconds = ((Date.now() - began) / 1000).toFixed(0).padStart(4)
    const line = `${seconds} s  ${published}/${publications} published (${unknown} unknown)  ${arrived} arrived, ${taken} taken  ${kills} kills  ${what}`
    if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${line}`)
    else if (Date.now() - last >= every) {
      last = Date.now()
      console.log(line)
    }
  }
}

const count = (number: number): string => number.toLocaleString('en')

function printResult({ evidence, restarts, ended, seconds, history }: RunResult, verdict: Verdict): void {
  const { publications, scheduled, arrivals, deliveries, kills, unpublished } = evidence
  const { breaches, duplicates, allowed, takenUp } = verdict
  const arrivedPieces = arrivals.filter(({ piece }) => piece !== null)
  const of = (result: string) => count(publications.filter((one) => one.result === result).length)
  const by = <Key extends string>(list: readonly Key[]) =>
    [...Map.groupBy(list, (one) => one)].map(([key, all]) => `${key} ${count(all.length)}`).join(', ')
  const answered = arrivedPieces.filter(({ status }) => status === 200).length
  const rows: [string, string][] = [
    [
      'publications',
      `${of('ok')} acknowledged, ${of('unknown')} unknown, ${of('fail')} refused; ${count(unpublished.size)} unpublished again`,
    ],
    ['scheduled', by(scheduled.map(({ consent }) => consent))],
    [
      'deliveries',
      `${by(deliveries.map(({ state }) => state))}; ${count(deliveries.filter(({ resent }) => resent).length)} resent at the end`,
    ],
    [
      'requests',
      `${count(arrivedPieces.length)} arrived, ${count(answered)} answered 200 (${((100 * answered) / Math.max(arrivedPieces.length, 1)).toFixed(0)} %)`,
    ],
    [
      'workers killed',
      `${kills.length}: ${[...steps, 'any' as const, 'publishing' as const, 'published' as const].map((step) => `${step} ${kills.filter((kill) => kill.step === step).length}`).join(', ')}`,
    ],
    ['other faults', `PostgreSQL restarted ${restarts} times; ${ended} workers ended by themselves`],
    ['W1 told, or named', verdictOf(verdict, 'W1')],
    ['W2 genuine, same bytes', `${verdictOf(verdict, 'W2')}, ${count(arrivals.length)} verified twice`],
    [
      'W3 duplicates',
      `${verdictOf(verdict, 'W3')}, ${duplicates} of at most ${allowed} (attempts under way at ${kills.length} kills)`,
    ],
    ['W4 taken up', `${verdictOf(verdict, 'W4')}, ${uptakes(takenUp)}`],
    ['W5 nothing else', verdictOf(verdict, 'W5')],
    ['W6 at its time', verdictOf(verdict, 'W6')],
    ['took', `${seconds.toFixed(0)} s; ${history}`],
  ]
  if (process.stdout.isTTY) process.stdout.write('\r\x1b[K')
  if (breaches.length === 0)
    console.log(
      `figure: ${of('ok')} publications, ${kills.length} workers killed, ${duplicates} duplicates of at most ${allowed}; ${uptakes(takenUp)}`,
    )
  console.log(rows.map(([name, value]) => `  ${name.padEnd(24)}${value}`).join('\n'))
  for (const { promise, what } of breaches.slice(0, shownBreaches)) console.log(`  BREACH ${promise} ${what}`)
  if (breaches.length > shownBreaches) console.log(`  and ${count(breaches.length - shownBreaches)} more`)
}

function verdictOf({ breaches }: Verdict, promise: string): string {
  const broken = breaches.filter((breach) => breach.promise === promise).length
  return broken === 0 ? 'kept' : `BROKEN ${count(broken)} times`
}

function uptakes(seconds: readonly number[]): string {
  if (seconds.length === 0) return 'nothing was under way'
  const [half, most] = [percentile(seconds, 0.5), Math.max(...seconds)]
  return `${count(seconds.length)} after a kill, median ${half.toFixed(1)} s, longest ${most.toFixed(1)} s (at most ${maxUptake})`
}

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    short: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    rng: { type: 'string' },
    plant: { type: 'boolean', default: false },
  },
})
const rng = Number(values.rng ?? randomInt(2 ** 31))
const asShipped: Plan = {
  name: 'webhooks',
  publications: values.long ? 100_000 : values.short ? 500 : 20_000,
  rng,
  hasBug: false,
  isShort: values.short,
}
const withBug: Plan = {
  name: 'webhooks_planted',
  publications: values.short ? 100 : 300,
  rng,
  hasBug: true,
  isShort: values.short,
}

// Processes are killed but machines are not.
const postgres = await startPrimary({ fsync: 'off' })
async function brokenBy(plan: Plan): Promise<readonly Breach[]> {
  const what = plan.hasBug ? 'A site with two bugs' : 'The site as shipped'
  console.log(`${what}: ${plan.publications.toLocaleString('en')} publications, --rng ${rng}`)
  const ran = await runWebhooks(plan, postgres, progressLine(plan.publications))
  const verdict = check(ran.evidence, !plan.isShort)
  printResult(ran, verdict)
  return verdict.breaches
}

const planted: readonly [name: string, finds: Breach][] = [
  ['another process orders deliveries', { promise: 'W1', what: 'no delivery was ordered' }],
  ['what is due within a day is published', { promise: 'W6', what: 'before its time' }],
]

async function isSound(): Promise<boolean> {
  if (values.plant) return (await brokenBy(withBug)).length === 0
  const isKept = (await brokenBy(asShipped)).length === 0
  const broken = await brokenBy(withBug)
  const isFound = planted.map(([name, finds]) => {
    const found = broken.some(({ promise, what }) => promise === finds.promise && what.includes(finds.what))
    console.log(`Planted: ${name}: ${found ? 'found' : 'MISSED'}`)
    return found
  })
  return isKept && isFound.every(Boolean)
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
const sound = await isSound()
console.log(sound ? 'Kept.' : 'NOT KEPT.')
process.exit(sound ? 0 : 1)
