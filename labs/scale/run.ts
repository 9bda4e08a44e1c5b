import { parseArgs } from 'node:util'
import { watchStealTime } from '../../testkit/measure.ts'
import type { Length, Proof } from './site.ts'

/**
 * `npm run scale -- <proof> [--short | --long]`: what is claimed of a large site, shown on real engines that the run
 * starts, fills, loads and ends by itself. Ends with 1 where a claim does not hold.
 */

const proofs: Readonly<Record<string, () => Promise<Proof>>> = {
  static: async () => (await import('./edge/static.ts')).staticObject,
  hits: async () => (await import('./edge/hits.ts')).hits,
  fresh: async () => (await import('./edge/hits.ts')).fresh,
  clock: async () => (await import('./clock/proof.ts')).proveClock,
  replica: async () => (await import('./replica/proof.ts')).proveReplica,
  plan: async () => (await import('./plan/tables.ts')).drawPlan,
  restore: async () => (await import('./restore/proof.ts')).proveRestore,
  footprint: async () => (await import('./footprint/proof.ts')).proveFootprint,
  saves: async () => (await import('./saves/proof.ts')).proveSaves,
  slow: async () => (await import('./overload/overload.ts')).proveSlowClients,
  steady: async () => (await import('./steady/steady.ts')).proveSteady,
  overload: async () => (await import('./overload/overload.ts')).proveOverload,
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { short: { type: 'boolean', default: false }, long: { type: 'boolean', default: false } },
})
const asked = positionals.map((name) => proofs[name])
if (asked.length === 0 || asked.includes(undefined)) {
  console.error(`npm run scale -- ${Object.keys(proofs).join('|')} [--short | --long]`)
  process.exit(2)
}
const length: Length = values.long ? 'long' : values.short ? 'short' : 'usual'
let holds = true
for (const [place, open] of asked.entries()) {
  console.log(`\n${positionals[place]}, ${length}`)
  const prove = await open!()
  const stolen = watchStealTime()
  const isSo = await prove(length)
  console.log(stolen.summary())
  console.log(isSo ? 'It holds.' : 'It does NOT hold.')
  holds &&= isSo
}
process.exit(holds ? 0 : 1)
