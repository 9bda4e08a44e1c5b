import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync, watch } from 'node:fs'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { cliTranslator } from '#messages/cli.ts'
import type { Go, Listening } from './runner.ts'

const t = cliTranslator()

/** Runs one server at a time for `npm run dev`, with the next one preloaded. */
export interface Servers {
  /** The server's port, once it listens. Rejects with its output if it ended instead. */
  port(): Promise<number>
  restart(migrates: boolean): Promise<void>
  stop(): Promise<void>
}

export interface ServerSettings {
  readonly env: NodeJS.ProcessEnv
  readonly go: Omit<Go, 'migrates'>
  /** A new server listens. */
  onStart(): void
}

export function keepServer({ env, go, onStart }: ServerSettings): Servers {
  const alive = new Set<ChildProcess>()
  let waiting: ChildProcess | undefined
  let current: ChildProcess | undefined
  let port = Promise.withResolvers<number>()
  let isPortKnown = false
  /** A failed migration is retried with the next start. */
  let mustMigrate = false
  // A debugger may hold it, and then it handles no other signal.
  const signal = go.inspects === undefined ? 'SIGTERM' : 'SIGKILL'

  const load = (): ChildProcess => {
    const child = fork(join(import.meta.dirname, 'runner.ts'), {
      // One signal from us, and none from the terminal: a second one would end it immediately.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env,
    })
    alive.add(child)
    child.once('exit', () => {
      alive.delete(child)
      if (child === waiting) waiting = undefined
    })
    createInterface({ input: child.stdout! }).on('line', (line) => console.log(formatLogLine(line)))
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
    child.once('message', (message) => {
      if (child !== current) return
      port.resolve((message as Listening).port)
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
      console.error(`  ${t('cli.dev.server_ended')}`)
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
        // Only one can have the debugger's port. Otherwise the old one stops while the new one starts.
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

/**
 * Formats a log line for `npm run dev`. An email, which is in the log because there is no mail server, becomes text: in
 * JSON the link to click runs into what follows it.
 */
export function formatLogLine(line: string): string {
  const email = emailIn(line)
  if (!email) return line
  const text = email.text.trim().replaceAll(/^(?=.)/gm, '  ')
  return `\n  ${t('cli.dev.email', { subject: email.subject })}\n\n${text}\n`
}

interface Email {
  readonly subject: string
  readonly text: string
}

function emailIn(line: string): Email | undefined {
  if (!line.includes('"email_failed"')) return undefined
  try {
    const logged = JSON.parse(line) as Email & { event: string }
    return logged.event === 'email_failed' ? logged : undefined
  } catch {
    return undefined
  }
}

/**
 * Calls `onSave` with the changed paths, relative to the root. Watches folder by folder, because Node's recursive watch
 * on Linux loses a file that an editor replaces by renaming another.
 */
export function watchFolders(root: string, folders: readonly string[], onSave: (paths: string[]) => void): void {
  const watched = new Set<string>()
  const changed = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  const notice = (path: string): void => {
    if (!matters(path)) return
    changed.add(path)
    // A save is several events, and at the first the file may still be empty.
    clearTimeout(timer)
    timer = setTimeout(() => {
      onSave([...changed])
      changed.clear()
    }, 50)
  }

  const add = (folder: string): void => {
    if (watched.has(folder)) return
    watched.add(folder)
    watch(folder, (_event, name) => {
      if (name === null) return
      const path = join(folder, name)
      const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? watched.delete(path)
      if (isFolder) add(path)
      else notice(relative(root, path))
    }).on('error', () => watched.delete(folder))
    for (const entry of readdirSync(folder, { withFileTypes: true }))
      if (entry.isDirectory() && entry.name !== 'node_modules') add(join(folder, entry.name))
  }

  for (const folder of folders) add(join(root, folder))
}

/** Files a server is made of: no tests, no files of editors, and not `npm run dev` itself. */
const matters = (path: string): boolean =>
  /\.(ts|js|css|sql|json|txt|svg|md|woff2)$/.test(path) && !/\.test\.ts$|(^|\/)\.|^server\/dev\//.test(path)

/** What `migrate` reads, and its code. */
export const changesDatabase = (path: string): boolean => /\.sql$|^server\/platform\/(db|jobs)\//.test(path)
