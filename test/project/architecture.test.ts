import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { paths } from '../../desk/source/paths.ts'
import { spaPaths } from '../../server/http/desk-api/spa.ts'

/** Which folders may import which, in the whole repository: one direction, no cycles. */

const root = join(import.meta.dirname, '../..')

/** Each folder and what its files may import besides each other. What is not listed imports nothing of ours. */
const layers: Readonly<Record<string, readonly string[]>> = {
  'server/messages': [],
  'server/platform': ['server/messages'],
  'server/config': ['server/platform', 'server/messages'],
  'server/features': ['server/config', 'server/platform', 'server/messages'],
  'server/sql': ['server/features', 'server/config', 'server/platform', 'server/messages'],
  'server/http': ['server/sql', 'server/features', 'server/config', 'server/platform', 'server/messages', 'embed'],
  'server/seed': ['server/sql', 'server/features', 'server/platform', 'server/messages'],
  'server/sync': ['server/features', 'server/platform', 'server/messages'],
  'server/main': [
    'server/http',
    'server/sql',
    'server/features',
    'server/config',
    'server/platform',
    'server/messages',
    'embed',
  ],
  'server/commands': [
    'server/main',
    'server/seed',
    'server/sync',
    'server/sql',
    'server/features',
    'server/config',
    'server/platform',
    'server/messages',
  ],
  'server/dev': [
    'server/commands',
    'server/seed',
    'server/sql',
    'server/config',
    'server/platform',
    'server/messages',
    'desk/dev.ts',
  ],
  sdk: [],
  embed: ['server/features', 'server/platform', 'server/messages'],
  desk: ['server/features', 'server/platform', 'server/messages', 'server/sync/imports'],
  testkit: ['server', 'sdk'],
  'labs/chaos': ['testkit', 'server', 'sdk'],
  'labs/scale': ['testkit', 'server'],
  'labs/bench': ['testkit', 'server'],
  deploy: ['testkit', 'sdk'],
  test: ['testkit', 'labs', 'server', 'desk', 'sdk', 'embed', 'deploy'],
}

/** A feature imports only those before it. */
const features = [
  'urls.ts',
  'report-reasons.ts',
  'schedule-problems.ts',
  'context.ts',
  'emails',
  'jobs.ts',
  'push-metrics.ts',
  'metrics.ts',
  'cache-tags.ts',
  'authors',
  'accounts',
  'comments',
  'media',
  'keys',
  'pieces',
  'series',
  'link-cards',
  'profiles',
  'products',
  'trending',
  'front-page',
  'webhooks',
  'followers',
  'websub',
  'fediverse',
  'offboarding',
  'moderation',
]

