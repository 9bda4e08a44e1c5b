import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { diffLists, diffParagraphs, diffWords, type Paragraph, paragraphsOf, type Step } from './diff.ts'

const shown = (paragraphs: readonly Paragraph[]): string[] =>
  paragraphs.map(({ kind, parts }) => `${kind}: ${parts.map(mark).join('')}`)
const mark = ({ kind, text }: { kind: string; text: string }) =>
  kind === 'same' ? text : kind === 'added' ? `{+${text}+}` : `[-${text}-]`

const sideOf = <T>(found: readonly Step<T>[], side: 'removed' | 'added'): T[] =>
  found.filter(({ kind }) => kind === 'same' || kind === side).map(({ item }) => item)

describe('steps from one list to another', () => {
  test('give back both lists, whatever they are', () => {
    let seed = 7
    const random = (below: number) => {
      seed = (seed * 1103515245 + 12345) % 2147483648
      return seed % below
    }
    for (let round = 0; round < 500; round += 1) {
      const list = () => Array.from({ length: random(12) }, () => 'abcd'[random(4)]!)
      const [before, after] = [list(), list()]
      const found = diffLists(before, after)
      assert.deepEqual([sideOf(found, 'removed'), sideOf(found, 'added')], [before, after])
    }
  })

  test('are as few as they can be', () => {
    const found = diffLists([...'abcabba'], [...'cbabac'])
    assert.equal(found.filter(({ kind }) => kind !== 'same').length, 5)
  })

  test('are not looked for past 1,500: lists further apart are simply different, however long', () => {
    const list = (prefix: string, length: number) => Array.from({ length }, (_, place) => `${prefix}${place}`)
    const sharing = (length: number) =>
      diffLists(
        [...list('a', length), 'shared', ...list('b', length)],
        [...list('c', length), 'shared', ...list('d', length)],
      )
    const shared = (found: readonly Step<string>[]) => found.filter(({ kind }) => kind === 'same').length
    assert.deepEqual([shared(sharing(375)), shared(sharing(376))], [1, 0])
    assert.equal(diffLists(list('a', 20_000), list('b', 20_000)).length, 40_000)
  })
})

describe('the difference of two texts', () => {
  test('is by paragraph, and by word inside one that was changed', () => {
    const before = 'Tea is slow.\n\nIt takes four minutes, no less.\n\nThe end.'
    const after = 'Tea is slow.\n\nIt takes five minutes, no less.\n\nAnd a cup.\n\nThe end.'
    assert.deepEqual(shown(diffParagraphs(before, after)), [
      'same: Tea is slow.',
      'changed: It takes [-four-]{+five+} minutes, no less.',
      'added: {+And a cup.+}',
      'same: The end.',
    ])
  })

  test('shows a paragraph that was rewritten as two', () => {
    assert.deepEqual(shown(diffParagraphs('Tea is slow.', 'Coffee was quick, once.')), [
      'removed: [-Tea is slow.-]',
      'added: {+Coffee was quick, once.+}',
    ])
  })

  test('reads as phrases, not as a row of words', () => {
    assert.equal(
      diffWords('a small grey cat sat', 'a very large dog sat').map(mark).join(''),
      'a [-small grey cat-]{+very large dog+} sat',
    )
  })

  test('does not mind how lines end', () => {
    assert.ok(diffParagraphs('a\r\n\r\nb', 'a\n\nb').every(({ kind }) => kind === 'same'))
  })

  test('keeps code with blank lines in one paragraph', () => {
    assert.deepEqual(paragraphsOf('a\n\n```\nb\n\nc\n```\n\nd'), ['a', '```\nb\n\nc\n```', 'd'])
  })
})
