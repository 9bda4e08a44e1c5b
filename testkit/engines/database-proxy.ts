import { createConnection } from 'node:net'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Place } from './data-nodes.ts'
import { answers, scratchFolder, startEngine, stopEngine, until } from './engine.ts'

/** HAProxy between a site and its data nodes, with the configuration of `deploy/ha`. */

const configuration = fileURLToPath(new URL('../../deploy/ha/haproxy.cfg', import.meta.url))

export interface DatabaseProxy {
  readonly primaryPort: number
  readonly replicasPort: number
  /** A command of HAProxy's own, and its answer. */
  ask(command: string): Promise<string>
  stop(): Promise<void>
}

export async function startDatabaseProxy(
  places: readonly Place[],
  { address = '127.0.0.1', log }: { readonly address?: string; readonly log: string },
): Promise<DatabaseProxy> {
  const socket = `${scratchFolder('proxy')}/haproxy.sock`
  const env = { ...places[0]!.settings, DATABASE_PROXY: address }
  const child = startEngine(['haproxy', '-db', '-S', `${socket}.master`, '-W', '-f', configuration], { env, log })
  await until('the database proxy', () => answers(5000, address))
  return {
    primaryPort: 5000,
    replicasPort: 5001,
    ask: (command) => {
      const line = createConnection(`${socket}.master`)
      line.end(`@1 ${command}\n`)
      return text(line)
    },
    stop: () => stopEngine(child, 'SIGKILL'),
  }
}
