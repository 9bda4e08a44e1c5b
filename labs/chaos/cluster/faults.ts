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
import type { Site } from './start.ts'

/** What can go wrong, one thing at a time. Each is healed when its function ends, and the site may still be recovering. */

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
    shake: ({ site, random }) => oneOf(site.servers, random).restart('SIGKILL'),
  },
  'worker killed': {
    mayCost: postmasterDeath,
    shake: ({ site, random }) => oneOf(site.workers, random).restart('SIGKILL'),
  },
  'postmaster of the primary killed': {
    mayCost: postmasterDeath,
    shake: async ({ site, flows }) => {
      process.kill((await primaryOf(site)).postmaster()!, 'SIGKILL')
      await flows()
    },
  },
  'postmaster of the synchronous standby killed': {
    mayCost: postmasterDeath,
    shake: async ({ site, flows }) => {
      process.kill((await synchronousOf(site)).postmaster()!, 'SIGKILL')
      await flows()
    },
  },
  'node of the primary killed': {
    mayCost: nodeDeath,
    shake: async (shaken) => killNode(await primaryOf(shaken.site), shaken),
  },
  'node of the synchronous standby killed': {
    mayCost: nodeDeath,
    shake: async (shaken) => killNode(await synchronousOf(shaken.site), shaken),
  },
  'node of the primary frozen': {
    mayCost: nodeDeath,
    shake: async (shaken) => freeze(await primaryOf(shaken.site), shaken, longEnough(shaken.random)),
  },
  'node of the synchronous standby frozen': {
    mayCost: nodeDeath,
    shake: async (shaken) => freeze(await synchronousOf(shaken.site), shaken, 8000 + shaken.random() * 8000),
  },
  'primary cut off from the other nodes': {
    mayCost: nodeDeath,
    shake: async (shaken) => cut(shaken, await primaryOf(shaken.site), 'nodes', longEnough(shaken.random)),
  },
  'primary cut off from everybody': {
    mayCost: nodeDeath,
    shake: async (shaken) => cut(shaken, await primaryOf(shaken.site), 'everybody', longEnough(shaken.random)),
  },
  'synchronous standby cut off': {
    mayCost: nodeDeath,
    shake: async (shaken) => cut(shaken, await synchronousOf(shaken.site), 'everybody', 8000 + shaken.random() * 8000),
  },
  'primary loses 30 % of packets': {
    mayCost: nodeDeath,
    shake: async ({ site }) => {
      const { name } = await primaryOf(site)
      site.ground.lose(name, 30)
      await pause(10_000)
      site.ground.heal(name)
    },
  },
  'database 200 ms away': { mayCost: nodeDeath, shake: ({ site }) => delayed(site) },
  'disk of the primary full': { mayCost: nodeDeath, shake: fillDisk },
  'worker’s clock an hour off': { mayCost: postmasterDeath, shake: skewClock },
  'etcd member killed': {
    mayCost: nodeDeath,
    shake: async ({ site, random }) => {
      const { name } = oneOf(site.cluster.nodes, random)
      await site.etcd.kill(name)
      await pause(8000)
      site.etcd.start(name)
    },
  },
  'every connection taken': { mayCost: nodeDeath, shake: ({ site }) => takeConnections(site) },
  'rolling deploy': {
    mayCost: postmasterDeath,
    shake: async ({ site }) => {
      const oneByOne = async (programs: Site['servers']) => {
        for (const program of programs) await program.restart()
      }
      await Promise.all([oneByOne(site.workers), oneByOne(site.servers)])
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
