import { setTimeout as pause } from 'node:timers/promises'
import {
  cut,
  delayed,
  fillDisk,
  freeze,
  killNode,
  migrateUnderLoad,
  oneOf,
  primaryOf,
  type Shaken,
  skewClock,
  synchronousOf,
  takeConnections,
} from './fault-actions.ts'
import type { House } from './start.ts'

/** What can go wrong, one thing at a time. Each is healed when its function ends, and the house may still be recovering. */

export interface Kind {
  /** Seconds without an acknowledged write that it may cost. */
  readonly mayCost: number
  /** Seconds that a write may take while it lasts, where that is promised. */
  readonly mayDelay?: number
  shake(shaken: Shaken): Promise<void>
}

const nodeDeath = 30
const postmasterDeath = 10
/** The time in which a node is given up is 20 s; a break that lasts longer makes another node the primary. */
const longEnough = (random: () => number) => 24_000 + random() * 6000

export const kinds = {
  'server killed': {
    mayCost: postmasterDeath,
    shake: ({ house, random }) => oneOf(house.servers, random).restart('SIGKILL'),
  },
  'worker killed': {
    mayCost: postmasterDeath,
    shake: ({ house, random }) => oneOf(house.workers, random).restart('SIGKILL'),
  },
  'postmaster of the primary killed': {
    mayCost: postmasterDeath,
    shake: async ({ house, flows }) => {
      process.kill((await primaryOf(house)).postmaster()!, 'SIGKILL')
      await flows()
    },
  },
  'postmaster of the synchronous standby killed': {
    mayCost: postmasterDeath,
    shake: async ({ house, flows }) => {
      process.kill((await synchronousOf(house)).postmaster()!, 'SIGKILL')
      await flows()
    },
  },
  'node of the primary killed': {
    mayCost: nodeDeath,
    shake: async (shaken) => killNode(await primaryOf(shaken.house), shaken),
  },
  'node of the synchronous standby killed': {
    mayCost: nodeDeath,
    shake: async (shaken) => killNode(await synchronousOf(shaken.house), shaken),
  },
  'node of the primary frozen': {
    mayCost: nodeDeath,
    shake: async (shaken) => freeze(await primaryOf(shaken.house), shaken, longEnough(shaken.random)),
  },
  'node of the synchronous standby frozen': {
    mayCost: nodeDeath,
    shake: async (shaken) => freeze(await synchronousOf(shaken.house), shaken, 8000 + shaken.random() * 8000),
  },
  'primary cut off from the other nodes': {
    mayCost: nodeDeath,
    shake: async (shaken) => cut(shaken, await primaryOf(shaken.house), 'nodes', longEnough(shaken.random)),
  },
  'primary cut off from everybody': {
    mayCost: nodeDeath,
    shake: async (shaken) => cut(shaken, await primaryOf(shaken.house), 'everybody', longEnough(shaken.random)),
  },
  'synchronous standby cut off': {
    mayCost: nodeDeath,
    shake: async (shaken) => cut(shaken, await synchronousOf(shaken.house), 'everybody', 8000 + shaken.random() * 8000),
  },
  'primary loses 30 % of packets': {
    mayCost: nodeDeath,
    shake: async ({ house }) => {
      const { name } = await primaryOf(house)
      house.ground.lose(name, 30)
      await pause(10_000)
      house.ground.heal(name)
    },
  },
  'database 200 ms away': { mayCost: nodeDeath, shake: ({ house }) => delayed(house) },
  'disk of the primary full': { mayCost: nodeDeath, shake: fillDisk },
  'worker’s clock an hour off': { mayCost: postmasterDeath, shake: skewClock },
  'etcd member killed': {
    mayCost: nodeDeath,
    shake: async ({ house, random }) => {
      const { name } = oneOf(house.cluster.nodes, random)
      await house.etcd.kill(name)
      await pause(8000)
      house.etcd.start(name)
    },
  },
  'every connection taken': { mayCost: nodeDeath, shake: ({ house }) => takeConnections(house) },
  'rolling deploy': {
    mayCost: postmasterDeath,
    shake: async ({ house }) => {
      const oneByOne = async (programs: House['servers']) => {
        for (const program of programs) await program.restart()
      }
      await Promise.all([oneByOne(house.workers), oneByOne(house.servers)])
    },
  },
  'migration under load': { mayCost: postmasterDeath, mayDelay: 1, shake: migrateUnderLoad },
} satisfies Record<string, Kind>

export type FaultName = keyof typeof kinds

/** Those of the short form: one of every sort that takes no longer than half a minute. */
export const shortFaults: readonly FaultName[] = [
  'postmaster of the primary killed',
  'server killed',
  'migration under load',
  'disk of the primary full',
  'worker killed',
  'node of the primary killed',
  'rolling deploy',
  'synchronous standby cut off',
]
