import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readCsv } from './csv.ts'

test('quotes hold commas, line breaks and quotes; empty fields and rows are what they are', () => {
  const text = '\uFEFFid, title ,note\r\n1,"Tea, ""slow""","two\r\nlines"\r\n\r\n2,,\n3,plain'
  assert.deepEqual(readCsv(text), [
    { id: '1', title: 'Tea, "slow"', note: 'two\r\nlines' },
    { id: '2', title: '', note: '' },
    { id: '3', title: 'plain', note: '' },
  ])
  assert.deepEqual(readCsv(''), [])
})

test('a quote that is never closed, or in the wrong place, is a sign like any other', () => {
  assert.deepEqual(readCsv('a,b\n1,"open'), [{ a: '1', b: '"open' }])
  assert.deepEqual(readCsv('a,b\n"x"y,z"\n'), [{ a: '"x"y', b: 'z"' }])
})

test('every table that is written is read back as it was', () => {
  const quoted = (field: string) => `"${field.replaceAll('"', '""')}"`
  const rows = fc.array(
    fc.tuple(
      fc.string(),
      fc.string().map((text) => `${text}x`),
    ),
    { maxLength: 8 },
  )
  fc.assert(
    fc.property(rows, (given) => {
      const text = `a,b\n${given.map((row) => `${row.map(quoted).join(',')}\n`).join('')}`
      assert.deepEqual(
        readCsv(text),
        given.map(([a, b]) => ({ a, b })),
      )
    }),
  )
})

test('a field may be as long as a book, with or without quotes in it', () => {
  for (const long of ['x'.repeat(20_000_000), '"'.repeat(2_000_000)])
    assert.equal(readCsv(`a,b\n"${long.replaceAll('"', '""')}",2\n`)[0]?.['a']?.length, long.length)
})
