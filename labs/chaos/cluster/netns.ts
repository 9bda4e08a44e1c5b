import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, statfsSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The network of site and data nodes, each in a network namespace. It has no route out. */

const network = '10.77.0'
const site = `${network}.254`
/** Size of a node's disk; a run writes little else. */
const diskSize = '6g'

export interface Network {
  readonly addresses: readonly string[]
  enter(name: string): readonly string[]
  /** A disk of the node's own, which can be filled. */
  diskOf(name: string): string
  /** Makes the disk full, and frees it again. */
  fillDisk(name: string): void
  freeDisk(name: string): void
  /** Drops the node's packets to and from the other nodes, or everyone; or this percentage of all. */
  cut(name: string, from: 'nodes' | 'everybody'): void
  dropPackets(name: string, percent: number): void
  heal(name: string): void
  /** Redirects new connections to this port to another, except from `except`, until `end` is called. */
  divert(port: number, to: number, except: string): { end(): void }
}

const run = (command: string, ...args: readonly string[]) => execFileSync(command, args, { stdio: 'pipe' })

export function createNetwork(names: readonly string[]): Network {
  run('ip', 'link', 'set', 'lo', 'up')
  mkdirSync('/run/netns', { recursive: true })
  run('mount', '-t', 'tmpfs', 'chaos', '/run/netns')
  run('ip', 'link', 'add', 'site', 'type', 'bridge')
  run('ip', 'address', 'add', `${site}/24`, 'dev', 'site')
  run('ip', 'link', 'set', 'site', 'up')
  const addressOf = (name: string) => `${network}.${names.indexOf(name) + 1}`
  for (const name of names) {
    run('ip', 'netns', 'add', name)
    run('ip', 'link', 'add', name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name)
    run('ip', 'link', 'set', name, 'master', 'site', 'up')
    run('ip', '-n', name, 'address', 'add', `${addressOf(name)}/24`, 'dev', 'eth0')
    for (const device of ['lo', 'eth0']) run('ip', '-n', name, 'link', 'set', device, 'up')
  }
  const disks = new Map<string, string>()
  const resize = (name: string, size: string) => run('mount', '-o', `remount,size=${size}`, disks.get(name)!)
  const enter = (name: string) => ['ip', 'netns', 'exec', name]
  const drop = (name: string, rules: readonly string[]) => {
    // A node's own address is in the same network, and it may always speak to itself.
    const chain = (hook: string, lo: string) =>
      `add chain inet chaos ${hook} { type filter hook ${hook} priority 0; }
       ${[`${lo} "lo" accept`, ...rules].map((rule) => `add rule inet chaos ${hook} ${rule}`).join('\n')}`
    const script = ['add table inet chaos', chain('input', 'iifname'), chain('output', 'oifname')].join('\n')
    run('ip', 'netns', 'exec', name, 'nft', script)
  }
  return {
    addresses: names.map(addressOf),
    enter,
    diskOf: (name) => {
      // It is unmounted with the namespace.
      const folder = mkdtempSync(join(tmpdir(), `disk-${name}-`))
      run('mount', '-t', 'tmpfs', '-o', `size=${diskSize},mode=755`, 'chaos', folder)
      run('chown', 'postgres', folder)
      disks.set(name, folder)
      return folder
    },
    fillDisk: (name) => {
      const { blocks, bfree, bsize } = statfsSync(disks.get(name)!)
      // A few blocks more than are in use, since usage may grow while it is counted.
      resize(name, String((blocks - bfree + 16) * bsize))
    },
    freeDisk: (name) => {
      resize(name, diskSize)
    },
    cut: (name, from) => {
      const others = names.filter((other) => other !== name).map(addressOf)
      const whom = from === 'everybody' ? [`${network}.0/24`] : others
      const rules = whom.flatMap((other) => [`ip saddr ${other} drop`, `ip daddr ${other} drop`])
      drop(name, rules)
    },
    dropPackets: (name, percent) => drop(name, [`numgen random mod 100 < ${percent} drop`]),
    heal: (name) => {
      run('ip', 'netns', 'exec', name, 'nft', 'delete table inet chaos')
    },
    divert: (port, to, except) => {
      const rule = `ip saddr != ${except} tcp dport ${port} redirect to :${to}`
      const chain = 'add chain ip chaos out { type nat hook output priority -100; }'
      run('nft', ['add table ip chaos', chain, `add rule ip chaos out ${rule}`].join('\n'))
      return {
        end: () => {
          run('nft', 'delete table ip chaos')
        },
      }
    },
  }
}

/** A TCP proxy that delays data in both directions. */

export interface LatencyProxy {
  readonly port: number
  /** Where it calls from. */
  readonly source: string
  close(): void
}

export async function startLatencyProxy(target: number, delay: number): Promise<LatencyProxy> {
  const source = '127.0.0.7'
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ port: target, host: '127.0.0.1', localAddress: source, noDelay: true })
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('error', () => {})
      from.on('data', (bytes: Buffer) => setTimeout(() => to.write(bytes), delay))
      from.on('close', () => {
        sockets.delete(from)
        setTimeout(() => to.destroy(), delay)
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    source,
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
