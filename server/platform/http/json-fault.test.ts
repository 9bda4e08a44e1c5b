import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { faultOf } from './json.ts'

describe('what is not JSON is told by place and by what is wrong there', () => {
  for (const [text, place, words] of [
    ['{"headline": "On tea" "sub": 1}', 'line 1, column 23', /a comma or }$/],
    ['{\n  "a": 1,\n}', 'line 3, column 1', /a name in double quotes$/],
    ['{\r\n  "a": 1,\r\n  b: 2}', 'line 3, column 3', /a name in double quotes$/],
    ["{'a': 1}", 'line 1, column 2', /a name in double quotes$/],
    ['{"a" 1}', 'line 1, column 6', /a colon$/],
    ['{"a": }', 'line 1, column 7', /a value: /],
    ['[1, 2,]', 'line 1, column 7', /a value: /],
    ['[1 2]', 'line 1, column 4', /a comma or ]$/],
    ['headline=On+tea', 'line 1, column 1', /a value: /],
    ['{"body_md": "One.\nTwo."}', 'line 1, column 18', /write the break as \\n$/],
    ['{"a": "\t"}', 'line 1, column 8', /control character/],
    ['{"a": "C:\\Users"}', 'line 1, column 10', /backslash/],
    ['{"a": "\\u00g0"}', 'line 1, column 8', /backslash/],
    ['"😀😀" x', 'line 1, column 6', /after its end$/],
    ['01', 'line 1, column 2', /after its end$/],
    ['{"a": "b', 'line 1, column 9', /ends too soon$/],
    ['{"a": [1, 2', 'line 1, column 12', /ends too soon$/],
    ['[1,\n', 'line 2, column 1', /ends too soon$/],
    [' ', 'line 1, column 2', /ends too soon$/],
  ] as const) {
    test(JSON.stringify(text), () => {
      const fault = faultOf(text)!
      assert.ok(fault.startsWith(`at ${place}, `), fault)
      assert.match(fault, words)
    })
  }
})

/** Reproducible: a seeded generator. */
function picker(seed: number) {
  let state = seed
  return <Item>(items: readonly Item[]): Item => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return items[Math.floor((state / 2_147_483_648) * items.length)]!
  }
}

test('it finds a fault in exactly what the parser refuses, in 20,000 texts', () => {
  const pick = picker(20_261_115)
  const pieces = ['{', '}', '[', ']', '"', ':', ',', ' ', '\n', '\\', 'u00e9', 'a', '"b"', '-', '0', '12', '.5', 'e3']
  const more = ['true', 'null', 'é', '😀', '\u0000', '\u2028', '\\n', '{"a":', '[1', '"c":1']
  const counts = { good: 0, bad: 0 }
  for (let round = 0; round < 20_000; round += 1) {
    const length = pick([1, 2, 3, 4, 6, 9])
    const text = Array.from({ length }, () => pick([...pieces, ...more])).join('')
    let isJson = true
    try {
      JSON.parse(text)
    } catch {
      isJson = false
    }
    assert.equal(faultOf(text) === undefined, isJson, JSON.stringify(text))
    counts[isJson ? 'good' : 'bad'] += 1
  }
  assert.ok(counts.good > 100 && counts.bad > 1000, JSON.stringify(counts))
})

test('a fault is found behind a text as long as may be', () => {
  for (const [what, length] of [
    ['a', 1_300_000],
    ['\\n', 650_000],
    ['é\\"', 400_000],
  ] as const)
    assert.match(faultOf(`{"body_md":"${what.repeat(length)}" "sub":1}`)!, /a comma or }$/)
})
