import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { appPlaces } from '../server/doors/desk/app-pages.ts'
import { places } from './source/places.ts'

/** The plan of the application, held by a test. */

const root = join(dirname(fileURLToPath(import.meta.url)), 'source')
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path))
  .sort()
const shipped = files.filter((path) => !path.includes('.test.'))

interface Import {
  readonly from: string
  readonly to: string
  readonly isType: boolean
}

const imports: readonly Import[] = shipped.flatMap((from) =>
  [
    ...readFileSync(join(root, from), 'utf8').matchAll(
      /(?:^|\n)(?:import|export) (type )?[^'"`;]*?from '([^']+)'|(?:^|\n)import '([^']+)'|\bimport\('([^']+)'\)/g,
    ),
  ].map((match) => {
    const target = match[2] ?? match[3] ?? match[4] ?? ''
    const to = target.startsWith('.') ? relative(root, join(root, dirname(from), target)) : target
    return { from, to, isType: match[1] !== undefined }
  }),
)
const roomOf = (path: string): string => (path.includes('/') ? path.split('/')[0]! : 'root')
const isOurs = (path: string): boolean => !path.startsWith('..') && /\.(tsx?|css)$/.test(path)
const breaches = (isBreach: (one: Import) => boolean): string[] =>
  imports.filter(isBreach).map(({ from, to }) => `${from} imports ${to}`)

/** What every room may use. `difference` is pure functions on texts. */
const shared = ['ui', 'api', 'difference']

test('rooms import ui and api, and not each other', () => {
  assert.ok(imports.filter(({ to }) => isOurs(to)).length > 50, 'the imports are seen')
  assert.deepEqual(
    breaches(
      ({ from, to }) => isOurs(to) && roomOf(from) !== 'root' && ![roomOf(from), ...shared].includes(roomOf(to)),
    ),
    [],
  )
})

test('what every room uses knows no room, and the way to the server does not know how things look', () => {
  assert.deepEqual(
    breaches(({ from, to }) => roomOf(from) === 'ui' && isOurs(to) && !['ui', 'api'].includes(roomOf(to))),
    [],
  )
  assert.deepEqual(
    breaches(({ from, to }) => roomOf(from) === 'api' && isOurs(to) && roomOf(to) !== 'api'),
    [],
  )
})

test('of the server only the shapes on the wire are known, as types; its colours; how it counts words; and samples, as text', () => {
  const outside = imports.filter(({ to }) => to.startsWith('..'))
  const isShape = ({ to, isType }: Import) =>
    isType && /^\.\.\/\.\.\/server\/features\/[^/]+\/[^/]*schema\.ts$/.test(to)
  assert.deepEqual(
    outside
      .filter((one) => !isShape(one))
      .map(({ from, to }) => `${from} imports ${to.replace(/[^/]+\?raw$/, '*?raw')}`)
      .filter((one, at, all) => all.indexOf(one) === at),
    [
      'editor/count.tsx imports ../../server/platform/text/words.ts',
      'main.tsx imports ../../server/platform/page/style/tokens.css',
      'presence/webhook/samples.ts imports ../../server/features/webhooks/samples/*?raw',
    ],
  )
})

test('every page of the application is served, and no other', () => {
  const served = appPlaces.map((path) => `/desk${path}`.replace(/\/$/, ''))
  assert.deepEqual(served.toSorted(), Object.values<string>(places).toSorted())
})

test('no markup is made of text, and nothing is evaluated', () => {
  for (const path of shipped) {
    const source = readFileSync(join(root, path), 'utf8')
    assert.doesNotMatch(source, /dangerouslySetInnerHTML|\.innerHTML|insertAdjacentHTML|document\.write|\beval\(/, path)
  }
})

test('no file is longer than 300 lines', () => {
  assert.deepEqual(
    shipped.filter((path) => readFileSync(join(root, path), 'utf8').split('\n').length > 300),
    [],
  )
})
