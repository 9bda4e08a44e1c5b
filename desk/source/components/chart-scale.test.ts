import assert from 'node:assert/strict'
import { test } from 'node:test'
import { axisMax } from './chart-scale.ts'

test('the highest line is a round number, no day rises above it, and none is lost at its foot', () => {
  for (const most of [0, 1, 2, 3, 7, 9, 10, 11, 99, 101, 601, 1_234, 999_999]) {
    const top = axisMax(most)
    assert.ok(top >= most && Number.isInteger(top / 2), `${top} for ${most}`)
    assert.ok(top === 2 || top < 2 * most, `${top} leaves ${most} below the middle`)
    assert.match(String(top), /^(2|4|6|10)0*$/)
  }
})
