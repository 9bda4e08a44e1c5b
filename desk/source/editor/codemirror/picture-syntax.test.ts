import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPictures } from './picture-syntax.ts'

test('a picture is found by its address, with its words, title or not', () => {
  const text = [
    '![A cup](/media/abc-1)',
    '![](https://example.org/a_(1).png "A title")',
    '![Two \\[old\\] cups](<https://example.org/b.png>)',
    '![no address]() [no picture](https://example.org/c.png) ![broken](https://example.org/d.png',
  ].join('\n\n')
  assert.deepEqual(
    [...findPictures(text)].map(({ words, address }) => [words, address]),
    [
      ['A cup', '/media/abc-1'],
      ['', 'https://example.org/a_(1'],
      ['Two \\[old\\] cups', 'https://example.org/b.png'],
    ],
  )
})
