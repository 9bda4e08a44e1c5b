/** Measured costs and their sources. docs/scale.md is calculated from these alone. */

export interface Cost {
  readonly what: string
  readonly value: number
  readonly unit: string
  /** The page or file that has the figure. */
  readonly source: string
  /** What measures it again. */
  readonly command: string
}

const cost = (what: string, value: number, unit: string, source: string, command: string): Cost => ({
  what,
  value,
  unit,
  source,
  command,
})

const bench = 'docs/performance.md'
const searchPage = 'docs/search.md'
const scalePage = 'docs/scale.md'
const restore = 'npm run scale -- restore'
const saves = 'npm run scale -- saves'

export const costs = {
  pieceRead: cost(
    'a piece through the API, server',
    1000 / 1506,
    'ms of a core',
    bench,
    'npm run bench -- --only http',
  ),
  listRead: cost('a list of 20, server', 1000 / 946, 'ms of a core', bench, 'npm run bench -- --only http'),
  pageRead: cost('a page, server', 1000 / 785, 'ms of a core', bench, 'npm run bench -- --only face'),
  readDatabase: cost('a page, database', 0.273, 'ms of a core', bench, 'npm run bench -- peers'),
  searchServer: cost('a search, server', 4.69, 'ms of a core', bench, 'npm run bench -- --only tools'),
  searchDatabase: cost('a search, database', 7.64, 'ms of a core', bench, 'npm run bench -- peers'),
  searchBuffers: cost('a search of a million, median', 233, 'buffers', searchPage, 'npm run bench:search'),
  searchBytes: cost(
    'search index of a piece: postings 5.3, texts 4.3, other 0.2',
    9.8,
    'kB',
    searchPage,
    'npm run bench:search',
  ),
  indexing: cost(
    'indexing a piece for search, merges included',
    2.5,
    'ms of a core',
    searchPage,
    'npm run bench:search',
  ),
  listBytes: cost('postings of a piece, written again at each merge', 5.34, 'kB', searchPage, 'npm run bench:search'),
  publishing: cost('publishing a piece, at the desk', 9.2, 'ms', searchPage, 'npm run bench:search'),
  drafting: cost(
    'a draft created with a key, server',
    1000 / 579,
    'ms of a core',
    bench,
    'npm run bench -- --only creating',
  ),
  savingServer: cost('a save at the desk, server', 2.5, 'ms of a core', scalePage, saves),
  savingDatabase: cost('a save at the desk and its compression, database', 7.96, 'ms of a core', scalePage, saves),
  savingLog: cost('WAL of a save of a draft of up to 6 kB and its compression', 4.4, 'kB', scalePage, saves),
  savingBytes: cost('a save made within the last day', 2.0, 'kB', scalePage, saves),
  historyBytes: cost('history of a piece that was saved 400 times in 40 sessions', 14.3, 'kB', scalePage, saves),
  delivery: cost('a webhook, worker', 0.69, 'ms of a core', bench, 'npm run bench -- --only webhooks'),
  deliveryDatabase: cost('a webhook, database', 0.77, 'ms of a core', bench, 'npm run bench -- --only webhooks'),
  deliveries: cost('webhooks sent by one worker', 781, 'a second', bench, 'npm run bench -- --only webhooks'),
  edgeHits: cost(
    'cache hits of Varnish on one core, with the client on the other',
    29_646,
    'a second',
    scalePage,
    'npm run scale -- static',
  ),
  siteBytes: cost('database size of a sample piece, including search and indexes', 27.2, 'kB', scalePage, restore),
  writeLog: cost(
    'WAL of a draft, a third of them published and indexed, within minutes of a checkpoint',
    395,
    'kB',
    scalePage,
    restore,
  ),
  restoring: cost('restoring a gigabyte', 8.9, 's', scalePage, restore),
  countedReads: cost(
    'reads counted by one process, in addition to its other work',
    2000,
    'a second',
    bench,
    'npm run bench -- --only pixel',
  ),
} as const satisfies Record<string, Cost>

export type CostName = keyof typeof costs
