import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { cellsOf, figuresIn, type Outcome, parts, readRows, root, tableOf } from '../nightly/parts.ts'

/** Everything `npm run nightly` would run exists, and its table keeps the rows it does not run. */

const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }

describe('the parts', () => {
  test('have names of their own', () => {
    assert.equal(new Set(parts.map(({ name }) => name)).size, parts.length)
  })

  for (const { name, command } of parts)
    test(`${name} runs what is there`, () => {
      const [, numbers = '', script, file] =
        /^((?:[A-Z_]+=\d+ )*)(?:npm run (\S+)|node --test (\S+))/.exec(command) ?? []
      if (script) assert.ok(scripts[script], `package.json has no script ${script}`)
      else assert.ok(file && existsSync(join(root, file)), command)
      for (const [, number] of numbers.matchAll(/([A-Z_]+)=/g))
        assert.ok(read(file!).includes(`process.env['${number}']`), `${file} reads no ${number}`)
      const [, proof] = /^npm run scale -- (\w+)/.exec(command) ?? []
      if (proof) assert.match(read('labs/scale/run.ts'), new RegExp(`^  ${proof}: async`, 'm'))
    })

  // `npm run nightly -- --table` writes it.
  test('are in docs/nightly.md, each by the command it has now', () => {
    assert.equal(
      read('docs/nightly.md').split(/\n\n(?=\| part)/)[1],
      `${tableOf(parts, readRows(read('docs/nightly.md')))}\n`,
    )
  })
})

describe('the table', () => {
  const known = { name: 'a', shows: 'a | b', command: 'npm run a' }
  const other = { name: 'b', shows: 'b', command: 'npm run b' }
  const outcome: Outcome = { outcome: 'holds', figures: 't = 1 | 2', took: 3, date: '2026-11-16', commit: '3dd7fbb' }

  test('keeps the row of a part that was not run, and says which never was', () => {
    const first = tableOf([known, other], new Map([['a', cellsOf(outcome)]]))
    const again = readRows(first)
    assert.deepEqual(again.get('a'), cellsOf(outcome))
    again.set('b', cellsOf({ ...outcome, outcome: 'does not hold', took: 600 }))
    const rows = tableOf([known, other], again).split('\n').slice(2)
    assert.deepEqual(rows, [
      '| a | a \\| b | holds | t = 1 \\| 2 | 3 s | 2026-11-16 | 3dd7fbb | `npm run a` |',
      '| b | b | **does not hold** | t = 1 \\| 2 | 10 min | 2026-11-16 | 3dd7fbb | `npm run b` |',
    ])
    assert.match(first, /^\| b \| b \| not run yet \|/m)
  })
})

test('figures are what a run says of itself, without the counts of the test runner', () => {
  assert.equal(
    figuresIn('working\nfigure: 12 of 12\n✓ none failed\nℹ median 3.2 ms\nℹ tests 4\nℹ pass 4'),
    '12 of 12; ✓ none failed; median 3.2 ms',
  )
  assert.equal(figuresIn('✔ it holds (3ms)\nℹ tests 4\nℹ pass 4\nℹ duration_ms 12.5'), '4 tests')
})
