import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPictures, pictureMarkdown, replacePicture } from './picture-syntax.ts'

test('a picture is found by its address, with its words, title or not', () => {
  const text = [
    '![A cup](/media/abc-1)',
    '![](https://example.org/a_(1).png "A title")',
    '![A pot](/media/abc-2#wide "The *old* \\"pot\\". Photo: [Ada](https://ada.example)")',
    '![Two \\[old\\] cups](<https://example.org/b.png>)',
    '![no address]() [no picture](https://example.org/c.png) ![broken](https://example.org/d.png',
  ].join('\n\n')
  assert.deepEqual(
    [...findPictures(text)].map(({ words, address }) => [words, address]),
    [
      ['A cup', '/media/abc-1'],
      ['', 'https://example.org/a_(1'],
      ['A pot', '/media/abc-2#wide'],
      ['Two \\[old\\] cups', 'https://example.org/b.png'],
    ],
  )
})

test('a picture is written with its caption and width, and found again', () => {
  const written = pictureMarkdown({ alt: 'A [cup]', address: '/media/abc', caption: 'Of "tea" \\', width: 'full' })
  assert.equal(written, '![A \\[cup\\]](/media/abc#full "Of \\"tea\\" \\\\")')
  assert.deepEqual(
    [...findPictures(written)].map(({ address }) => address),
    ['/media/abc#full'],
  )
  assert.equal(pictureMarkdown({ alt: '', address: '/media/abc', caption: ' ', width: 'text' }), '![](/media/abc)')
})

test('a picture gets another address everywhere, with its width, and neither longer addresses nor links change', () => {
  const from = 'https://a.example/cup.jpg'
  const text = `![A](${from}) ![B](<${from}> "C") [${from}](${from}) ![D](${from}?big)`
  assert.equal(
    replacePicture(text, from, '/media/1'),
    `![A](/media/1) ![B](</media/1> "C") [${from}](${from}) ![D](${from}?big)`,
  )
  assert.equal(replacePicture(`![A](${from}#wide)`, `${from}#wide`, '/media/1'), '![A](/media/1#wide)')
})
