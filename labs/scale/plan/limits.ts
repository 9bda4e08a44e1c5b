import { costs } from './costs.ts'
import { allCores, assumed, type Needs, needsOf, type Size, sizeOf } from './needs.ts'

/** A limit of growth, in pieces, and what to do there. */
export interface Limit {
  readonly name: string
  /** How many pieces the site has then. */
  readonly pieces: number
  readonly then: string
}

const of = (name: keyof typeof assumed): number => assumed[name].value

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
    limit('one server process, no edge', need('serverCores', false), 1, 'a process for each core'),
    limit('one machine, no edge', (size) => allCores(needsOf(size, false)), of('machineCores'), 'an edge and replicas'),
    limit('reads counted by one process', need('pixels'), costs.countedReads.value, 'more public processes'),
    limit(
      'search in the memory of one machine',
      need('searchGigabytes'),
      of('machineMemory') * of('inMemory'),
      'nodes for search, by age',
    ),
    limit('back from the archive in time', need('restoreHours'), of('recovery'), 'shards by author'),
    limit('filed once more within a day', need('indexingHours'), 24, 'more threads that file'),
    limit('connections of one PostgreSQL', need('connections'), of('connections'), 'reads on replicas'),
    limit('the disk of one machine, half full', need('databaseGigabytes'), of('machineDisk') / 2, 'shards by author'),
    limit(
      'searches on the cores of one machine',
      need('searchCores'),
      of('machineCores'),
      'another replica for search',
    ),
    limit('WAL that a replica replays', need('wal'), of('replay'), 'shards by author'),
    limit('saves and publications on one primary', need('writeCores'), of('machineCores'), 'shards by author'),
    limit(
      'publications that standbys confirm, one after the other',
      ({ publications }) => publications,
      1000 / of('confirming'),
      'shards by author',
    ),
    limit('filing by one worker', need('workerCores'), 1, 'a worker a shard'),
    limit(
      'webhooks of one worker',
      ({ publications }) => publications * of('webhooks'),
      costs.deliveries.value,
      'another worker',
    ),
  ].toSorted((a, b) => a.pieces - b.pieces)
}
