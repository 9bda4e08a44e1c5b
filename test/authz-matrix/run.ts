import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type ProofRecord, shippedProof } from '../../server/config/proof-record.ts'
import { honestSite, planted, plantedSite } from './honest-site.ts'
import { prove } from './prove.ts'
import { compareAnswers } from './timing.ts'

/**
 * `npm run proof`: no request makes anything public, and no private text is ever seen. Every route by every kind of
 * caller, and random requests up to 10,000; `--short` is 7,500, `--long` 100,000, `--seed` repeats a run. Then the
 * same proof against a site with injected bugs, which it must find. How long answers take is measured with `--long` and
 * `--keep` alone. `--keep` writes what was found, whatever it is, for the page /trust of this version.
 */

const { values } = parseArgs({
  options: {
    long: { type: 'boolean' },
    short: { type: 'boolean' },
    seed: { type: 'string' },
    keep: { type: 'boolean' },
  },
})
// Every accepted method of every route by every kind of caller makes about 5,800 requests.
const requests = values.long ? 100_000 : values.short ? 7_500 : 10_000
const seed = Number(values.seed ?? randomInt(2 ** 31))

const shipped = await honestSite()
console.log(`The site as shipped: ${requests.toLocaleString('en')} requests, seed ${seed}`)
const result = await prove(shipped, { requests, seed, onProgress: (done) => process.stdout.write(`\r  ${done}`) })
console.log(
  `\r  ${result.routes} routes × methods × 6 kinds of caller, ${result.answers} answers, ${result.created} drafts created`,
)
console.log(
  `  answers by status: ${[...result.statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ')}`,
)
console.log(
  `  the desk published ${result.published} times with its nonce; ${result.hidden} pieces were hidden at the desk`,
)
console.log(
  `  looked for ${result.canaries} canaries in answers, ${result.logLines} log lines, ${result.jobs} jobs, ${result.letters} letters and ${result.deliveries} deliveries, held ${result.pictures} pictures against themselves, and opened ${result.previews} previews with their tokens; the tool server was asked ${result.toolCalls} questions, and ${result.reads} pieces in every state were read; acts that are for some were asked for ${result.acts} times, by nine kinds of caller, and ${result.schedules} schedules were asked for or had become void`,
)
for (const breach of result.breaches) console.error(`  BREACH ${breach}`)

const isTimed = values.long || values.keep
const farthest = 4.5
let differing = 0
const timings = await compareAnswers(shipped, values.long ? 20_000 : isTimed ? 1_000 : 20)
await shipped.close()
for (const { name, pairs, t, sameBytes } of timings) {
  if (!sameBytes || (isTimed && Math.abs(t) >= farthest)) differing += 1
  console.log(
    `Tells nothing, ${name}: ${pairs} pairs, bytes ${sameBytes ? 'the same' : 'DIFFER'}${isTimed ? `, t = ${t.toFixed(2)}` : ''}`,
  )
}

const rogue = await plantedSite(planted)
const { breaches } = await prove(rogue, { requests: 3_000, seed, untilFound: planted.map(({ finds }) => finds) })
await rogue.close()
let missed = 0
for (const { name, finds } of planted) {
  const found = breaches.find((breach) => finds.test(breach))
  if (!found) missed += 1
  console.log(`Planted: ${name}: ${found ? `found (${found})` : 'MISSED'}`)
}

const sound = result.breaches.length === 0 && missed === 0 && differing === 0
if (values.keep) {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim()
  const record: ProofRecord = {
    at: new Date().toISOString(),
    proved: sound,
    commit: git('rev-parse', 'HEAD'),
    changed: git('status', '--porcelain', '--untracked-files=no') !== '',
    seed,
    routes: result.routes,
    answers: result.answers,
    canaries: result.canaries,
    published: result.published,
    breaches: result.breaches.length,
    planted: { found: planted.length - missed, of: planted.length },
    timings: { alike: timings.length - differing, of: timings.length },
  }
  writeFileSync(shippedProof, `${JSON.stringify(record, null, 2)}\n`)
}
console.log(
  `figure: ${result.answers} answers, ${result.breaches.length} breaches, ${planted.length - missed} of ${planted.length} planted bugs found${isTimed ? `, t ${timings.map(({ t }) => t.toFixed(2)).join(', ')}` : ''}`,
)
console.log(sound ? 'Proved.' : 'NOT PROVED.')
process.exit(sound ? 0 : 1)
