import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Runs the site in new namespaces: a network without a route out, processes that all end with it, and private mounts.
 * bash is PID 1 because it reaps orphans and Node does not.
 */
export async function runInSandbox(name: string, args: readonly string[]): Promise<number> {
  if (process.getuid?.() !== 0) {
    console.error(`npm run chaos -- ${name} makes network namespaces, which takes root: sudo npm run chaos -- ${name}`)
    return 2
  }
  const folder = mkdtempSync(join(tmpdir(), 'standfirst-chaos-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const program = fileURLToPath(new URL(`./${name}/run.ts`, import.meta.url))
  const child = spawn(
    'unshare',
    [
      ...['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc', '--'],
      ...['bash', '-c', 'mount -t tmpfs -o mode=755 chaos "$TMPDIR" && "$@"; exit $?', 'bash'],
      ...[process.execPath, program, ...args],
    ],
    { stdio: 'inherit', env: { ...process.env, TMPDIR: folder } },
  )
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      child.kill('SIGKILL')
      process.exit(130)
    })
  const [code] = await once(child, 'exit')
  return code ?? 1
}
