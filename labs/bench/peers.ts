import { spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { installPeers } from './peers/install.ts'
import type { Source } from './results.ts'

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
  const file = fileURLToPath(new URL('./peers-measure.ts', import.meta.url))
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
