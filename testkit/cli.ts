import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from './files.ts'
import { listen } from './network.ts'
import { until } from './waiting.ts'
import { writeApiSite } from './write-api.ts'

/** Runs the operator's CLI as a process and returns its output and exit code. */

export const cli = fileURLToPath(new URL('../server/commands/cli.ts', import.meta.url))

type Settings = Readonly<Record<string, string>>

/** Only these settings, without the environment of the test run; the compile cache is shared. */
export const cleanEnv = (env: Settings): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
  ...env,
})

export interface CliResult {
  readonly code: number
  readonly out: string
  readonly error: string
  /** Both. */
  readonly output: string
}

export function standfirst(env: Settings, ...args: string[]): Promise<CliResult> {
  return new Promise((resolve) => {
    execFile(process.execPath, [cli, ...args], { env: cleanEnv(env) }, (failed, out, error) =>
      resolve({ code: failed ? Number(failed.code) : 0, out, error, output: out + error }),
    )
  })
}

/** Starts a long-running command with piped output; killed after the test at the latest. */
export function spawnCli(env: Settings, ...args: string[]): ChildProcess {
  const child = spawn(process.execPath, [cli, ...args], { env: cleanEnv(env) })
  after(() => child.kill('SIGKILL'))
  return child
}

interface LogLine {
  readonly event: string
  /** Of `listening`. */
  readonly address: string
  /** Of a job. */
  readonly id?: string
  readonly [name: string]: unknown
}

export interface StartedCli {
  readonly child: ChildProcess
  /** Its log so far. */
  readonly lines: readonly LogLine[]
  /** What it wrote to standard error. */
  readonly errors: readonly string[]
  /** Waits until it logs this event; fails if it ends before that. */
  says(event: string): Promise<LogLine>
}

/** As `spawnCli`, with its log. */
export function startCli(env: Settings, ...args: string[]): StartedCli {
  const child = spawnCli(env, ...args)
  const lines: LogLine[] = []
  const errors: string[] = []
  child.stderr!.setEncoding('utf8').on('data', (text: string) => errors.push(text))
  createInterface(child.stdout!).on('line', (line) => lines.push(JSON.parse(line)))
  const says = (event: string) =>
    until(
      () => {
        assert.equal(child.exitCode, null, `${args.join(' ')} ended: ${errors.join('')}`)
        return lines.find((line) => line.event === event)
      },
      `${args.join(' ')} says ${event}`,
    )
  return { child, lines, errors, says }
}

interface WebhookListener {
  /** For OUTBOUND_ALLOW. */
  readonly host: string
  readonly port: string
  readonly child: ChildProcess
  /** Its output, once it contains what is waited for. */
  said(what: RegExp): Promise<string>
}

/** `standfirst webhook listen` on a free port, once it is ready. */
export async function startWebhookListener(...args: string[]): Promise<WebhookListener> {
  const child = spawnCli({}, 'webhook', 'listen', '--port', '0', ...args)
  let text = ''
  child.stdout!.setEncoding('utf8').on('data', (part: string) => {
    text += part
  })
  const said = async (what: RegExp): Promise<string> => {
    await until(() => what.test(text), `it says ${what}`)
    return text
  }
  await said(/4\. Send a test, or publish a piece\.\n[\s\S]*\n$/)
  const [, host = '', port = ''] = /OUTBOUND_ALLOW=([^,]+?:(\d+)),/.exec(text)!
  return { host, port, child, said }
}

/** `standfirst push`, `pull` and `import` as processes against a real site. */

interface Asked {
  readonly method: string
  readonly url: string
  readonly status: number
}

/** A listening site that records its requests. */
export async function listeningSite(env: Record<string, string> = {}) {
  const site = await writeApiSite(env)
  const asked: Asked[] = []
  site.app.server.on('request', ({ method = '', url = '' }: IncomingMessage, response: ServerResponse) =>
    response.on('finish', () => asked.push({ method, url, status: response.statusCode })),
  )
  const { base } = await listen(site.app)
  const count = async (): Promise<number> =>
    Number((await site.admin.query('select count(*) from app.pieces')).rows[0].count)
  return { ...site, base, asked, count, ...programOf({ STANDFIRST_URL: base, STANDFIRST_KEY: site.key }) }
}

/** The program, with these settings and no others. */
export function programOf(env: Record<string, string>) {
  /** Runs the command and sends SIGKILL once this is true. */
  const killed = async (isTime: () => boolean, ...args: string[]): Promise<void> => {
    const child: ChildProcess = spawn(process.execPath, [cli, ...args], { env: cleanEnv(env), stdio: 'ignore' })
    const gone = once(child, 'close')
    const watch = setInterval(() => isTime() && child.kill('SIGKILL'), 1)
    await gone
    clearInterval(watch)
  }
  return { standfirst: (...args: string[]) => standfirst(env, ...args), killed }
}

/** A temporary folder with these files. */
export function folderOf(files: Readonly<Record<string, string | Buffer>> = {}) {
  const root = temporaryFolder()
  const write = (name: string, text: string | Buffer): void => {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  for (const [name, text] of Object.entries(files)) write(name, text)
  return { root, write, read: (name: string) => readFileSync(join(root, name), 'utf8') }
}

export const page = (title: string, body = 'Four minutes.\n'): string => `---\ntitle: ${title}\n---\n\n${body}`
