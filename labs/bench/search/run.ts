import { execFileSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { startCluster, stopCluster } from '../cluster.ts'
import { keep as keepPublished } from '../report.ts'
import { adversary } from './adversary.ts'
import { build, load } from './build.ts'
import { beside } from './contention.ts'
import { cost } from './cost.ts'
import { exactness } from './exact.ts'
import { publishedOf } from './published.ts'
import { publishing } from './publishing.ts'
import { report } from './report.ts'
import { keepResults, type Results, resultsOf } from './results.ts'
import { asOwner, withSite } from './site.ts'
import { sizes } from './sizes.ts'
import { demandWhole, truthsOf } from './truth.ts'

/**
 * `npm run bench:search`: search in a site of made English (bench/corpus), from the bytes to the dearest question.
 *   --size N       pieces (10,000); the site is loaded once, into the database search_N
 *   --steps A,B    only these: load, build, sizes, exact, cost, adversary, beside, publishing, report, keep
 *   --seed N       of the questions: one that nobody has seen
 *   --queries N    questions (1,000)
 *   --minutes N    of the adversary (10)
 *   --seconds N    of the reads beside searches (60)
 *   --corpus N     the seed of the pieces (1)
 *   --anew         loads the site again
 *   --keep         leaves PostgreSQL running
 * Figures are kept in .data/bench-search; `--steps report` prints them again, and how they grow with the site.
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
    anew: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
})
const pieces = Number(values.size)
const seed = Number(values.seed)
const corpusSeed = Number(values.corpus)
const truths = () => truthsOf({ pieces, corpusSeed, seed, count: Number(values.queries) })
const source = { commit: execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).trim(), seed }
const keep = (measured: Omit<Results, 'sources'>) => keepResults(pieces, measured, source)

const steps: Record<string, () => Promise<void>> = {
  async load() {
    const seconds = await load(pieces, corpusSeed, values.anew)
    if (seconds) keep({ load: { seconds } })
  },
  async build() {
    const built = await build(pieces)
    // What was published since is no building.
    if (built.fresh || !resultsOf(pieces).build) keep({ build: built })
  },
  async sizes() {
    keep({ sizes: await sizes(pieces) })
  },
  async exact() {
    await asOwner(pieces, (client) => demandWhole(client, pieces))
    const all = await truths()
    keep({ exact: await withSite(pieces, (site) => exactness(site, all)) })
  },
  async cost() {
    const all = await truths()
    keep({ cost: await withSite(pieces, (site) => cost(site, all)) })
  },
  async adversary() {
    const settings = { pieces, corpusSeed, seed, minutes: Number(values.minutes) }
    keep({ adversary: await withSite(pieces, (site) => adversary(site, settings)) })
  },
  async beside() {
    keep({ beside: await beside(pieces, await truths(), Number(values.seconds)) })
  },
  async publishing() {
    keep({ publishing: await publishing(pieces, corpusSeed) })
  },
  async report() {
    console.log(report(pieces))
  },
  async keep() {
    const { cost: measured, sources } = resultsOf(pieces)
    if (!measured) throw new Error(`What searches cost among ${pieces} pieces was not measured: --steps cost does.`)
    const { at, commit, seed: rng } = sources!.cost!
    keepPublished(pieces, { search: publishedOf(measured) }, { date: at.slice(0, 10), commit, rng })
  },
}

const wanted = values.steps?.split(',') ?? Object.keys(steps)
const unknown = wanted.find((step) => !(step in steps))
if (unknown !== undefined) throw new Error(`There is no step "${unknown}"; there are ${Object.keys(steps).join(', ')}.`)
const needsCluster = wanted.some((step) => step !== 'report' && step !== 'keep')
if (needsCluster) startCluster()
try {
  for (const step of wanted) {
    console.error(`\n${pieces.toLocaleString('en')} pieces: ${step}`)
    await steps[step]!()
  }
} finally {
  if (needsCluster && !values.keep) stopCluster()
}
