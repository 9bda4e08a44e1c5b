import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { readCsv } from '../../server/platform/text/csv.ts'

/**
 * The requirements of OWASP ASVS 5.0.0 at levels 1 and 2, by their numbers alone, of the chapters that apply: all but
 * V10 (OAuth) and V17 (WebRTC), which the site does not use.
 */
const sections = `
  V1.1 L2 1 2
  V1.2 L1 1 2 3 4 5 L2 6 7 8 9
  V1.3 L1 1 2 L2 3 4 5 6 7 8 9 10 11
  V1.4 L2 1 2 3
  V1.5 L1 1 L2 2
  V2.1 L1 1 L2 2 3
  V2.2 L1 1 2 L2 3
  V2.3 L1 1 L2 2 3 4
  V2.4 L2 1
  V3.2 L1 1 2
  V3.3 L1 1 L2 2 3 4
  V3.4 L1 1 2 L2 3 4 5 6
  V3.5 L1 1 2 3 L2 4 5
  V3.7 L2 1 2
  V4.1 L1 1 L2 2 3
  V4.2 L2 1
  V4.3 L2 1 2
  V4.4 L1 1 L2 2 3 4
  V5.1 L2 1
  V5.2 L1 1 2 L2 3
  V5.3 L1 1 2
  V5.4 L2 1 2 3
  V6.1 L1 1 L2 2 3
  V6.2 L1 1 2 3 4 5 6 7 8 L2 9 10 11 12
  V6.3 L1 1 2 L2 3 4
  V6.4 L1 1 2 L2 3 4
  V6.5 L2 1 2 3 4 5
  V6.6 L2 1 2 3
  V6.8 L2 1 2 3 4
  V7.1 L2 1 2 3
  V7.2 L1 1 2 3 4
  V7.3 L2 1 2
  V7.4 L1 1 2 L2 3 4 5
  V7.5 L2 1 2
  V7.6 L2 1 2
  V8.1 L1 1 L2 2
  V8.2 L1 1 2 L2 3
  V8.3 L1 1
  V8.4 L2 1
  V9.1 L1 1 2 3
  V9.2 L1 1 L2 2 3 4
  V11.1 L2 1 2
  V11.2 L2 1 2 3
  V11.3 L1 1 2 L2 3
  V11.4 L1 1 L2 2 3 4
  V11.5 L2 1
  V11.6 L2 1
  V12.1 L1 1 L2 2 3
  V12.2 L1 1 2
  V12.3 L2 1 2 3 4
  V13.1 L2 1
  V13.2 L2 1 2 3 4 5
  V13.3 L2 1 2
  V13.4 L1 1 L2 2 3 4 5
  V14.1 L2 1 2
  V14.2 L1 1 L2 2 3 4
  V14.3 L1 1 L2 2 3
  V15.1 L1 1 L2 2 3
  V15.2 L1 1 L2 2 3
  V15.3 L1 1 L2 2 3 4 5 6 7
  V16.1 L2 1
  V16.2 L2 1 2 3 4 5
  V16.3 L2 1 2 3 4
  V16.4 L2 1 2 3
  V16.5 L2 1 2 3
`

interface Requirement {
  readonly id: string
  readonly level: string
}

const requirements: readonly Requirement[] = sections
  .trim()
  .split('\n')
  .flatMap((line) => {
    const [section = '', ...words] = line.trim().split(' ')
    let level = ''
    return words.flatMap((word) => {
      if (word.startsWith('L')) level = word.slice(1)
      return word.startsWith('L') ? [] : [{ id: `${section}.${word}`, level }]
    })
  })

/** docs/asvs.csv judges every requirement once, by existing tests; docs/protection.md matches the code. */

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
    const counts =
      /Of its (\d+) requirements at levels 1 and 2, (\d+) are met, (\d+) do not apply and (\d+) are not met/
    const figures = counts.exec(read('docs/security.md'))?.slice(1).map(Number)
    assert.deepEqual(figures, [rows.length, count('met'), count('not applicable'), count('not met')])
  })
})

/** The test names of a file as written; template literals are excluded. */
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
  // Breached-password lists are keyed by SHA-1, which is only a lookup key here.
  const guarding = algorithms.filter((name) => name !== 'sha1' || !isOnlyIn(/createHash\('sha1'/, lookup))
  for (const old of ['md5', 'sha1', 'des', 'rc4', 'ecb']) assert.ok(!guarding.some((name) => name.includes(old)), old)
})

test('every table of the private schema is in the table of what is kept', () => {
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
    createLog('info').info({ event: 'answered', route: '/a\\n{"event":"stopped"}\\u2028' })`
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' })
  const lines = said.trimEnd().split('\n')
  assert.equal(lines.length, 1, said)
  const { event, time } = JSON.parse(lines[0]!)
  assert.equal(event, 'answered')
  assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
})

test('vulnerabilities are fixed within the promised times', () => {
  for (const file of ['SECURITY.md', 'docs/security.md'])
    assert.match(
      read(file),
      /within 48 hours and serious ones within (7|seven) days, in our code and in packages we use/,
    )
})
