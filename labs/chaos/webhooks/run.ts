import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { type Breach, check } from './check.ts'
import { startPostgres } from './processes.ts'
import { printResult, progressLine } from './table.ts'
import { type Plan, runWebhooks } from './workload.ts'

/** Webhooks alone, on one PostgreSQL. labs/chaos/run.ts says what it takes. */

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    short: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    rng: { type: 'string' },
    plant: { type: 'string' },
  },
})
if ((values.plant ?? 'enqueue-outside') !== 'enqueue-outside') {
  console.error('npm run chaos -- webhooks [--short | --long] [--rng N] [--plant enqueue-outside]')
  process.exit(2)
}

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

const cluster = await startPostgres()
async function brokenBy(plan: Plan): Promise<readonly Breach[]> {
  const what = plan.hasBug ? 'A site that orders deliveries outside' : 'The site as shipped'
  console.log(`${what}: ${plan.publications.toLocaleString('en')} publications, --rng ${rng}`)
  const ran = await runWebhooks(plan, cluster, progressLine(plan.publications))
  const verdict = check(ran.evidence, !plan.isShort)
  printResult(ran, verdict)
  return verdict.breaches
}

async function isSound(): Promise<boolean> {
  if (values.plant) return (await brokenBy(withBug)).length === 0
  const isKept = (await brokenBy(asShipped)).length === 0
  const isFound = (await brokenBy(withBug)).some(({ promise }) => promise === 'W1')
  console.log(isFound ? 'The planted bug was found.' : 'The planted bug was MISSED.')
  return isKept && isFound
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
const sound = await isSound()
console.log(sound ? 'Kept.' : 'NOT KEPT.')
process.exit(sound ? 0 : 1)
