import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Connection, makeCertificate, receive, serveNames } from './fake-internet.ts'
import { behave } from './misbehaviour.ts'
import { manners, zone } from './zone.ts'

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

// The worker is given forbidden addresses on purpose. That must never happen where a packet could leave.
const networks = Object.keys(networkInterfaces())
if (networks.some((name) => name !== 'lo')) throw new Error(`There is a way out: ${networks}`)

const begunSoFar = (): number => {
  const lines = readFileSync('/proc/self/net/snmp', 'utf8').split('\n')
  const [titles, figures] = lines.filter((line) => line.startsWith('Tcp:')).map((line) => line.split(' '))
  return Number(figures![titles!.indexOf('ActiveOpens')])
}

const trusted = await makeCertificate('*.outside.example')
const untrusted = await makeCertificate('*.outside.example')
const receiver = await receive(manners, { trusted, untrusted }, behave)
const names = await serveNames(zone)
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
