import { type CostName, costs } from './costs.ts'

/** What a site of a size needs, from what one of each thing costs. */

const each = (name: CostName): number => costs[name].value
const of = (name: keyof typeof assumed): number => assumed[name].value

/** Cores for this rate at this many milliseconds each. */
const cores = (perSecond: number, ms: number): number => (perSecond * ms) / 1000 / of('load')

/** Of an ordinary mix: pages, lists, and pieces by the API. */
const readServer = (): number =>
  of('pages') * each('pageRead') + of('lists') * each('listRead') + (1 - of('pages') - of('lists')) * each('pieceRead')

const euler = 0.5772

/**
 * The share of reads that find their piece at the edge: asked for at rate r, one that is kept for t seconds is there
 * r·t / (1 + r·t) of the time. Summed over Zipf's law with exponent 1. Lists, which are few, are taken for no better.
 */
export function hitRatio({ pieces, reads }: Pick<Size, 'pieces' | 'reads'>): number {
  const harmonic = Math.log(pieces) + euler
  return (Math.log(1 + (reads * of('kept')) / harmonic) + euler) / harmonic
}

/** Median buffers of a search: measured to a million, calculated beyond (docs/search.md, Growth). */
const buffersKnown = [
  [1e5, 207],
  [1e6, 233],
  [1e7, 350],
  [1e8, 700],
] as const

/** Cost of a search relative to one among a million pieces. */
export function searchGrowth(pieces: number): number {
  const at = Math.min(
    Math.max(
      buffersKnown.findLastIndex(([known]) => known <= pieces),
      0,
    ),
    buffersKnown.length - 2,
  )
  const [[fewer, low], [more, high]] = [buffersKnown[at]!, buffersKnown[at + 1]!]
  const way = Math.log(pieces / fewer) / Math.log(more / fewer)
  return (low * (high / low) ** way) / each('searchBuffers')
}

/** Drafts and changes for each publication, as `writeLog` was measured. */
const drafts = 3

/** A piece's postings are written again at each merge: twenty times until they are in a segment of a million. */
const merges = (pieces: number): number => (20 * Math.log(pieces)) / Math.log(1e6)

export interface Needs {
  /** Share of reads that the edge answers. */
  readonly hits: number
  /** Reads a second that reach the site. */
  readonly origin: number
  /** Counted pixels a second: no cache may keep them. */
  readonly pixels: number
  readonly edgeCores: number
  readonly serverCores: number
  readonly readCores: number
  readonly searchCores: number
  readonly writeCores: number
  readonly workerCores: number
  readonly connections: number
  readonly databaseGigabytes: number
  readonly searchGigabytes: number
  /** Past revisions, and every save of the last day. */
  readonly historyGigabytes: number
  /** MB a second. */
  readonly wal: number
  /** Four full backups and the WAL of four weeks. */
  readonly archiveGigabytes: number
  readonly restoreHours: number
  /** When the site has doubled, everything is indexed again. */
  readonly indexingHours: number
}

export function needsOf(size: Size, hasEdge = true): Needs {
  const { pieces, reads, searches, publications } = size
  const hits = hasEdge ? hitRatio(size) : 0
  const origin = reads * (1 - hits)
  const pixels = reads * of('pages')
  const counting = pixels / each('countedReads')
  const saves = publications * of('saves')
  const writing =
    cores(saves, each('savingServer')) +
    cores(publications * drafts, each('drafting')) +
    cores(publications, each('publishing'))
  const serverCores = cores(origin, readServer()) + cores(searches, each('searchServer')) + counting + writing
  const deliveries = publications * of('webhooks')
  const wal =
    (publications * (drafts * each('writeLog') + each('listBytes') * merges(pieces)) + saves * each('savingLog')) / 1000
  const historyGigabytes = (pieces * each('historyBytes') + saves * 86_400 * each('savingBytes')) / 1e6
  const databaseGigabytes = (pieces * each('siteBytes')) / 1e6 + historyGigabytes
  return {
    hits,
    origin,
    pixels,
    edgeCores: hasEdge ? reads / each('edgeHits') / of('load') : 0,
    serverCores,
    readCores: cores(origin, each('readDatabase')),
    searchCores: cores(searches, each('searchDatabase') * searchGrowth(pieces)),
    writeCores:
      cores(saves, each('savingDatabase')) +
      cores(publications, each('publishing')) +
      cores(deliveries, each('deliveryDatabase')),
    workerCores: cores(publications, each('indexing')) + cores(deliveries, each('delivery')),
    connections: Math.ceil(serverCores) * of('processConnections'),
    databaseGigabytes,
    historyGigabytes,
    searchGigabytes: (pieces * each('searchBytes')) / 1e6,
    wal,
    archiveGigabytes: (4 * databaseGigabytes + (wal * 28 * 86_400) / 1000) * of('compressed'),
    restoreHours: (databaseGigabytes * each('restoring')) / 3600,
    indexingHours: (pieces * each('indexing')) / 3.6e6,
  }
}

