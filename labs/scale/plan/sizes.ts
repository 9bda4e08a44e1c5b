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
  sizeOf(10_000_000, 'search on replicas of its own'),
  sizeOf(100_000_000, 'search by age, shards by author'),
]

/** What is taken for granted, because nobody has measured it here. Other figures make another plan: change them and draw again. */
export const assumed = {
  /** Of a core, so that peaks and one lost machine are carried. */
  load: { value: 0.5, what: 'how busy a core is by plan' },
  /** Of all reads: the rest are data for programs, and feeds. */
  pages: { value: 0.4, what: 'share of reads that are pages in a browser, each with its counted pixel' },
  lists: { value: 0.1, what: 'share of reads that are lists' },
  /** Reads of pieces by rank, exponent 1: what the hit ratio is calculated from, as `npm run scale -- hits` does. */
  kept: { value: 30, what: 'seconds that an edge keeps a piece; reads fall off by Zipf, exponent 1' },
  /** Of publications. */
  webhooks: { value: 0.3, what: 'share of publications with a webhook' },
  saves: { value: 400, what: 'saves at the desk for each publication' },
  machineCores: { value: 16, what: 'cores of a machine' },
  machineMemory: { value: 128, what: 'GB of memory of a machine' },
  machineDisk: { value: 3_500, what: 'GB of NVMe of a machine' },
  inMemory: { value: 0.8, what: 'share of memory that caches what PostgreSQL reads' },
  connections: { value: 500, what: 'connections a PostgreSQL is given' },
  processConnections: { value: 14, what: 'connections of a public process: 10 for reads, 4 for searches' },
  compressed: { value: 0.2, what: 'share that is left of backups and WAL when they are compressed' },
  confirming: { value: 5, what: 'ms in which standbys confirm a publication; one after the other are committed' },
  replay: { value: 50, what: 'MB of WAL a replica replays in a second' },
  purges: { value: 5, what: 'tags a publication purges' },
  recovery: { value: 4, what: 'hours a site may take to come back from its archive' },
  core: { value: 10, what: 'price of a core, a month' },
  memory: { value: 2, what: 'price of a GB of memory, a month' },
  disk: { value: 0.1, what: 'price of a GB of NVMe, a month' },
  archive: { value: 0.02, what: 'price of a GB of archive, a month' },
} as const
