import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Source } from '../results.ts'

/**
 * What is measured beside us, exactly; pnpm is what Ghost's own lock file is for. Directus asks for an isolated-vm that
 * does not compile for Node 24; the newer one comes compiled, and no read runs it.
 */
export const versions = { ghost: '6.65.0', directus: '12.4.0', pnpm: '12.4.2', isolatedVm: '7.0.1' } as const

export const peersFolder = fileURLToPath(new URL('../../../.data/peers', import.meta.url))
export const ghostFolder = join(peersFolder, `ghost-${versions.ghost}`, 'package')
export const directusFolder = join(peersFolder, `directus-${versions.directus}`)

interface Installed {
  /** How long the two took to install; kept from the run that did it. */
  readonly seconds: number
  /** Number of production packages installed. */
  readonly packages: { readonly ours: number; readonly ghost: number; readonly directus: number }
}

/** Ghost and Directus from npm, into .data/peers, once for each pair of versions. */
function installPeers(): Installed {
  const note = join(peersFolder, `installed-${versions.ghost}-${versions.directus}.json`)
  if (!existsSync(note)) {
    const started = Date.now()
    const packages = { ghost: installGhost(), directus: installDirectus() }
    writeFileSync(note, JSON.stringify({ seconds: (Date.now() - started) / 1000, packages }))
  }
  const { seconds, packages } = JSON.parse(readFileSync(note, 'utf8'))
  return { seconds, packages: { ours: ourPackages(), ...packages } }
}

/** Like Ghost's CLI: unpacked, then installed from its lock file. */
function installGhost(): number {
  const folder = emptied(dirname(ghostFolder))
  console.error(`Ghost ${versions.ghost} is being installed`)
  run(folder, 'npm', 'pack', `ghost@${versions.ghost}`, '--silent')
  run(folder, 'tar', 'xzf', `ghost-${versions.ghost}.tgz`)
  const store = join(peersFolder, 'store')
  const asked = ['install', '--prod', '--frozen-lockfile', '--ignore-scripts', '--store-dir', store]
  run(ghostFolder, 'npm', 'exec', '--yes', '--', `pnpm@${versions.pnpm}`, ...asked)
  return readdirSync(join(ghostFolder, 'node_modules/.pnpm')).filter((name) => name.includes('@')).length
}

function installDirectus(): number {
  emptied(directusFolder)
  console.error(`Directus ${versions.directus} is being installed`)
  const wanted = {
    private: true,
    dependencies: { directus: versions.directus },
    overrides: { 'isolated-vm': versions.isolatedVm },
  }
  writeFileSync(join(directusFolder, 'package.json'), JSON.stringify(wanted))
  run(directusFolder, 'npm', 'install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--silent')
  return listed(directusFolder).length
}

function ourPackages(): number {
  const root = fileURLToPath(new URL('../../..', import.meta.url))
  return listed(root, '--workspace', 'server').length
}

const listed = (folder: string, ...which: string[]): string[] => [
  ...new Set(
    run(folder, 'npm', 'ls', '--all', '--omit=dev', '--parseable', ...which)
      .split('\n')
      .filter((path) => path.includes('/node_modules/')),
  ),
]

function emptied(folder: string): string {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  return folder
}

/**
 * Without this npm's environment, which names another folder. `npm ls` exits with an error for a missing peer
 * dependency but still lists all.
 */
function run(cwd: string, program: string, ...args: string[]): string {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_config_\w*prefix$/.test(name)))
  env['PATH'] = `${dirname(process.execPath)}${delimiter}${env['PATH']}`
  try {
    return execFileSync(program, args, {
      cwd,
      env,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string }
    if (args[0] === 'ls' && stdout) return stdout
    throw new Error(`${program} ${args.join(' ')} failed in ${cwd}:\n${stdout ?? ''}${stderr ?? ''}`, { cause: error })
  }
}

/**
 * Ghost and Directus beside us. They are installed with the network there is, and measured in one that has nothing but
 * itself: what they would ask of other servers finds none.
 */
export async function benchPeers(rounds: number, size: number, source: Source): Promise<number> {
  const { status } = spawnSync('unshare', ['--net', 'ip', 'link', 'set', 'lo', 'up'])
  if (status !== 0) throw new Error('a network of its own was refused; run this as root, with unshare and ip installed')
  const installed = installPeers()
  console.error(
    `installed in ${installed.seconds.toFixed(0)} s (once); packages: ${JSON.stringify(installed.packages)}`,
  )
  const file = fileURLToPath(new URL('../peers-measure.ts', import.meta.url))
  const script = 'ip link set lo up && exec "$@"'
  const given = JSON.stringify({ rounds, size, installed, source })
  const child = spawn('unshare', ['--net', 'sh', '-c', script, 'sh', process.execPath, file, given], {
    stdio: 'inherit',
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}