/** Cores of all of it together. */
const allCores = (needs: Needs): number =>
  needs.edgeCores + needs.serverCores + needs.readCores + needs.searchCores + needs.writeCores + needs.workerCores

/** The site on its way to a hundred million pieces. What is asked of it grows with its pieces. */
export interface Size {
  readonly name: string
  readonly pieces: number
  readonly reads: number
  readonly searches: number
  readonly publications: number
}

/** A thousand pieces for each read a second, a hundred thousand for each search, a million for each publication. */
export const sizeOf = (pieces: number, name = ''): Size => ({
  name,
  pieces,
  reads: pieces / 1_000,
  searches: pieces / 100_000,
  publications: pieces / 1_000_000,
})

export const sizes: readonly Size[] = [
  sizeOf(100_000, 'one machine'),
  sizeOf(1_000_000, 'an edge and replicas'),
  sizeOf(10_000_000, 'separate replicas for search'),
  sizeOf(100_000_000, 'search by age, shards by author'),
]

/** Assumptions that were not measured here. To plan with other figures, change them and draw again. */
export const assumed = {
  /** Of a core, so that peaks and one lost machine are carried. */
  load: { value: 0.5, what: 'planned utilisation of a core' },
  /** Of all reads: the rest are data for programs, and feeds. */
  pages: { value: 0.4, what: 'share of reads that are pages in a browser, each with a counted pixel' },
  lists: { value: 0.1, what: 'share of reads that are lists' },
  /** Reads of pieces by rank, exponent 1: what the hit ratio is calculated from, as `npm run scale -- hits` does. */
  kept: { value: 30, what: 'seconds that an edge caches a piece; reads follow Zipf’s law, exponent 1' },
  /** Of publications. */
  webhooks: { value: 0.3, what: 'share of publications with a webhook' },
  saves: { value: 400, what: 'saves at the desk for each publication' },
  machineCores: { value: 16, what: 'cores per machine' },
  machineMemory: { value: 128, what: 'GB of memory per machine' },
  machineDisk: { value: 3_500, what: 'GB of NVMe per machine' },
  inMemory: { value: 0.8, what: 'share of memory that caches PostgreSQL’s data' },
  connections: { value: 500, what: 'connections of one PostgreSQL' },
  processConnections: { value: 14, what: 'connections of a public process: 10 for reads, 4 for searches' },
  compressed: { value: 0.2, what: 'compressed size of backups and WAL, as a share' },
  confirming: { value: 5, what: 'ms until standbys confirm a publication, one at a time' },
  replay: { value: 50, what: 'MB of WAL that a replica replays per second' },
  purges: { value: 5, what: 'tags that a publication purges' },
  recovery: { value: 4, what: 'hours that restoring a site from its archive may take' },
  core: { value: 10, what: 'price of a core per month' },
  memory: { value: 2, what: 'price of a GB of memory per month' },
  disk: { value: 0.1, what: 'price of a GB of NVMe per month' },
  archive: { value: 0.02, what: 'price of a GB of archive per month' },
} as const

/** Which engines carry a site of a size: how many of each, and what they cost a month. */
export interface Machines {
  readonly hasEdge: boolean
  /** Cores, on as many machines as that takes; two at least, so that one may be lost. */
  readonly edge: number
  readonly servers: number
  readonly workers: number
  /** Of the record, each a primary and two replicas. */
  readonly shards: number
  /**
   * Machines that hold search segments in memory, by age, and copies of each; none where replicas search besides
   * serving reads.
   */
  readonly searchGroups: number
  readonly searchCopies: number
  readonly needs: Needs
  readonly price: number
}

