import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

/** What comes from outside: few packages, none that runs code at install but the listed ones, no addresses. */

interface Locked {
  readonly version?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly dev?: boolean
  readonly optional?: boolean
  readonly devOptional?: boolean
  readonly link?: boolean
  readonly hasInstallScript?: boolean
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly libc?: readonly string[]
}
const read = (name: string) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'))
const lock = read('package-lock.json') as { packages: Record<string, Locked> }
const packages = Object.entries(lock.packages).filter(([path, { link }]) => path.startsWith('node_modules/') && !link)

/** Binaries for other systems than ours: named, so that `npm ci` agrees with the lock file, and never installed here. */
const isForeign = ({ os = [], cpu = [], libc = [] }: Locked): boolean =>
  os.length > 0 && !(os.includes('linux') && cpu.includes('x64') && !libc.includes('musl'))

/** Raised only with a row in docs/adr/README.md. */
const mostProductionPackages = 214

test('production has no more packages than agreed', () => {
  const production = packages.filter(([, one]) => !one.dev && !one.devOptional)
  console.log(`${production.length} production packages, ${packages.length} in all`)
  assert.ok(production.length <= mostProductionPackages, `${production.length} production packages`)
})

test('only listed packages run code at install', () => {
  const { allowScripts } = read('package.json') as { allowScripts: Record<string, boolean> }
  const runs = packages
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.split('node_modules/').at(-1)!)
  assert.deepEqual(
    runs.filter((name) => !allowScripts[name]),
    [],
  )
})

test('every package comes from the registry, is pinned by its hash, and no address is written down', () => {
  const text = readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')
  assert.doesNotMatch(text, /"resolved": "(https?|git)/)
  assert.deepEqual(
    packages.filter(([, one]) => !one.integrity && !isForeign(one)).map(([path]) => path),
    [],
  )
})

test('every direct dependency is an exact version', () => {
  for (const name of ['package.json', 'server/package.json', 'desk/package.json']) {
    const { dependencies = {}, devDependencies = {} } = read(name)
    for (const [dependency, version] of Object.entries({ ...dependencies, ...devDependencies })) {
      // An alias names an exact version too, of the package it stands for.
      assert.match(String(version), /^(npm:@?[\w./-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/, `${dependency} in ${name}`)
    }
  }
})
