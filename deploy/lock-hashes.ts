import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * `npm run lock:hashes`: the hash of every package that the lock file names without one, as the registry has it.
 * A registry that serves one platform alone does not have those of the others: each is named, and it ends with 1.
 */

const file = join(import.meta.dirname, '../package-lock.json')
const lock = JSON.parse(readFileSync(file, 'utf8'))
const lacking: string[] = []
for (const [path, entry] of Object.entries<Record<string, string>>(lock.packages)) {
  if (!path.includes('node_modules/') || entry['integrity'] || entry['link']) continue
  const wanted = `${path.split('node_modules/').at(-1)}@${entry['version']}`
  const integrity = hashOf(wanted)
  if (integrity) entry['integrity'] = integrity
  else lacking.push(wanted)
}
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
if (lacking.length > 0) {
  console.error(`The registry has no hash of:\n${lacking.map((name) => `  ${name}`).join('\n')}`)
  process.exitCode = 1
}

function hashOf(wanted: string): string | undefined {
  try {
    const said = execFileSync('npm', ['view', wanted, 'dist.integrity'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
    return /^sha512-[\w+/]{86}==$/.test(said) ? said : undefined
  } catch {
    return undefined
  }
}
