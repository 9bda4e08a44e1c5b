import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPictures } from '../../components/find-pictures.ts'
import { editPicture, type Picture, pictureMarkdown, readPicture, replacePicture } from './picture-syntax.ts'

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

test('a line that is one picture is read with alt text, address, caption and width', () => {
  const read = (line: string) => {
    const picture = readPicture(line)
    return picture && [picture.alt, picture.address, picture.caption, picture.width]
  }
  assert.deepEqual(read('![A \\[cup\\]](/media/abc#wide "Of \\"tea\\"")'), [
    'A [cup]',
    '/media/abc',
    'Of "tea"',
    'wide',
  ])
  assert.deepEqual(read("  ![](<https://a.example/b_(1).png> 'One')  "), [
    '',
    'https://a.example/b_(1).png',
    'One',
    'text',
  ])
  for (const line of [
    '![A](/media/abc) x',
    '![A](</media/abc)',
    '![A](http://a.example/b.png)',
    '![A]',
    '[A](/media/abc)',
  ]) {
    assert.equal(read(line), undefined, line)
  }
})

test('only the part of a picture that changes is written', () => {
  const edited = (line: string, next: Partial<Picture>) =>
    editPicture(line, next).reduceRight(
      (text, { from, to, insert }) => text.slice(0, from) + insert + text.slice(to),
      line,
    )
  const line = "  ![A \\* cup]( </media/abc> 'One' )"
  assert.equal(edited(line, { caption: 'One', alt: 'A * cup', width: 'text' }), line)
  assert.equal(edited(line, { width: 'full' }), "  ![A \\* cup]( </media/abc#full> 'One' )")
  assert.equal(edited(line, { caption: '' }), '  ![A \\* cup]( </media/abc> )')
  assert.equal(edited(line, { caption: ' Two "three" ' }), '  ![A \\* cup]( </media/abc> "Two \\"three\\"" )')
  assert.equal(edited(line, { alt: '[B]' }), "  ![\\[B\\]]( </media/abc> 'One' )")
  assert.equal(edited('![A](/media/abc)', { caption: 'One', address: '/media/d' }), '![A](/media/d "One")')
})