/** Up to here one machine carries everything, with spare capacity for a day that is twice as busy. */
const whole = 300_000
/** From here on search has separate machines: reads would push its postings out of memory. */
const searchApart = 3_000_000

export function machinesFor(size: Size): Machines {
  const hasEdge = size.pieces > whole
  const needs = needsOf(size, hasEdge)
  const isOne = !hasEdge
  const twoOrMore = (cores: number): number => Math.max(isOne ? 1 : 2, Math.ceil(cores))
  const { restoreHours, databaseGigabytes, wal, writeCores, searchGigabytes, searchCores } = needs
  const shards = Math.ceil(
    Math.max(
      restoreHours / of('recovery'),
      databaseGigabytes / (of('machineDisk') / 2),
      wal / of('replay'),
      writeCores / of('machineCores'),
    ),
  )
  const searchGroups =
    size.pieces < searchApart ? 0 : Math.ceil(searchGigabytes / (of('machineMemory') * of('inMemory')))
  const searchCopies = searchGroups && Math.max(2, Math.ceil(searchCores / (of('machineCores') * searchGroups)))
  const machines = { edge: hasEdge ? twoOrMore(needs.edgeCores) : 0, servers: twoOrMore(needs.serverCores) }
  const workers = twoOrMore(needs.workerCores)
  const databases = isOne ? 1 : 3 * shards + searchGroups * searchCopies
  const small = isOne ? 0 : machines.edge + machines.servers + workers
  return {
    hasEdge,
    ...machines,
    workers,
    shards,
    searchGroups,
    searchCopies,
    needs,
    price: databases * machinePrice() + small * smallPrice() + needs.archiveGigabytes * of('archive'),
  }
}

const machinePrice = (): number =>
  of('machineCores') * of('core') + of('machineMemory') * of('memory') + of('machineDisk') * of('disk')

/** A core that keeps nothing, with its 4 GB. */
const smallPrice = (): number => of('core') + 4 * of('memory')

/** A limit of growth, in pieces, and what to do there. */
export interface Limit {
  readonly name: string
  /** How many pieces the site has then. */
  readonly pieces: number
  readonly then: string
}

/** The most pieces for which it suffices; needs only grow with pieces. */
function reach(need: (size: Size) => number, most: number): number {
  let [low, high] = [0, 14]
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2
    if (need(sizeOf(10 ** middle)) <= most) low = middle
    else high = middle
  }
  return 10 ** low
}

const need =
  (figure: keyof Needs, hasEdge = true) =>
  (size: Size): number =>
    needsOf(size, hasEdge)[figure]

const limit = (name: string, needed: (size: Size) => number, most: number, then: string): Limit => ({
  name,
  pieces: reach(needed, most),
  then,
})

export function limits(): Limit[] {
  return [
    limit('one server process, no edge', need('serverCores', false), 1, 'one process per core'),
    limit('one machine, no edge', (size) => allCores(needsOf(size, false)), of('machineCores'), 'an edge and replicas'),
    limit('reads counted by one process', need('pixels'), costs.countedReads.value, 'more public processes'),
    limit(
      'search in one machine’s memory',
      need('searchGigabytes'),
      of('machineMemory') * of('inMemory'),
      'search nodes by age',
    ),
    limit('restoring the archive in time', need('restoreHours'), of('recovery'), 'shards by author'),
    limit('reindexing everything within a day', need('indexingHours'), 24, 'more indexing threads'),
    limit('connections of one PostgreSQL', need('connections'), of('connections'), 'reads on replicas'),
    limit('half the disk of one machine', need('databaseGigabytes'), of('machineDisk') / 2, 'shards by author'),
    limit(
      'searches on the cores of one machine',
      need('searchCores'),
      of('machineCores'),
      'another replica for search',
    ),
    limit('WAL that a replica can replay', need('wal'), of('replay'), 'shards by author'),
    limit('saves and publications on one primary', need('writeCores'), of('machineCores'), 'shards by author'),
    limit(
      'publications that standbys confirm, one at a time',
      ({ publications }) => publications,
      1000 / of('confirming'),
      'shards by author',
    ),
    limit('indexing by one worker', need('workerCores'), 1, 'one worker per shard'),
    limit(
      'webhooks sent by one worker',
      ({ publications }) => publications * of('webhooks'),
      costs.deliveries.value,
      'another worker',
    ),
  ].toSorted((a, b) => a.pieces - b.pieces)
}
