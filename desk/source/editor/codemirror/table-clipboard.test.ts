import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tableText } from './table-clipboard.ts'

test('rows with as many tabs in each are a table, as spreadsheets write it', () => {
  assert.deepEqual(tableText('a\tb\r\nc\t\r\n'), [
    ['a', 'b'],
    ['c', ''],
  ])
  assert.deepEqual(tableText('a\t"b\n""c"""\n1\t2'), [
    ['a', 'b\n"c"'],
    ['1', '2'],
  ])
})

test('prose with a tab and indented code are none', () => {
  assert.equal(tableText('One\ttwo.'), undefined)
  assert.equal(tableText('One\ttwo.\nThree.'), undefined)
  assert.equal(tableText('\tif (a)\n\t\tb'), undefined)
  assert.equal(tableText('One.\nTwo.'), undefined)
})
