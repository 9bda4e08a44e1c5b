import { readFileSync } from 'node:fs'
import { median } from '../../testkit/measure.ts'
import { pinCluster, startCluster, stopCluster } from './cluster.ts'
import { startDirectus } from './peers/directus.ts'
import { startGhost } from './peers/ghost.ts'
import { check, load, stopAll, type Taken } from './peers/load.ts'
import { type Peer, type ReadName, readNames } from './peers/peer.ts'
import type { PeerFigures, PeersResult } from './peers/report.ts'
import { seedCorpus, startSite } from './peers/standfirst.ts'
import { keep } from './report.ts'

/**
 * Measures inside a network namespace: `node labs/bench/peers-measure.ts <installation found by
 * labs/bench/peers/install.ts, as JSON>`.
 */

const seconds = 4
const { rounds, size, installed, source } = JSON.parse(process.argv[2]!)
const started = Date.now()

const end = async (): Promise<void> => {
  await stopAll()
  stopCluster()
}
/** Both the terminal and npm may send the signal. */
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => end().then(() => process.exit(130)))

// A cluster that is already running is in another network namespace.
stopCluster()
startCluster()
try {
  pinCluster(1)
  const corpus = await seedCorpus(size)
  const ours = await startSite(corpus)
  const ghost = await startGhost(corpus)
  const directus = await startDirectus(corpus)
  const peers = [ours, ghost, directus]
  for (const peer of peers)
    for (const all of Object.values(peer.reads))
      for (const one of all.filter((_, place) => place % 10 === 0)) await check(peer, one)
  console.error(`the answers are right; ${Math.round((Date.now() - started) / 1000)} s so far`)
  const reads: PeersResult['reads'][number][] = []
  for (const name of readNames) reads.push({ name, figures: await measure(peers, name) })
  const programs = [
    { peer: ours, packages: installed.packages.ours, database: 'PostgreSQL' },
    { peer: ghost, packages: installed.packages.ghost, database: 'MariaDB' },
    { peer: directus, packages: installed.packages.directus, database: 'PostgreSQL' },
  ]
  const result: PeersResult = {
    posts: corpus.posts.length,
    rounds,
    programs: programs.map(({ peer, ...rest }) => ({ name: peer.name, ...rest, memory: memory(peer.pid) })),
    reads,
    installSeconds: installed.seconds,
    seconds: (Date.now() - started) / 1000,
  }
  keep(size, { peers: result }, source)
} finally {
  await end()
}

/** Measures the programs alternately, in rounds, each after a warm-up. */
async function measure(all: readonly Peer[], read: ReadName): Promise<PeerFigures[]> {
  const peers = all.filter((peer) => peer.reads[read])
  for (const peer of peers) await load(peer, read, seconds)
  const taken = new Map<Peer, Taken[]>(peers.map((peer) => [peer, []]))
  for (let round = 0; round < rounds; round += 1)
    for (const peer of peers) taken.get(peer)!.push(await load(peer, read, seconds))
  const ours = taken.get(peers[0]!)!
  return peers.map((peer) => {
    const its = taken.get(peer)!
    const middle = (of: (one: Taken) => number) => median(its.map(of))
    const figures = {
      name: peer.name,
      rate: middle(({ rate }) => rate),
      p50: middle(({ p50 }) => p50),
      p99: middle(({ p99 }) => p99),
      processor: middle(({ processor }) => processor),
      database: middle(({ database }) => database),
      times: median(its.map(({ rate }, round) => ours[round]!.rate / rate)),
    }
    console.error(
      `${read}, ${peer.name}: ${figures.rate.toFixed(0)}/s, ours ${figures.times.toFixed(1)} times, p99 ${figures.p99.toFixed(0)} ms, ${figures.processor.toFixed(2)} + ${figures.database.toFixed(2)} ms`,
    )
    return figures
  })
}

/** Megabytes the process holds. */
function memory(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}
