import { acknowledgedOf, type Breach, promises, silenceOf } from './check.ts'
import type { Evidence } from './evidence.ts'
import type { Recorder } from './recorder.ts'

/** What a person sees of a run. */

const shownBreaches = 8
const count = (number: number): string => number.toLocaleString('en')

export function progress(began: number, what: string): void {
  const seconds = ((Date.now() - began) / 1000).toFixed(0).padStart(5)
  if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${seconds} s  ${what}`)
  else console.log(`${seconds} s  ${what}`)
}

/** The last fault, when it is over. */
export function printFault(began: number, record: Recorder): void {
  const fault = record.faults.at(-1)!
  const seconds = ((Date.now() - began) / 1000).toFixed(0).padStart(5)
  if (process.stdout.isTTY) process.stdout.write('\r\x1b[K')
  const [silence, whole] = [silenceOf(fault, record), (fault.until - fault.at) / 1000]
  console.log(
    `${seconds} s  ${String(record.faults.length).padStart(3)} ${fault.name.padEnd(46)} no write for ${silence.toFixed(1).padStart(5)} s, whole after ${whole.toFixed(0).padStart(3)} s, slowest answer ${fault.slowest.toFixed(2)} s; ${count(record.acknowledged.length)} writes`,
  )
}

export function printResult(evidence: Evidence, breaches: readonly Breach[], record: Recorder, seconds: number): void {
  const { creates, publications, unpublications, orders, arrivals, faults, uses, differences } = evidence
  const states = [...Map.groupBy(orders, ({ state }) => state)].map(([state, all]) => `${state} ${count(all.length)}`)
  const rows: [string, string][] = [
    [
      'acknowledged writes',
      `${count(evidence.acknowledged.length)} in ${seconds.toFixed(0)} s: ${count(creates.filter(({ result }) => result === 'ok').length)} created, ${count(acknowledgedOf(publications))} published, ${count(acknowledgedOf(unpublications))} unpublished, ${count(evidence.revocations.size)} keys revoked; ${count(record.unknown.writes)} unknown`,
    ],
    ['faults', `${faults.length} of ${new Set(faults.map(({ name }) => name)).size} kinds`],
    ['read', `${count(record.reads)} answers, ${count(evidence.sightings.size)} pieces seen`],
    ['deliveries', `${states.join(', ')}; ${count(arrivals.length)} requests`],
    ['other looks', `${count(uses.length)} uses of revoked keys, ${differences.length} comparisons of the wings`],
    ...[...Map.groupBy(faults, ({ name }) => name)].map(([name, all]): [string, string] => [
      name,
      `no write for ${all.map((fault) => silenceOf(fault, evidence).toFixed(1)).join(', ')} s (at most ${all[0]!.mayCost})`,
    ]),
    ...Object.entries(promises).map(([promise, name]): [string, string] => {
      const broken = breaches.filter((breach) => breach.promise === promise).length
      return [`${promise} ${name}`, broken === 0 ? 'kept' : `BROKEN ${count(broken)} times`]
    }),
  ]
  console.log(rows.map(([name, value]) => `  ${name.padEnd(46)}${value}`).join('\n'))
  const longest = Math.max(0, ...faults.map((fault) => silenceOf(fault, evidence)))
  console.log(
    `figure: ${faults.length} faults, ${count(evidence.acknowledged.length)} acknowledged writes, longest time without one ${longest.toFixed(1)} s, ${breaches.length} breaches`,
  )
}

export function printBreaches(breaches: readonly Breach[]): void {
  for (const { promise, what } of breaches.slice(0, shownBreaches)) console.log(`  BREACH ${promise} ${what}`)
  if (breaches.length > shownBreaches) console.log(`  and ${count(breaches.length - shownBreaches)} more`)
}
