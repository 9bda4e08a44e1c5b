import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'

/** The operator's program as an operator meets it: a process, its words and its exit code. */

export const cli = fileURLToPath(new URL('../server/commands/cli.ts', import.meta.url))

type Settings = Readonly<Record<string, string>>

/** These settings and none of whoever runs the tests; what was compiled once is not compiled again. */
export const only = (env: Settings): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
  ...env,
})

export interface Said {
  readonly code: number
  readonly out: string
  readonly error: string
  /** Both. */
  readonly said: string
}

export function standfirst(env: Settings, ...args: string[]): Promise<Said> {
  return new Promise((resolve) => {
    execFile(process.execPath, [cli, ...args], { env: only(env) }, (failed, out, error) =>
      resolve({ code: failed ? Number(failed.code) : 0, out, error, said: out + error }),
    )
  })
}

/** One that goes on: what it says is piped, and it is gone with the test at the latest. */
export function begin(env: Settings, ...args: string[]): ChildProcess {
  const child = spawn(process.execPath, [cli, ...args], { env: only(env) })
  after(() => child.kill('SIGKILL'))
  return child
}
