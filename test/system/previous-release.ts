import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { isDeepStrictEqual } from 'node:util'

/** The release that upgrades start from: the commit in deploy/previous-release.json, out of this repository's history. */

const root = join(import.meta.dirname, '../..')

interface Locked {
  readonly version?: string
  readonly dev?: boolean
  readonly link?: boolean
}

/** What a server is run with, by place. Our own packages are in the tree itself. */
function packagesIn(folder: string): [string, string | undefined][] {
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
  return Object.entries(lock.packages as Record<string, Locked>)
    .filter(([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link)
    .map(([path, { version }]) => [path, version])
}

/** The folder of its sources, with what they need; gone after the tests. */
export function checkOutPrevious(): string {
  const { commit } = JSON.parse(readFileSync(join(root, 'deploy/previous-release.json'), 'utf8'))
  const folder = mkdtempSync(join(tmpdir(), 'sf-previous-'))
  after(() => rmSync(folder, { recursive: true }))
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 256 * 1024 * 1024 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  if (isDeepStrictEqual(packagesIn(folder), packagesIn(root)))
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  else
    execFileSync('npm', ['ci', '--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'], {
      cwd: folder,
    })
  return folder
}
