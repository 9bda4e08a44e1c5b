import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAnswer } from './image-intake.ts'

const webp = 'RIFF\0\0\0\0WEBPVP8 '
const answer = (line: unknown, bytes = '') => readAnswer(Buffer.from(`${JSON.stringify(line)}\n${bytes}`, 'latin1'))

test('a WebP with a size is a picture', () => {
  assert.deepEqual(answer({ width: 2, height: 3 }, webp), { bytes: Buffer.from(webp, 'latin1'), width: 2, height: 3 })
})

test('a refusal is one of three, and its number is a number', () => {
  assert.deepEqual(answer({ refused: 'pixels', millions: 41 }), { refused: 'pixels', millions: 41 })
  assert.deepEqual(answer({ refused: 'pixels', millions: '<b>' }), { refused: 'pixels' })
  assert.deepEqual(answer({ refused: 'slow' }), { refused: 'slow' })
})

test('whatever else a decoder says, or nothing, is no picture', () => {
  for (const [line, bytes] of [
    [{ width: 2, height: 3 }, '<html>'],
    [{ width: 2, height: '3' }, webp],
    [{ width: -2, height: 3 }, webp],
    [{ width: 2.5, height: 3 }, webp],
    [{ refused: 'in words of its own' }, ''],
    [null, webp],
    ['text', webp],
  ] as const)
    assert.deepEqual(answer(line, bytes), { refused: 'damaged' })
  for (const bytes of ['', '\n', '{', webp, `{"width":2,"height":3}${webp}`])
    assert.deepEqual(readAnswer(Buffer.from(bytes, 'latin1')), { refused: 'damaged' })
})
