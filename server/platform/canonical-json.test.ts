import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalJson } from './crypto.ts'

test('the example of RFC 8785 has the bytes that RFC 8785 gives', () => {
  const value = JSON.parse(String.raw`{
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
    "literals": [null, true, false]
  }`)
  const expected =
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
    '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'
  assert.equal(canonicalJson(value), expected)
})

test('members are sorted by their UTF-16 units, at every depth', () => {
  const value = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': { b: 1, a: 2 }, '\u{1f600}': 4, '\u0080': 5, '\u00f6': 6 }
  assert.deepEqual(
    [...canonicalJson(value).matchAll(/:(\d)/g)].map(([, digit]) => digit),
    ['2', '2', '1', '5', '6', '1', '4', '3'],
  )
})

test('what has no canonical form is refused', () => {
  for (const value of [undefined, Number.NaN, Number.POSITIVE_INFINITY, '\ud800', 1n, { a: undefined }])
    assert.throws(() => canonicalJson(value), TypeError)
})
