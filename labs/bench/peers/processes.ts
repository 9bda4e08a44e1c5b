import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'

/** Everything a measurement has started, so that nothing outlives it. */
const running = new Set<ChildProcess>()

/** A program on one core, which ends when the measurement does. */
export function start(core: number, command: readonly string[], options: SpawnOptions = {}): ChildProcess {
  const stdio = ['ignore', 'ignore', 'inherit'] as const
  return adopt(spawn('taskset', ['-c', String(core), ...command], { stdio: [...stdio], ...options }))
}

/** A process somebody else has started. */
export function adopt(child: ChildProcess): ChildProcess {
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
}

export const stopAll = async (): Promise<void> => {
  await Promise.all([...running].map(stop))
}

/** Until the address answers with success; a process that ended never will. */
export async function ready(child: ChildProcess, address: string): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    if (child.exitCode !== null) throw new Error(`${child.spawnargs.join(' ')} ended with ${child.exitCode}`)
    const ok = await fetch(address).then(
      async (response) => response.ok && (await response.text()).length > 0,
      () => false,
    )
    if (ok) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error(`nothing answers at ${address}`)
}
