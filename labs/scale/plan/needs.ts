import { type CostName, costs } from './costs.ts'
import { assumed, type Size } from './sizes.ts'

/** What a site of a size needs, from what one of each thing costs. */

const each = (name: CostName): number => costs[name].value
const of = (name: keyof typeof assumed): number => assumed[name].value

/** Cores for so many a second at so many milliseconds. */
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

/** How much dearer a search is than among a million. */
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

/** A piece's lists are written again at each binding: twenty times on the way into a volume of a million. */
const bindings = (pieces: number): number => (20 * Math.log(pieces)) / Math.log(1e6)

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
  /** When the site has doubled, everything is filed once more. */
  readonly filingHours: number
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
    (publications * (drafts * each('writeLog') + each('listBytes') * bindings(pieces)) + saves * each('savingLog')) /
    1000
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
    workerCores: cores(publications, each('filing')) + cores(deliveries, each('delivery')),
    connections: Math.ceil(serverCores) * of('processConnections'),
    databaseGigabytes,
    historyGigabytes,
    searchGigabytes: (pieces * each('searchBytes')) / 1e6,
    wal,
    archiveGigabytes: (4 * databaseGigabytes + (wal * 28 * 86_400) / 1000) * of('compressed'),
    restoreHours: (databaseGigabytes * each('restoring')) / 3600,
    filingHours: (pieces * each('filing')) / 3.6e6,
  }
}

/** Cores of all of it together. */
export const allCores = (needs: Needs): number =>
  needs.edgeCores + needs.serverCores + needs.readCores + needs.searchCores + needs.writeCores + needs.workerCores
