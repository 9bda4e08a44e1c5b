import type { Config } from '#config/config.ts'
import { cliTranslator } from '#messages/cli.ts'
import { CommandError } from './command-support.ts'

const t = cliTranslator()

const longestWait = 4000

/**
 * For containers and supervisors: is the process alive? Not whether it is ready: without a database it is not, and a
 * restart would not help.
 */
export async function checkHealth(config: Config, { port = config.ADMIN_PORT }: { port?: number }): Promise<void> {
  if (port === 0) throw new CommandError(t('cli.healthcheck.no_port'))
  const { ADMIN_HOST } = config
  const host = ADMIN_HOST === '0.0.0.0' || ADMIN_HOST === '::' ? '127.0.0.1' : ADMIN_HOST
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}/healthz`
  const answer = await fetch(address, { signal: AbortSignal.timeout(longestWait) }).catch((error: Error) => error)
  if (answer instanceof Error)
    throw new CommandError(t('cli.healthcheck.no_answer', { address, reason: answer.message }))
  if (!answer.ok) throw new CommandError(t('cli.healthcheck.failed', { address, status: answer.status }))
}
