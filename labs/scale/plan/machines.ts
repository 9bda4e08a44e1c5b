import { type Needs, needsOf } from './needs.ts'
import { assumed, type Size } from './sizes.ts'

/** Which engines carry a site of a size: how many of each, and what they cost a month. */
export interface Machines {
  readonly hasEdge: boolean
  /** Cores, on as many machines as that takes; two at least, so that one may be lost. */
  readonly edge: number
  readonly servers: number
  readonly workers: number
  /** Of the record, each a primary and two replicas. */
  readonly shards: number
  /** Machines that have volumes of search in memory, by age, each so many times; none where replicas do it beside reads. */
  readonly searchGroups: number
  readonly searchCopies: number
  readonly needs: Needs
  readonly price: number
}

const of = (name: keyof typeof assumed): number => assumed[name].value

/** One machine carries it all up to here, with room for a day that is twice as busy. */
const whole = 300_000
/** From here on search has machines of its own: reads would push its lists out of memory. */
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
