import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closing } from './cleanup.ts'

const [lre, rlo, pdf, rli, fsi, pdi] = ['\u202A', '\u202E', '\u202C', '\u2067', '\u2068', '\u2069']

test('what is open is closed in the opposite order', () => {
  assert.equal(closing(`a${lre}b${rli}c${rlo}`), `${pdf}${pdi}${pdf}`)
})

test('what is closed already stays as it is', () => {
  assert.equal(closing(`${rlo}a${pdf} ${fsi}b${pdi} c\u200Fd`), '')
})

test('the end of an isolate ends what was opened inside it, and no other mark ends an isolate', () => {
  assert.equal(closing(`${rli}${rlo}${lre}${pdi}`), '')
  assert.equal(closing(`${rli}${pdf}`), pdi)
  assert.equal(closing(`${pdi}${pdf}${rlo}${pdi}`), pdf)
})
