import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { check } from './check.ts'
import { runFollow } from './workload.ts'

/** Emails to followers through real mail servers, in namespaces of their own. labs/chaos/run.ts says what it takes. */

const { values } = parseArgs({
  options: { short: { type: 'boolean', default: false }, rng: { type: 'string' } },
})
const rng = Number(values.rng ?? randomInt(2 ** 31))
const plan = values.short
  ? { readers: 400, kills: 6, outage: 3_000, rng, isShort: true }
  : { readers: 10_000, kills: 50, outage: 60_000, rng, isShort: false }

console.log(`${plan.readers.toLocaleString('en')} readers, ${plan.kills} kills, --rng ${rng}`)
let said = 0
const { evidence, kills, suppressed, cost, seconds } = await runFollow(plan, (text) => {
  if (Date.now() - said < 5_000) return
  said = Date.now()
  console.log(text)
})
const { breaches, duplicates } = check(evidence)
const rows: [string, string][] = [
  ['emails', `${evidence.arrivals.length} arrived of ${evidence.pieces.length} pieces`],
  ['workers killed', String(kills)],
  ['F1 everybody', verdictOf('F1')],
  ['F2 once', `${verdictOf('F2')}, ${duplicates} duplicates of at most ${evidence.interrupted} under way at a fault`],
  ['F3 signed', verdictOf('F3')],
  ['F4 nobody else', `${verdictOf('F4')}, ${suppressed} suppressed`],
  ['F5 no address shown', verdictOf('F5')],
  ...(cost
    ? [
        [
          'one worker',
          `${cost.emailsPerSecond.toFixed(0)} emails/s, ${cost.processorMilliseconds.toFixed(1)} ms of processor each`,
        ] as [string, string],
      ]
    : []),
  ['took', `${seconds.toFixed(0)} s`],
]
console.log(rows.map(([name, value]) => `  ${name.padEnd(24)}${value}`).join('\n'))
for (const { promise, what } of breaches.slice(0, 5)) console.log(`  BREACH ${promise} ${what}`)
console.log(breaches.length === 0 ? 'Kept.' : 'NOT KEPT.')
process.exit(breaches.length === 0 ? 0 : 1)

function verdictOf(promise: string): string {
  const broken = breaches.filter((breach) => breach.promise === promise).length
  return broken === 0 ? 'kept' : `BROKEN ${broken} times`
}
