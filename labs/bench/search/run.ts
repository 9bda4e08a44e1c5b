import { execFileSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { startCluster, stopCluster } from '../cluster.ts'
import { keep as publish } from '../report.ts'
import { adversary } from './adversary.ts'
import { build, load, measureSizes } from './build.ts'
import { measureContention } from './contention.ts'
import { measureCost, publishedCost } from './cost.ts'
import { assertUnchanged, checkExactness, truthsOf } from './exactness.ts'
import { measurePublishing } from './publishing.ts'
import { type Results, readResults, report, storeResults } from './report.ts'
import { asOwner, withSite } from './site.ts'
import { measureWords } from './words.ts'

/**
 * `npm run bench:search`: search in a seeded site of generated English, from disk space to the worst query.
 *   --size N       pieces (10,000); the site is loaded once, into the database search_N
 *   --steps A,B    only these: load, build, sizes, exact, cost, words, adversary, contention, publishing, report, keep
 *   --seed N       of the queries: take one that was not used before
 *   --queries N    number of queries (1,000)
 *   --minutes N    of the adversary (10)
 *   --seconds N    of reads together with searches (60)
 *   --corpus N     the seed of the pieces (1)
 *   --reload       loads the site again
 *   --keep         leaves PostgreSQL running
 * Results are stored in .data/bench-search; `--steps report` prints them again, and how they grow with the site.
 * `--steps keep` writes what searches cost into labs/bench/results.json and docs/performance.md.
 */
const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '10000' },
    steps: { type: 'string' },
    seed: { type: 'string', default: '1' },
    queries: { type: 'string', default: '1000' },
    minutes: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '60' },
    corpus: { type: 'string', default: '1' },
    reload: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
})
const pieces = Number(values.size)
const seed = Number(values.seed)
const corpusSeed = Number(values.corpus)
const truths = () => truthsOf({ pieces, corpusSeed, seed, count: Number(values.queries) })
const source = { commit: execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).trim(), seed }
const store = (measured: Omit<Results, 'sources'>) => storeResults(pieces, measured, source)

const steps: Record<string, () => Promise<void>> = {
  async load() {
    const seconds = await load(pieces, corpusSeed, values.reload)
    if (seconds) store({ load: { seconds } })
  },
  async build() {
    const built = await build(pieces)
    // Indexing what was published since is not a build.
    if (built.fresh || !readResults(pieces).build) store({ build: built })
  },
  async sizes() {
    store({ sizes: await measureSizes(pieces) })
  },
  async exact() {
    await asOwner(pieces, (client) => assertUnchanged(client, pieces))
    const all = await truths()
    store({ exact: await withSite(pieces, (site) => checkExactness(site, all)) })
  },
  async cost() {
    const all = await truths()
    store({ cost: await withSite(pieces, (site) => measureCost(site, all)) })
  },
  async words() {
    const settings = { pieces, corpusSeed, seed, count: 300 }
    console.log(await withSite(pieces, (site) => measureWords(site, settings)))
  },
  async adversary() {
    const settings = { pieces, corpusSeed, seed, minutes: Number(values.minutes) }
    store({ adversary: await withSite(pieces, (site) => adversary(site, settings)) })
  },
  async contention() {
    store({ contention: await measureContention(pieces, await truths(), Number(values.seconds)) })
  },
  async publishing() {
    store({ publishing: await measurePublishing(pieces, corpusSeed) })
  },
  async report() {
    console.log(report(pieces))
  },
  async keep() {
    const { cost: measured, sources } = readResults(pieces)
    if (!measured) throw new Error(`What searches cost among ${pieces} pieces was not measured: --steps cost does.`)
    const { at, commit, seed: rng } = sources!.cost!
    publish(pieces, { search: publishedCost(measured) }, { date: at.slice(0, 10), commit, rng })
  },
}

const selected = values.steps?.split(',') ?? Object.keys(steps)
const unknown = selected.find((step) => !(step in steps))
if (unknown !== undefined) throw new Error(`There is no step "${unknown}"; there are ${Object.keys(steps).join(', ')}.`)
const needsCluster = selected.some((step) => step !== 'report' && step !== 'keep')
if (needsCluster) startCluster()
try {
  for (const step of selected) {
    console.error(`\n${pieces.toLocaleString('en')} pieces: ${step}`)
    await steps[step]!()
  }
} finally {
  if (needsCluster && !values.keep) stopCluster()
}
