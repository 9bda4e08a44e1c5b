import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

/** The plan of the house, held by a test: zones, one direction, no circles. */

const root = dirname(fileURLToPath(import.meta.url))
const features = [
  'authors',
  'accounts',
  'media',
  'keys',
  'pieces',
  'profiles',
  'products',
  'trending',
  'webhooks',
  'leaving',
  'moderation',
]

const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.includes('node_modules'))
  .sort()
const shipped = files.filter((path) => !path.endsWith('.test.ts') && !path.startsWith('testing/'))

interface Import {
  readonly from: string
  readonly to: string
}

/** Imports inside the house by path from its root, others by the name of their package. */
function importsOf(path: string): Import[] {
  const source = readFileSync(join(root, path), 'utf8')
  return [...source.matchAll(/(?:^|\n)(?:import|export)\b[^'"`;]*?from '([^']+)'|\bimport\('([^']+)'\)/g)].map(
    (match) => {
      const target = match[1] ?? match[2] ?? ''
      if (target.startsWith('#')) return { from: path, to: target.slice(1) }
      if (target.startsWith('.')) return { from: path, to: relative(root, join(root, dirname(path), target)) }
      return { from: path, to: target }
    },
  )
}

const imports = shipped.flatMap(importsOf)
/** The commands are rooms of the root: they see every zone, and nothing but the root sees them. */
const zoneOf = (path: string): string => (path.includes('/') ? path.split('/')[0]! : 'root')
const roomOf = (path: string): string => path.split('/').slice(0, 2).join('/')
const isOurs = (path: string): boolean => files.includes(path)
const breaches = (isBreach: (one: Import) => boolean): string[] =>
  imports.filter(isBreach).map(({ from, to }) => `${from} imports ${to}`)

test('the house has files in every zone, and their imports are seen', () => {
  for (const zone of ['doors', 'features', 'platform', 'root', 'seed']) {
    assert.ok(
      shipped.some((path) => zoneOf(path) === zone),
      `no file in ${zone}`,
    )
  }
  assert.ok(imports.filter(({ to }) => isOurs(to)).length > 50)
})

test('data flows one way: doors, features, platform', () => {
  const allowed: Record<string, string[]> = {
    platform: ['platform'],
    features: ['features', 'platform'],
    doors: ['doors', 'features', 'platform'],
    seed: ['seed', 'features', 'platform'],
    writing: ['writing', 'features', 'platform'],
    commands: ['commands', 'seed', 'writing', 'features', 'platform', 'root'],
  }
  assert.deepEqual(
    breaches(({ from, to }) => isOurs(to) && zoneOf(from) !== 'root' && !allowed[zoneOf(from)]!.includes(zoneOf(to))),
    [],
  )
})

test("the writer's tools reach no database, whatever they import", () => {
  const reached = new Set(shipped.filter((path) => zoneOf(path) === 'writing'))
  assert.ok(reached.size > 5)
  for (const path of reached) if (isOurs(path)) for (const { to } of importsOf(path)) reached.add(to)
  assert.deepEqual(
    [...reached].filter((path) => /^(pg|kysely)\b/.test(path) || path.startsWith('platform/db/')),
    [],
  )
})

test('no door imports another door', () => {
  assert.deepEqual(
    breaches(({ from, to }) => zoneOf(from) === 'doors' && zoneOf(to) === 'doors' && roomOf(from) !== roomOf(to)),
    [],
  )
})

test('a feature imports only features to its left', () => {
  const place = (path: string) => features.indexOf(path.split('/')[1]!)
  assert.deepEqual(
    shipped.filter((path) => zoneOf(path) === 'features' && place(path) === -1),
    [],
    'a room that has no place in the order',
  )
  assert.deepEqual(
    breaches(({ from, to }) => zoneOf(from) === 'features' && zoneOf(to) === 'features' && place(to) > place(from)),
    [],
  )
})

test('a # import leaves its room, a ./ import stays inside', () => {
  const source = (path: string) => readFileSync(join(root, path), 'utf8')
  const rooms = shipped.filter((path) => ['doors', 'features'].includes(zoneOf(path)))
  for (const path of rooms) {
    assert.doesNotMatch(source(path), new RegExp(`from '#${roomOf(path)}/`), `${path} leaves its room to enter it`)
    for (const { to } of importsOf(path).filter(({ to }) => isOurs(to) && roomOf(to) !== roomOf(path))) {
      assert.match(source(path), new RegExp(`'#${to.replaceAll('.', '\\.')}'`), `${path} reaches ${to} without #`)
    }
  }
})

test('features know no transport, doors know no SQL', () => {
  assert.deepEqual(
    breaches(({ from, to }) => zoneOf(from) === 'features' && /^(@?fastify\b|node:http)/.test(to)),
    [],
  )
  assert.deepEqual(
    breaches(({ from, to }) => zoneOf(from) === 'doors' && /^(kysely|pg\b)/.test(to)),
    [],
  )
})

test('only the desk asks who is signed in, in one place', () => {
  const callers = shipped.filter((path) => /\bfindPerson\b/.test(readFileSync(join(root, path), 'utf8')))
  assert.deepEqual(callers, ['doors/desk/session.ts', 'features/accounts/person.ts'])
})

test('only the command line reads the environment', () => {
  const readers = shipped.filter((path) => /process\.env/.test(readFileSync(join(root, path), 'utf8')))
  assert.deepEqual(
    readers.filter((path) => !['cli.ts', 'dev.ts'].includes(path)),
    [],
  )
})

test('nothing shipped imports test tools', () => {
  assert.deepEqual(
    breaches(({ to }) => to.startsWith('testing/') || to.endsWith('.test.ts') || to === 'node:test'),
    [],
  )
})

test('no circle of imports', () => {
  const next = new Map<string, string[]>()
  for (const { from, to } of imports) if (isOurs(to)) next.set(from, [...(next.get(from) ?? []), to])
  const done = new Set<string>()
  const visit = (path: string, trail: readonly string[]): void => {
    assert.ok(!trail.includes(path), `a circle: ${[...trail.slice(trail.indexOf(path)), path].join(' -> ')}`)
    if (done.has(path)) return
    for (const to of next.get(path) ?? []) visit(to, [...trail, path])
    done.add(path)
  }
  for (const path of shipped) visit(path, [])
})

test('no file is longer than 300 lines', () => {
  const long = shipped.filter(
    (path) =>
      !path.includes('.generated.') &&
      !path.startsWith('seed/words/') &&
      readFileSync(join(root, path), 'utf8').split('\n').length > 300,
  )
  assert.deepEqual(long, [])
})
