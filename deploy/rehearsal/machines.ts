import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { place, root } from './image.ts'

/**
 * Machines of a rehearsal: each has a network namespace with an address of its own and a system of its own, a layer over
 * this machine's, with the repository at /opt/standfirst. So the commands of the runbooks run as they stand.
 */

export interface Machine {
  readonly name: string
  readonly address: string
  /** Path of its files as seen from this machine. */
  readonly system: string
  /** Runs a command as root in bash and returns its output. */
  run(script: string): Promise<string>
  /** Kills all of its processes at once. */
  crash(): void
}

const run = (command: string, ...args: readonly string[]) =>
  execFileSync(command, args, { stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' })

/** A network without a route to the outside. */
export function makeNetwork(): void {
  mkdirSync('/run/netns', { recursive: true })
  run('mount', '-t', 'tmpfs', 'netns', '/run/netns')
  run('ip', 'link', 'add', 'machines', 'type', 'bridge')
  run('ip', 'link', 'set', 'machines', 'up')
}

/** `shared`: folders that several machines mount from elsewhere, such as the repository of backups. */
export function makeMachine(name: string, address: string, shared: Readonly<Record<string, string>> = {}): Machine {
  const folder = join(place, name)
  const system = join(folder, 'system')
  run('ip', 'netns', 'add', name)
  run('ip', 'link', 'add', name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name)
  run('ip', 'link', 'set', name, 'master', 'machines', 'up')
  run('ip', '-n', name, 'address', 'add', `${address}/24`, 'dev', 'eth0')
  for (const device of ['lo', 'eth0']) run('ip', '-n', name, 'link', 'set', device, 'up')

  for (const part of ['upper', 'work', 'system']) mkdirSync(join(folder, part), { recursive: true })
  run(
    ...(['mount', '-t', 'overlay', name] as const),
    ...['-o', `lowerdir=/,upperdir=${folder}/upper,workdir=${folder}/work`, system],
  )
  for (const mounted of ['dev', 'proc']) run('mount', '--rbind', `/${mounted}`, join(system, mounted))
  for (const empty of ['run', 'tmp']) run('mount', '-t', 'tmpfs', '-o', 'mode=1777', empty, join(system, empty))
  // A new machine must not inherit the state of this machine's services.
  for (const left of ['var/lib/postgresql', 'etc/postgresql', 'var/lib/etcd', 'etc/patroni', 'etc/standfirst'])
    rmSync(join(system, left), { recursive: true, force: true })
  mkdirSync(join(system, 'opt/standfirst'), { recursive: true })
  run('mount', '--rbind', root, join(system, 'opt/standfirst'))
  for (const [inside, outside] of Object.entries(shared)) run('mount', '--bind', outside, join(system, inside))
  writeFileSync(join(system, 'etc/default/etcd'), '')
  standIn(
    system,
    'systemctl',
    'exec /opt/standfirst/node_modules/node/bin/node /opt/standfirst/deploy/rehearsal/systemctl.ts "$@"',
  )
  // A machine is a folder here: copying from a machine reads its layer.
  standIn(system, 'scp', 'IFS=: read -r host path <<<"$1"; exec cp "/machines/by-address/$host$path" "$2"')
  mkdirSync(join(system, 'machines'))
  run('mount', '--bind', place, join(system, 'machines'))
  mkdirSync(join(place, 'by-address'), { recursive: true })
  symlinkSync(`../${name}/upper`, join(place, 'by-address', address))

  const machine: Machine = {
    name,
    address,
    system,
    run: async (script) => {
      const command = [
        'netns',
        'exec',
        name,
        'chroot',
        system,
        'env',
        '-i',
        ...environment,
        'bash',
        '-c',
        `set -euo pipefail\n${script}`,
      ]
      const child = spawn('ip', command, { stdio: ['ignore', 'pipe', 'pipe'] })
      const said: string[] = []
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text) => said.push(text))
      // Background processes may keep the output open; only the exit of the shell counts.
      const [code] = await once(child, 'exit')
      if (code !== 0) throw new Error(`on ${name}, ended with ${code}:\n${script}\n${said.join('').slice(-4000)}`)
      return said.join('')
    },
    crash: () => {
      // Some have already ended because the first ones did.
      const pids = run('ip', 'netns', 'pids', name).split('\n').filter(Boolean)
      spawnSync('kill', ['-9', ...pids], { stdio: 'ignore' })
    },
  }
  return machine
}

const environment = ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'HOME=/root', 'LANG=C.UTF-8']

function standIn(system: string, name: string, line: string): void {
  writeFileSync(join(system, 'usr/local/bin', name), `#!/bin/bash\n${line}\n`, { mode: 0o755 })
}
