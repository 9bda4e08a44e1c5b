import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, copyFileSync, cpSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Parses a Dockerfile into stages and a .dockerignore into a path filter; supports only what our files use. */

interface Step {
  readonly instruction: string
  readonly rest: string
}

export interface Stage {
  readonly name: string
  readonly base: string
  readonly steps: readonly Step[]
}

export function readDockerfile(text: string): Stage[] {
  const lines = text
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.trim().replace(/\s+/g, ' '))
    .filter(Boolean)
  const stages: { name: string; base: string; steps: Step[] }[] = []
  for (const line of lines) {
    const [, instruction = '', rest = ''] = /^([A-Z]+) (.+)$/.exec(line) ?? []
    if (!instruction) throw new Error(`not an instruction: ${line}`)
    if (instruction !== 'FROM') stages.at(-1)!.steps.push({ instruction, rest })
    else {
      const [, base = '', name = 'image'] = /^(\S+)(?: AS (\S+))?$/.exec(rest) ?? []
      stages.push({ base, name, steps: [] })
    }
  }
  return stages
}

/** The last instruction of this kind, such as CMD. */
export function lastOf({ steps }: Stage, instruction: string): string {
  return steps.findLast((step) => step.instruction === instruction)?.rest ?? ''
}

/** The variables an image sets, by name. */
export function variablesOf({ steps }: Stage): Record<string, string> {
  const pairs = steps.filter(({ instruction }) => instruction === 'ENV').flatMap(({ rest }) => rest.split(' '))
  return Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]))
}

/** Whether a path is in the build context: the last pattern that matches it or its folder decides. */
export function contextOf(dockerignore: string): (path: string) => boolean {
  const rules = dockerignore
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => {
      const pattern = line
        .replace(/^!/, '')
        .replace(/[.+^${}()|[\]\\]/g, '\\$&')
        .replace(/\*\*\//g, '\u0000')
        .replace(/\*/g, '[^/]*')
        .replaceAll('\u0000', '(?:.*/)?')
      return { isIn: line.startsWith('!'), pattern: new RegExp(`^${pattern}(?:/.*)?$`) }
    })
  return (path) => rules.findLast(({ pattern }) => pattern.test(path))?.isIn ?? true
}

/** Builds the stages of a Dockerfile like a container engine, each in an overlay layer over this machine's system. */

const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] })

export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')

/** All build output is in a tmpfs that only the rehearsal's processes see and that goes with them. */
export const place = '/mnt'

export const systemOf = ({ name }: Stage): string => join(place, name, 'system')

export function tell(what: string): void {
  console.log(`${performance.now().toFixed(0).padStart(7)} ms  ${what.slice(0, 140)}`)
}

/** The build context: the repository without what .dockerignore excludes. */
export function makeContext(dockerignore: string): string {
  const context = join(place, 'context')
  const isIn = contextOf(dockerignore)
  for (const name of readdirSync(root)) {
    if (name === '.git' || name === 'node_modules' || !isIn(name)) continue
    cpSync(join(root, name), join(context, name), {
      recursive: true,
      filter: (path) => isIn(path.slice(root.length + 1)),
    })
  }
  return context
}

/** The root filesystem of a stage: this machine's, plus what its base image would have and this machine may not. */
function mountLayer(name: string): string {
  const [upper, work, system] = ['upper', 'work', 'system'].map((part) => join(place, name, part)) as [
    string,
    string,
    string,
  ]
  for (const folder of [upper, work, system]) mkdirSync(folder, { recursive: true })
  run('mount', '-t', 'overlay', name, '-o', `lowerdir=/,upperdir=${upper},workdir=${work}`, system)
  for (const folder of ['dev', 'proc']) run('mount', '--rbind', `/${folder}`, join(system, folder))
  appendFileSync(join(system, 'etc/passwd'), 'node:x:1000:1000::/home/node:/bin/sh\n')
  appendFileSync(join(system, 'etc/group'), 'node:x:1000:\n')
  const node = join(system, 'usr/local/bin/node')
  rmSync(node, { force: true })
  copyFileSync(join(root, 'node_modules/node/bin/node'), node)
  return system
}

/** Returns the root filesystem of the last stage. Independent stages are built in parallel, as engines do. */
export function buildImage(stages: readonly Stage[], context: string): Promise<string> {
  const systems = new Map<string, Promise<string>>()
  for (const stage of stages) systems.set(stage.name, buildStage(stage, context, systems))
  return Promise.all(systems.values()).then((all) => all.at(-1)!)
}

async function buildStage(stage: Stage, context: string, systems: Systems): Promise<string> {
  const system = mountLayer(stage.name)
  let folder = '/'
  for (const step of stage.steps) {
    tell(`${stage.name}: ${step.instruction} ${step.rest}`)
    if (step.instruction === 'WORKDIR') folder = enter(system, step.rest)
    else if (step.instruction === 'COPY') await copy(step, context, systems, system, folder)
    else if (step.instruction === 'RUN') await runIn(system, folder, step.rest, variablesOf(stage))
  }
  return system
}

type Systems = ReadonlyMap<string, Promise<string>>

function enter(system: string, folder: string): string {
  mkdirSync(join(system, folder), { recursive: true })
  return folder
}

async function copy({ rest }: Step, context: string, systems: Systems, system: string, folder: string): Promise<void> {
  const [, stage, names = ''] = /^(?:--from=(\S+) )?(.+)$/.exec(rest)!
  const source = stage ? await systems.get(stage) : context
  if (!source) throw new Error(`no stage is called ${stage}`)
  const paths = names.split(' ')
  const target = paths.pop()!
  for (const path of paths) {
    const from = join(source, path)
    // COPY copies a folder's content, and a file under its own name if the target ends with a slash.
    const name = target.endsWith('/') && !statSync(from).isDirectory() ? join(target, path.split('/').at(-1)!) : target
    const to = join(system, name.startsWith('/') ? '' : folder, name)
    mkdirSync(dirname(to), { recursive: true })
    cpSync(from, to, { recursive: true, verbatimSymlinks: true })
  }
}

async function runIn(
  system: string,
  folder: string,
  command: string,
  variables: Record<string, string>,
): Promise<void> {
  const child = spawn('chroot', [system, '/bin/sh', '-c', `cd ${folder} && ${command}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      npm_config_prefer_offline: 'true',
      ...variables,
    },
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`it ended with ${code}: ${command}`)
}

/** Like `read_only: true`: only later mounts are writable. */
export function closeSystem(system: string, hosts: readonly string[]): void {
  appendFileSync(join(system, 'etc/hosts'), `127.0.0.1 ${hosts.join(' ')}\n`)
  for (const folder of ['backups', 'media']) {
    mkdirSync(join(place, folder), { recursive: true })
    run('chown', '1000:1000', join(place, folder))
  }
  mkdirSync(join(system, 'backups'), { recursive: true })
  run('mount', '--bind', join(system, 'etc/hosts'), '/etc/hosts')
  run('mount', '-o', 'remount,ro', system)
  run('mount', '-t', 'tmpfs', 'tmp', join(system, 'tmp'))
  run('mount', '--bind', join(place, 'backups'), join(system, 'backups'))
  run('mount', '--bind', join(place, 'media'), join(system, 'var/lib/standfirst/media'))
}
