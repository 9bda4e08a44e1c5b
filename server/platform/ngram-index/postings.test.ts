import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ByteWriter, readNumbers, writeNumbers } from './postings.ts'

/** Gaps of every size, so that lists are dense, sparse and both. */
const gap = fc.oneof(
  fc.integer({ min: 0, max: 3 }),
  fc.integer({ min: 0, max: 5000 }),
  fc.integer({ min: 0, max: 900_000 }),
)

test('a list of numbers is read as it was written, wherever on a page it lies', () => {
  fc.assert(
    fc.property(fc.array(gap, { minLength: 1, maxLength: 60 }), fc.nat(40), (gaps, before) => {
      let last = -1
      const numbers = Uint32Array.from(gaps, (one) => (last += one + 1))
      const out = new ByteWriter(4)
      for (let at = 0; at < before; at += 1) out.byte(0xff)
      writeNumbers(out, numbers, 0, numbers.length)
      const end = out.length
      out.byte(0xff)
      for (const bytes of [out.bytes.slice(0, end), out.bytes.slice(0, out.length)]) {
        const read = new Uint32Array(numbers.length + 3)
        readNumbers(bytes, before, numbers.length, read, 3)
        assert.deepEqual(read.subarray(3), numbers)
      }
    }),
    { numRuns: 2000 },
  )
})
