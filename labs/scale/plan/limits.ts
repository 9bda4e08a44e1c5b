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

const needing =
  (pick: (needs: Needs) => number, hasEdge = true) =>
  (size: Size): number =>
    pick(needsOf(size, hasEdge))
const withoutEdge = (pick: (needs: Needs) => number) => needing(pick, false)

export function limits(): Limit[] {
  const one = (name: string, pieces: number, then: string): Limit => ({ name, pieces, then })
  return [
    one(
      'one server process, no edge',
      reach(
        withoutEdge(({ serverCores }) => serverCores),
        1,
      ),
      'a process for each core',
    ),
    one('one machine, no edge', reach(withoutEdge(allCores), of('machineCores')), 'an edge and replicas'),
    one(
      'reads counted by one process',
      reach(
        needing(({ pixels }) => pixels),
        costs.countedReads.value,
      ),
      'more public processes',
    ),
    one(
      'search in the memory of one machine',
      reach(
        needing(({ searchGigabytes }) => searchGigabytes),
        of('machineMemory') * of('inMemory'),
      ),
      'nodes for search, by age',
    ),
    one(
      'back from the archive in time',
      reach(
        needing(({ restoreHours }) => restoreHours),
        of('recovery'),
      ),
      'shards by author',
    ),
    one(
      'filed once more within a day',
      reach(
        needing(({ indexingHours }) => indexingHours),
        24,
      ),
      'more threads that file',
    ),
    one(
      'connections of one PostgreSQL',
      reach(
        needing(({ connections }) => connections),
        of('connections'),
      ),
      'reads on replicas',
    ),
    one(
      'the disk of one machine, half full',
      reach(
        needing(({ databaseGigabytes }) => databaseGigabytes),
        of('machineDisk') / 2,
      ),
      'shards by author',
    ),
    one(
      'searches on the cores of one machine',
      reach(
        needing(({ searchCores }) => searchCores),
        of('machineCores'),
      ),
      'another replica for search',
    ),
    one(
      'WAL that a replica replays',
      reach(
        needing(({ wal }) => wal),
        of('replay'),
      ),
      'shards by author',
    ),
    one(
      'saves and publications on one primary',
      reach(
        needing(({ writeCores }) => writeCores),
        of('machineCores'),
      ),
      'shards by author',
    ),
    one(
      'publications that standbys confirm, one after the other',
      reach(({ publications }) => publications, 1000 / of('confirming')),
      'shards by author',
    ),
    one(
      'filing by one worker',
      reach(
        needing(({ workerCores }) => workerCores),
        1,
      ),
      'a worker a shard',
    ),
    one(
      'webhooks of one worker',
      reach(({ publications }) => publications * of('webhooks'), costs.deliveries.value),
      'another worker',
    ),
  ].toSorted((a, b) => a.pieces - b.pieces)
}
