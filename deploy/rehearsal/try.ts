import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Compose, readCompose, readEnvFile, startOrder } from '../../testkit/file-formats.ts'
import {
  buildImage,
  closeSystem,
  lastOf,
  makeContext,
  place,
  readDockerfile,
  root,
  systemOf,
  tell,
  variablesOf,
} from './image.ts'
import { caught, runOurs, type Stage, startMailCatcher, startOurs, startPostgres, startRedis, until } from './site.ts'

/**
 * The two parts of `deploy/rehearse`. `try.ts build`: every step of the Dockerfile. Without it: starts the services of
 * compose.yaml in order and does what users would.
 */

const read = (name: string): string => readFileSync(join(root, name), 'utf8')

async function rehearse(): Promise<void> {
  execFileSync('ip', ['link', 'set', 'lo', 'up'])
  const image = readDockerfile(read('deploy/Dockerfile')).at(-1)!
  const secrets = readEnvFile(execFileSync(join(root, 'deploy/secrets'), { encoding: 'utf8' }))
  const compose = readCompose(read('deploy/compose.yaml'), secrets)
  const system = systemOf(image)
  closeSystem(system, Object.keys(compose.services))
  const entrypoint: string[] = JSON.parse(lastOf(image, 'ENTRYPOINT'))
  const stage = { system, place, compose, entrypoint, variables: variablesOf(image) }
  await trySite(stage, await startSite(stage), JSON.parse(lastOf(image, 'HEALTHCHECK').replace(/^.*CMD /, '')))
}

interface Server {
  readonly child: ChildProcess
  readonly base: string
  readonly adminBase: string
}

interface Running {
  readonly servers: readonly Server[]
  readonly worker: ChildProcess
}

/** The logs of servers and worker, printed on failure. */
const said: string[] = []

async function startSite(stage: Stage): Promise<Running> {
  const { services } = stage.compose
  const servers: Server[] = []
  let worker: ChildProcess | undefined
  for (const name of startOrder(stage.compose)) {
    const service = services[name]!
    tell(`start ${name}`)
    if (name === 'postgres') await startPostgres(stage, service)
    else if (name === 'redis') await startRedis(service)
    else if (name === 'mail') await startMailCatcher()
    else if (name === 'migrate') await runOurs(stage, service, service.command!)
    else if (name === 'roles') runRoles(service)
    else if (name === 'worker') worker = startOurs(stage, service, service.command!)
    else {
      // On one machine the services share an address; containers would have one each.
      const [PORT = '', ADMIN_PORT = ''] = service.ports!.map((port) => port.split(':')[1]!)
      servers.push({
        child: startOurs(stage, service, service.command!, { PORT, ADMIN_PORT }),
        base: `http://127.0.0.1:${PORT}`,
        adminBase: `http://127.0.0.1:${ADMIN_PORT}`,
      })
    }
  }
  for (const child of [...servers.map((one) => one.child), worker!]) {
    child.stdout!.setEncoding('utf8').on('data', (text: string) => said.push(text))
    child.stderr!.pipe(process.stderr)
  }
  return { servers, worker: worker! }
}

function runRoles({ command, environment }: Compose['services'][string]): void {
  const [program, ...args] = command!.map((part) => part.replace('/roles.sql', join(root, 'deploy/roles.sql')))
  execFileSync(program!, args, { env: { PATH: process.env['PATH'], ...environment }, stdio: 'inherit' })
}

/** Retries when the site is busy, as its answer asks: a machine that builds an image may be. */
async function patiently(address: string, init?: RequestInit): Promise<Response> {
  let answer: Response | undefined
  const asked = async () => {
    answer = await fetch(address, init).catch(() => undefined)
    return answer?.ok ?? false
  }
  await until(address, asked, 60)
  return answer!
}

const textAt = async (address: string): Promise<string> => (await patiently(address)).text()

async function trySite(stage: Stage, running: Running, healthcheck: readonly string[]): Promise<void> {
  for (const server of running.servers) await tryServer(server)
  tell('Both servers are ready, and answer pages, the desk and metrics.')
  await tryHealth(stage, healthcheck)
  tell('The health checks of the image and of the worker pass.')
  await tryLetter(stage, running.servers[0]!.base)
  tell('Whoever signs up gets a letter, by way of the worker.')
  await tryOperator(stage)
  tell('The operator’s doctor is content; a backup is made and whole.')
  await tryWriting(stage)
  tell('Nothing can be written but temporary files and pictures.')
  await tryStopping(running)
  tell('All end well when told to.')
}

async function tryServer({ base, adminBase }: Server): Promise<void> {
  await patiently(`${adminBase}/readyz`)
  assert.match(await textAt(base), /<html/)
  assert.match(await textAt(`${base}/desk/sign-in`), /<script/, 'the desk is built')
  assert.match(await textAt(`${adminBase}/metrics`), /^standfirst_request_seconds_count\{.*route="\/"/m)
  assert.equal((await fetch(`${base}/metrics`)).status, 404)
}

async function tryHealth(stage: Stage, healthcheck: readonly string[]): Promise<void> {
  const { 'server-1': server, worker } = stage.compose.services
  const image = { ...stage, entrypoint: [] }
  await runOurs(image, { ...server!, environment: { ...server!.environment, ADMIN_PORT: '18081' } }, healthcheck)
  await patiently(`${workerAt}/healthz`)
  await runOurs(image, worker!, healthcheck)
}

const workerAt = 'http://127.0.0.1:9091'

async function tryLetter({ compose }: Stage, base: string): Promise<void> {
  const headers = {
    origin: compose.services['server-1']!.environment!['BASE_URL']!,
    'content-type': 'application/json',
  }
  const body = JSON.stringify({ email: 'ada@site.example' })
  await patiently(`${base}/desk/api/sign-up`, { method: 'POST', headers, body })
  await until('the letter', () => caught.join('').includes('RCPT TO:<ada@site.example>'))
  await until('its metric', async () =>
    /^standfirst_job_seconds_count\{.*"done"/m.test(await textAt(`${workerAt}/metrics`)),
  )
}

async function tryOperator(stage: Stage): Promise<void> {
  const operator = stage.compose.services['operator']!
  assert.match(await runOurs(stage, operator, operator.command!), /No problems found\./)
  await runOurs(stage, operator, ['backup', '/backups/site.tar'])
  await runOurs(stage, operator, ['restore', '/backups/site.tar', '--check'])
}

async function tryWriting(stage: Stage): Promise<void> {
  const touch = (...paths: string[]) =>
    runOurs({ ...stage, entrypoint: ['touch'] }, stage.compose.services['server-1']!, paths)
  for (const folder of ['/site', '/etc', '/var/lib'])
    await assert.rejects(touch(`${folder}/anything`), /Read-only file system/)
  await touch('/tmp/anything', '/var/lib/standfirst/media/anything')
}

async function tryStopping({ servers, worker }: Running): Promise<void> {
  for (const child of [...servers.map((one) => one.child), worker]) {
    const ended = child.exitCode === null ? once(child, 'exit') : [child.exitCode]
    child.kill('SIGTERM')
    assert.equal((await ended)[0], 0)
  }
}

try {
  if (process.argv[2] === 'build')
    await buildImage(readDockerfile(read('deploy/Dockerfile')), makeContext(read('.dockerignore')))
  else {
    await rehearse()
    tell('The rehearsal went well.')
  }
  process.exit()
} catch (error) {
  console.error(said.join('').slice(-6000), error)
  process.exit(1)
}
