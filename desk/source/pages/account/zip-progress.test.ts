import assert from 'node:assert/strict'
import { test } from 'node:test'
import { zipProgress } from './zip-progress.ts'

/** The data descriptor after a file in a streamed zip. */
function record(size: number): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(16))
  bytes.setUint32(0, 0x504b0708)
  bytes.setUint32(8, 3, true)
  bytes.setUint32(12, size, true)
  return new Uint8Array(bytes.buffer)
}

test('the sizes of the files that have gone by are added up, however the stream is cut', () => {
  const stream = [...new Uint8Array(40).fill(0x50), ...record(1000), 1, 2, 3, ...record(70_000), 9, 9]
  for (const length of [1, 2, 7, 16, 17, stream.length]) {
    const add = zipProgress()
    let unpacked = 0
    for (let at = 0; at < stream.length; at += length) unpacked = add(Uint8Array.from(stream.slice(at, at + length)))
    assert.equal(unpacked, 71_000, `in pieces of ${length}`)
  }
})
