import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

/** Dependencies: few packages, no install scripts except the listed ones, no URL dependencies. */

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
const read = (name: string) => JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'))
const lock = read('package-lock.json') as { packages: Record<string, Locked> }
const packages = Object.entries(lock.packages).filter(([path, { link }]) => path.startsWith('node_modules/') && !link)

/** Tools whose binaries for other systems the registry at hand did not have: named, since `npm ci` asks for the names. */
const unhashed = [/^node_modules\/@biomejs\/cli-/, /^node_modules\/@oxc-parser\/binding-/, /\/@rolldown\/binding-/]
const mostUnhashed = 39

/** Packages for other systems than the one we build and run on. */
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

test('every package comes from the registry, and no address is written down', () => {
  const text = readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')
  assert.doesNotMatch(text, /"resolved": "(https?|git)/)
})

test('every package of production, for whatever system, is pinned by its hash', () => {
  const production = packages.filter(([, one]) => !one.dev && !one.devOptional)
  assert.deepEqual(
    production.filter(([, { integrity = '' }]) => !/^sha512-/.test(integrity)).map(([path]) => path),
    [],
  )
})

test('of tools for development only named ones lack a hash, for other systems, and no more than there were', () => {
  const lacking = packages.filter(([, one]) => !one.integrity)
  assert.ok(lacking.length <= mostUnhashed, `${lacking.length}: run npm run lock:hashes`)
  for (const [path, one] of lacking) {
    assert.ok(
      unhashed.some((pattern) => pattern.test(path)),
      path,
    )
    assert.ok(isForeign(one) && one.optional, path)
  }
})

test('every image is pinned by its digest, or is one of those that whoever deploys pins', () => {
  const text = ['deploy/Dockerfile', 'deploy/compose.yaml'].map((name) =>
    readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'),
  )
  const images = [...text.join('\n').matchAll(/^(?:FROM| *image:) (\S+)/gm)].map(([, name]) => name!)
  const byTag = new Set(images.filter((name) => !/@sha256:[0-9a-f]{64}$/.test(name)))
  const { version } = read('package.json')
  const known = ['node:24-bookworm-slim', 'postgres:15-bookworm', 'redis:7-bookworm', 'axllent/mailpit:v1.31.3']
  assert.deepEqual([...byTag].sort(), [...known, `standfirst:${version}`].sort())
  const guide = readFileSync(new URL('../../deploy/README.md', import.meta.url), 'utf8')
  for (const name of known) assert.ok(guide.includes(`\`${name}\``), `deploy/README.md does not name ${name}`)
})

test('every direct dependency is an exact version', () => {
  for (const name of ['package.json', 'server/package.json', 'desk/package.json']) {
    const { dependencies = {}, devDependencies = {} } = read(name)
    for (const [dependency, version] of Object.entries({ ...dependencies, ...devDependencies })) {
      // An alias also names an exact version, of the package it replaces.
      assert.match(String(version), /^(npm:@?[\w./-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/, `${dependency} in ${name}`)
    }
  }
})
