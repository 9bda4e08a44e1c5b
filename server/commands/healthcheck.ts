import type { Config } from '#config/config.ts'
import { CommandError } from './command-support.ts'

const longestWait = 4000

/**
 * For containers and supervisors: is the process alive? Not whether it is ready: without a database it is not, and a
 * restart would not help.
 */
export async function checkHealth(config: Config, { port = config.ADMIN_PORT }: { port?: number }): Promise<void> {
  if (port === 0) throw new CommandError('Set ADMIN_PORT, for this command and for the process it asks.')
  const { ADMIN_HOST } = config
  const host = ADMIN_HOST === '0.0.0.0' || ADMIN_HOST === '::' ? '127.0.0.1' : ADMIN_HOST
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}/healthz`
  const answer = await fetch(address, { signal: AbortSignal.timeout(longestWait) }).catch((error: Error) => error)
  if (answer instanceof Error) throw new CommandError(`${address} does not answer: ${answer.message}.`)
  if (!answer.ok) throw new CommandError(`${address} answers ${answer.status}.`)
}
