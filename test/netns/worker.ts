import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { begunSoFar, type Connection, startFakeInternet } from './fake-internet.ts'

/**
 * The worker as shipped, inside a network namespace without a route out, with servers for every address. Prints `ready`,
 * and for every input line what happened since; test/system/webhooks-namespace.test.ts checks it.
 */

export interface Seen {
  readonly connections: readonly Connection[]
  /** TCP connections that the kernel began since the start, to whomever. */
  readonly begun: number
  readonly questions: readonly string[]
}

const { trusted, receiver, names } = await startFakeInternet()
const folder = await mkdtemp(join(tmpdir(), 'netns-'))
await writeFile(join(folder, 'ca.pem'), trusted.cert)

const cli = fileURLToPath(new URL('../../server/commands/cli.ts', import.meta.url))
const worker = spawn(process.execPath, [cli, 'worker'], {
  env: { ...process.env, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const say = (text: string) => process.stdout.write(`${text}\n`)
createInterface(worker.stdout).on('line', (line) => {
  if (JSON.parse(line).event === 'working') say('ready')
})

let connections: Connection[] = []
let questions: string[] = []
for await (const _ of createInterface(process.stdin)) {
  connections = [...connections, ...receiver.takeConnections()]
  questions = [...questions, ...names.takeQuestions()]
  const seen: Seen = { connections, begun: begunSoFar(), questions }
  say(JSON.stringify(seen))
}
const gone = new Promise((resolve) => worker.once('exit', resolve))
worker.kill('SIGTERM')
await gone
await rm(folder, { recursive: true })
process.exit()