const files = globSync('{server,testkit,labs,test,deploy,desk,embed,sdk}/**/*.{ts,tsx}', {
  cwd: root,
  exclude: ['**/node_modules/**', '**/dist/**'],
}).sort()
const sources = new Map(files.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
const isTest = (path: string): boolean => path.includes('.test.')
const shipped = files.filter((path) => /^(server|desk\/source)\//.test(path) && !isTest(path))

interface Import {
  readonly from: string
  /** A path from the root, or the name of a package. */
  readonly to: string
  /** As it is written. */
  readonly specifier: string
  readonly isType: boolean
}

const pattern =
  /(?:^|\n)(?:import|export) (type )?[^'"`;]*?from '([^']+)'|(?:^|\n)import '([^']+)'|\bimport\('([^']+)'\)/g

const imports: readonly Import[] = files.flatMap((from) =>
  [...sources.get(from)!.matchAll(pattern)].map((match) => {
    const specifier = match[2] ?? match[3] ?? match[4] ?? ''
    return { from, to: targetOf(from, specifier), specifier, isType: match[1] !== undefined }
  }),
)

function targetOf(from: string, specifier: string): string {
  if (specifier.startsWith('#')) return `server/${specifier.slice(1)}`
  return specifier.startsWith('.') ? normalize(join(dirname(from), specifier)) : specifier
}

const isOurs = (path: string): boolean => sources.has(path)
const layerOf = (path: string): string =>
  Object.keys(layers).find((layer) => path.startsWith(`${layer}/`)) ?? `no layer: ${path}`
const isIn = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`)
/** `server/http/site`, `server/features/pieces`. */
const moduleOf = (path: string): string => path.split('/').slice(0, 3).join('/')
const breaches = (isBreach: (one: Import) => boolean): string[] =>
  imports.filter(isBreach).map(({ from, to }) => `${from} imports ${to}`)

test('every folder imports only what the table allows', () => {
  assert.ok(imports.filter(({ to }) => isOurs(to)).length > 3000, 'the imports are seen')
  const allowed = (from: string): readonly string[] => [layerOf(from), ...layers[layerOf(from)]!]
  // Tests are next to the code they test and use the testkit.
  const more = (from: string): readonly string[] => (isTest(from) ? ['testkit', 'server', 'desk', 'sdk'] : [])
  assert.deepEqual(
    breaches(({ from, to }) => isOurs(to) && ![...allowed(from), ...more(from)].some((place) => isIn(to, place))),
    [],
  )
})

test('there is no cycle of imports', () => {
  const next = Map.groupBy(
    imports.filter(({ to }) => isOurs(to)),
    ({ from }) => from,
  )
  const done = new Set<string>()
  const visit = (path: string, trail: readonly string[]): void => {
    assert.ok(!trail.includes(path), `a cycle: ${[...trail.slice(trail.indexOf(path)), path].join(' -> ')}`)
    if (done.has(path)) return
    for (const { to } of next.get(path) ?? []) visit(to, [...trail, path])
    done.add(path)
  }
  for (const path of files) visit(path, [])
})

test('nothing imports a test, and nothing shipped imports test tools', () => {
  assert.deepEqual(
    breaches(({ to }) => isOurs(to) && isTest(to)),
    [],
  )
  assert.deepEqual(
    breaches(({ from, to }) => shipped.includes(from) && to === 'node:test'),
    [],
  )
})

test('one HTTP surface does not import another', () => {
  assert.deepEqual(
    breaches(({ from, to }) => {
      // A file in server/http itself is shared by all surfaces.
      const isShared = to.split('/').length === 3
      return isIn(from, 'server/http') && isIn(to, 'server/http') && moduleOf(from) !== moduleOf(to) && !isShared
    }),
    [],
  )
})

test('a feature imports only features before it', () => {
  const place = (path: string): number => features.indexOf(path.split('/')[2]!)
  assert.deepEqual(
    files.filter((path) => isIn(path, 'server/features') && place(path) === -1),
    [],
    'a feature that has no place in the order',
  )
  assert.deepEqual(
    breaches(
      ({ from, to }) =>
        isIn(from, 'server/features') && isIn(to, 'server/features') && !isTest(from) && place(to) > place(from),
    ),
    [],
  )
})

test('in features and http, # leads to another module and ./ stays inside', () => {
  assert.deepEqual(
    breaches(({ from, to, specifier }) => {
      if (!/^server\/(features|http)\//.test(from) || isTest(from) || !isIn(to, 'server')) return false
      return specifier.startsWith('#') === (moduleOf(from) === moduleOf(to))
    }),
    [],
  )
})

/** What the service is about. The platform could carry another one. */
const domainWords = /\b(?:pieces?|authors?|writers?|drafts?|products?|headlines?|moderat\w+|trending|takedowns?)\b/gi

/** Addresses by their priority, reserved addresses, names of style sheets, and one sentence that people read. */
const mayNameDomain = ['http/admission.ts', 'text/slug.ts', 'page/style.ts', 'markdown/limits.ts']

test('the platform does not speak of what the service is about', () => {
  const isAllowed = (path: string) =>
    path.endsWith('.generated.ts') || mayNameDomain.some((name) => path === `server/platform/${name}`)
  const spoken = shipped
    .filter((path) => isIn(path, 'server/platform') && !isAllowed(path))
    .flatMap((path) => (sources.get(path)!.match(domainWords) ?? []).map((word) => `${path}: ${word}`))
  assert.deepEqual(spoken, [])
})

test('features know no transport, http knows no SQL', () => {
  assert.deepEqual(
    breaches(({ from, to }) => isIn(from, 'server/features') && !isTest(from) && /^(@?fastify\b|node:http)/.test(to)),
    [],
  )
  assert.deepEqual(
    breaches(({ from, to }) => isIn(from, 'server/http') && !isTest(from) && /^(kysely|pg\b)/.test(to)),
    [],
  )
})

test('push, pull and import reach no database, whatever they import', () => {
  const reached = new Set(files.filter((path) => isIn(path, 'server/sync') && !isTest(path)))
  assert.ok(reached.size > 5)
  for (const path of reached) for (const { from, to } of imports) if (from === path) reached.add(to)
  assert.deepEqual(
    [...reached].filter((path) => /^(pg|kysely)\b/.test(path) || isIn(path, 'server/platform/db')),
    [],
  )
})

test('only the desk asks who is signed in, in one place', () => {
  const callers = shipped.filter((path) => /\bfindPerson\b/.test(sources.get(path)!))
  assert.deepEqual(callers, ['server/features/accounts/sessions.ts', 'server/http/desk-api/session.ts'])
})

test('only the command line reads the environment', () => {
  const readers = shipped.filter((path) => /process\.env/.test(sources.get(path)!))
  assert.deepEqual(readers, ['server/commands/cli.ts', 'server/dev/dev.ts', 'server/messages/cli.ts'])
})

test('pages of the desk import components and the API, and not each other', () => {
  const desk = 'desk/source'
  /**
   * What every page may use. `diff` is pure functions on texts; `comments` are in the editor, in review and
   * where co-authors read, and are loaded later, with their messages.
   */
  const messages = `${desk}/messages.ts`
  const shared = [
    ...['components', 'api', 'diff', 'comments', 'load-messages.ts'].map((name) => `${desk}/${name}`),
    messages,
  ]
  const pageOf = (path: string): string =>
    path
      .split('/')
      .slice(0, path.startsWith(`${desk}/pages`) ? 4 : 3)
      .join('/')
  const roots = files.filter((path) => isIn(path, desk) && path.split('/').length === 3)
  const inside = (from: string, to: string) => isIn(from, desk) && isIn(to, desk) && !isTest(from)
  assert.deepEqual(
    breaches(
      ({ from, to }) =>
        inside(from, to) && !roots.includes(from) && ![pageOf(from), ...shared].some((place) => isIn(to, place)),
    ),
    [],
  )
  assert.deepEqual(
    breaches(
      ({ from, to }) => inside(from, to) && isIn(from, `${desk}/api`) && !isIn(to, `${desk}/api`) && to !== messages,
    ),
    [],
  )
})

test('of the server the desk knows the schemas, as types; the styles and messages they share; how it counts words, sets signs and finds passages; what search results say; how imports are read; and samples, as text', () => {
  const outside = imports.filter(({ from, to }) => isIn(from, 'desk/source') && !isTest(from) && isIn(to, 'server'))
  const isSchema = ({ to, isType }: Import) => isType && /^server\/features\/[^/]+\/[^/]*schema\.ts$/.test(to)
  const isImport = ({ from, to }: Import) => isIn(from, 'desk/source/pages/import') && isIn(to, 'server/sync/imports')
  const others = outside
    .filter((one) => !isSchema(one) && !isIn(one.to, 'server/messages') && !isImport(one))
    .map(({ from, to }) => `${from} imports ${to.replace(/[^/]+\?raw$/, '*?raw')}`)
  assert.deepEqual(
    [...new Set(others)],
    [
      'desk/source/comments/marks.ts imports server/platform/text/passages.ts',
      'desk/source/comments/panel.tsx imports server/platform/text/passages.ts',
      'desk/source/comments/reading.tsx imports server/platform/text/passages.ts',
      'desk/source/components/piece.ts imports server/features/pieces/untitled.ts',
      'desk/source/editor/codemirror/punctuation.ts imports server/platform/text/typography.ts',
      'desk/source/editor/outline.tsx imports server/platform/text/typography.ts',
      'desk/source/editor/paste.ts imports server/platform/markdown/foreign-html.ts',
      'desk/source/editor/paste.ts imports server/platform/markdown/html-tree.ts',
      'desk/source/editor/word-count.tsx imports server/platform/text/words.ts',
      'desk/source/main.tsx imports server/platform/page/style/tokens.css',
      'desk/source/main.tsx imports server/platform/page/style/common.css',
      'desk/source/pages/import/run-import.ts imports server/features/pieces/limits.ts',
      'desk/source/pages/integrations/webhook/settings.tsx imports server/features/webhooks/samples/*?raw',
      'desk/source/pages/publish/details.ts imports server/features/pieces/page-meta.ts',
      'desk/source/pages/publish/search-and-links.tsx imports server/features/pieces/limits.ts',
      'desk/source/pages/publish/search-and-links.tsx imports server/features/pieces/page-meta.ts',
      'desk/source/pages/publish/search-and-links.tsx imports server/platform/text/normalise.ts',
    ],
  )
})

test('what reads imports runs in browsers: it reaches nothing of Node', () => {
  const reached = new Set(files.filter((path) => isIn(path, 'server/sync/imports') && !isTest(path)))
  for (const path of reached) for (const { from, to, isType } of imports) if (from === path && !isType) reached.add(to)
  assert.deepEqual(
    [...reached].filter((path) => path.startsWith('node:')),
    [],
  )
})

test('every page of the desk is served, and no other', () => {
  const served = spaPaths.map((path) => `/desk${path}`.replace(/\/$/, ''))
  assert.deepEqual(served.toSorted(), Object.values<string>(paths).toSorted())
})

test('the desk makes no markup of text, and evaluates nothing', () => {
  for (const path of shipped.filter((one) => isIn(one, 'desk'))) {
    const pattern = /dangerouslySetInnerHTML|\.innerHTML|insertAdjacentHTML|document\.write|\beval\(/
    assert.doesNotMatch(sources.get(path)!, pattern, path)
  }
})

test('no file is longer than 400 lines', () => {
  const long = files.filter((path) => !path.includes('.generated.') && !isTest(path) && lines(path) > 400)
  assert.deepEqual(long, [])
})

const lines = (path: string): number => sources.get(path)!.split('\n').length
