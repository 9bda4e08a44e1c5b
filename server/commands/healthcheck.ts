import type { Config } from '#platform/config.ts'
import { CommandError } from './command-error.ts'

const longestWait = 4000

/**
 * For containers and supervisors: does the process on this machine live? Not whether it is ready: without a database it
 * is not, and starting it again would not help.
 */
export async function checkHealth({ HOST, PORT }: Config, { port = PORT }: { port?: number }): Promise<void> {
  const host = HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}/healthz`
  const answer = await fetch(address, { signal: AbortSignal.timeout(longestWait) }).catch((error: Error) => error)
  if (answer instanceof Error) throw new CommandError(`${address} does not answer: ${answer.message}.`)
  if (!answer.ok) throw new CommandError(`${address} answers ${answer.status}.`)
}
