import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { shownLine } from './log.ts'
import type { Go, Listening } from './runner.ts'

/** One server at a time for `npm run dev`, and the next one in waiting. */
export interface Servers {
  /** Where the server listens, once it does. Rejects with what it printed if it ended instead. */
  port(): Promise<number>
  restart(migrates: boolean): Promise<void>
  stop(): Promise<void>
}

export interface ServerSettings {
  readonly env: NodeJS.ProcessEnv
  readonly go: Omit<Go, 'migrates'>
  /** Another server listens. */
  onStart(): void
}

export function keepServer({ env, go, onStart }: ServerSettings): Servers {
  const alive = new Set<ChildProcess>()
  let waiting: ChildProcess | undefined
  let current: ChildProcess | undefined
  let port = Promise.withResolvers<number>()
  let isPortKnown = false
  /** A migration that failed is tried again with the next start. */
  let mustMigrate = false
  // A debugger may hold it, and then it hears no other signal.
  const signal = go.inspects === undefined ? 'SIGTERM' : 'SIGKILL'

  const load = (): ChildProcess => {
    const child = fork(join(import.meta.dirname, 'runner.ts'), {
      // One signal from us, and none from the terminal: a second would end it at once.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env,
    })
    alive.add(child)
    child.once('exit', () => {
      alive.delete(child)
      if (child === waiting) waiting = undefined
    })
    createInterface({ input: child.stdout! }).on('line', (line) => console.log(shownLine(line)))
    child.stderr!.pipe(process.stderr, { end: false })
    return child
  }

  const expectPort = (): void => {
    if (isPortKnown) port = Promise.withResolvers()
    isPortKnown = false
    port.promise.catch(() => {})
  }

  const start = (child: ChildProcess): void => {
    let printed = ''
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      printed = (printed + text).slice(-10_000)
    })
    child.once('message', (told) => {
      if (child !== current) return
      port.resolve((told as Listening).port)
      isPortKnown = true
      mustMigrate = false
      waiting ??= load()
      onStart()
    })
    child.once('close', () => {
      if (child !== current) return
      expectPort()
      port.reject(new Error(printed))
      isPortKnown = true
      waiting ??= load()
      console.error('  The server ended. It starts again when you save a file.')
    })
    child.send({ ...go, migrates: mustMigrate } satisfies Go)
  }

  return {
    port: () => port.promise,
    async restart(migrates) {
      mustMigrate ||= migrates
      expectPort()
      const old = current
      const child = waiting ?? load()
      waiting = undefined
      current = child
      if (old && alive.has(old)) {
        const exit = once(old, 'exit')
        old.kill(signal)
        // Only one can have the debugger's port. Otherwise the old one ends while the new one starts.
        if (go.inspects !== undefined) await exit
      }
      if (child === current) start(child)
    },
    async stop() {
      current = undefined
      const exits = [...alive].map((child) => once(child, 'exit'))
      for (const child of alive) child.kill(signal)
      await Promise.all(exits)
    },
  }
}
