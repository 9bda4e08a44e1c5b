import type { ChildProcess } from 'node:child_process'
import { rmSync } from 'node:fs'
import type { Place } from './data-nodes.ts'
import { scratchFolder, startEngine, stopEngine, until } from './engine.ts'

/** Three members of etcd, one at each data node. */

export interface Etcd {
  /** Ends a member without a farewell, and starts it again with what it had. */
  kill(name: string): Promise<void>
  pidOf(name: string): number
  start(name: string): void
  stop(): Promise<void>
}

export async function startEtcd(places: readonly Place[], log: string): Promise<Etcd> {
  const folder = scratchFolder('etcd')
  const members = new Map<string, ChildProcess>()
  const start = (name: string) => {
    const { enter, settings } = places.find((place) => place.name === name)!
    const env = { ...settings, ETCD_DATA_DIR: `${folder}/${name}`, ETCD_LOG_LEVEL: 'warn' }
    const command = [...enter, 'etcd'] as unknown as [string, ...string[]]
    members.set(name, startEngine(command, { env, log }))
  }
  for (const { name } of places) start(name)
  await until('etcd', async () => {
    const healthy = await Promise.all(places.map(({ address }) => isHealthy(address)))
    return healthy.every(Boolean)
  })
  return {
    kill: (name) => stopEngine(members.get(name)!, 'SIGKILL'),
    pidOf: (name) => members.get(name)!.pid!,
    start,
    stop: async () => {
      await Promise.all([...members.values()].map((member) => stopEngine(member, 'SIGKILL')))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const isHealthy = (address: string): Promise<boolean> =>
  fetch(`http://${address}:2379/health`, { signal: AbortSignal.timeout(1000) }).then(
    async (answer) => ((await answer.json()) as { health: string }).health === 'true',
    () => false,
  )
