import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { readCsv } from '../../server/platform/text/csv.ts'
import { requirements } from './asvs-list.ts'

/** docs/asvs.csv judges every requirement once, by tests that are there; docs/protection.md describes the code there is. */

const root = new URL('../../', import.meta.url)
const read = (file: string): string => readFileSync(new URL(file, root), 'utf8')
const rows = readCsv(read('docs/asvs.csv')) as Record<'id' | 'level' | 'verdict' | 'test' | 'why', string>[]
const protection = read('docs/protection.md')

const byPlace = (a: { id: string }, b: { id: string }): number => a.id.localeCompare(b.id, 'en', { numeric: true })

describe('docs/asvs.csv', () => {
  test('has each requirement of both levels once, in order, and no other', () => {
    assert.equal(requirements.length, 217)
    assert.deepEqual(
      rows.map(({ id, level }) => ({ id, level })),
      requirements.toSorted(byPlace),
    )
  })

  test('judges each in a word that is one of three', () => {
    for (const { id, verdict } of rows)
      assert.ok(['met', 'not applicable', 'not met'].includes(verdict), `${id}: ${verdict}`)
  })

  test('shows by a test what is met, and says why of everything else', () => {
    for (const { id, verdict, test, why } of rows) {
      if (verdict === 'met') assert.ok(test, `${id} is met, by no test`)
      else assert.ok(why, `${id} is ${verdict}, and nobody says why`)
      if (test && !test.includes('#') && verdict === 'met') assert.ok(why, `${id}: which of ${test}?`)
    }
  })

  test('names tests that are there, and are called so', () => {
    for (const { id, test } of rows.filter(({ test }) => test)) {
      const [file = '', name] = test.split('#')
      assert.match(file, /\.test\.ts$/, id)
      assert.ok(existsSync(new URL(file, root)), `${id}: there is no ${file}`)
      if (name) assert.ok(calls(read(file)).includes(name), `${id}: ${file} has no test called ${name}`)
    }
  })

  test('is summed up in docs/security.md as it is', () => {
    const count = (verdict: string) => rows.filter((row) => row.verdict === verdict).length
    const told = /Of its (\d+) requirements at levels 1 and 2, (\d+) are met, (\d+) do not apply and (\d+) are not met/
    const figures = told.exec(read('docs/security.md'))?.slice(1).map(Number)
    assert.deepEqual(figures, [rows.length, count('met'), count('not applicable'), count('not met')])
  })
})

/** What its tests are called, as it is written there; a name in parts or by a pattern is none. */
const calls = (source: string): string[] =>
  [...source.matchAll(/\b(?:test|it)\(\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/g)].map(
    ([, single, double]) => single ?? double ?? '',
  )

const sources = globSync('server/**/*.ts', { cwd: root.pathname })
  .filter((file) => !/\.test\.ts$|server\/(testing|seed)\//.test(file))
  .map(read)
const lookup = read('server/features/accounts/breached-passwords.ts')
const isOnlyIn = (pattern: RegExp, file: string): boolean =>
  sources.every((text) => text === file || !pattern.test(text))
const found = (pattern: RegExp): string[] => [
  ...new Set(sources.flatMap((text) => [...text.matchAll(pattern)].map(([, name = '']) => name))),
]

test('every algorithm in the code is in the inventory', () => {
  const algorithms = [
    ...found(/\bcreateHash\('([^']+)'/g),
    ...found(/\bcreateHmac\('([^']+)'/g).map((hash) => `hmac-${hash}`),
    ...found(/\bhkdfSync\('([^']+)'/g).map((hash) => `hkdf-${hash}`),
    ...found(/\bcreateCipheriv\('([^']+)'/g),
    ...found(/\b(scrypt)\(/g),
    ...found(/\bminVersion: '([^']+)'/g).map((version) => version.replace('v', ' ')),
  ]
  assert.ok(algorithms.length >= 6, String(algorithms))
  const plain = (text: string) => text.toLowerCase().replace(/sha-(?=\d)/g, 'sha')
  const inventory = plain(protection)
  for (const name of algorithms) assert.ok(inventory.includes(plain(name)), `docs/protection.md lacks ${name}`)
  // Lists of breached passwords are given out by SHA-1; it names a line of a file there, and guards nothing.
  const guarding = algorithms.filter((name) => name !== 'sha1' || !isOnlyIn(/createHash\('sha1'/, lookup))
  for (const old of ['md5', 'sha1', 'des', 'rc4', 'ecb']) assert.ok(!guarding.some((name) => name.includes(old)), old)
})

test('every table of the private wing is in the table of what is kept', () => {
  const tables = [...read('server/platform/db/schema.generated.ts').matchAll(/^ {2}"app\.(\w+)":/gm)]
  assert.ok(tables.length > 30)
  for (const [, table = ''] of tables)
    assert.ok(protection.includes(`\`${table}\``), `docs/protection.md does not say what becomes of app.${table}`)
})

test('every event that the code logs is in the table of what is logged', () => {
  const events = [...found(/\bevent: '([a-z_]+)'/g), ...found(/'(\w+_trouble)'/g)]
  assert.ok(events.length > 12, String(events))
  for (const event of events) assert.ok(protection.includes(`\`${event}\``), `docs/protection.md lacks ${event}`)
})

test('a line of log is one line of JSON, whatever is in it, and tells its time in UTC', () => {
  const code = `import { createLog } from '${new URL('server/platform/observability/log.ts', root)}'
    createLog('info').info({ event: 'answered', route: '/a\\n{"event":"left"}\\u2028' })`
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' })
  const lines = said.trimEnd().split('\n')
  assert.equal(lines.length, 1, said)
  const { event, time } = JSON.parse(lines[0]!)
  assert.equal(event, 'answered')
  assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
})

test('weaknesses are mended within times that are promised', () => {
  for (const file of ['SECURITY.md', 'docs/security.md'])
    assert.match(read(file), /within 48 hours, grave ones within (7|seven) days, ours and those of packages we use/)
})
