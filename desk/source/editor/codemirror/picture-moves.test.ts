import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EditorState } from '@codemirror/state'
import { markdown } from './keymap.ts'
import { blockAt, pictures, selectedPicture } from './picture-blocks.ts'
import { dropBlock, moveBlock, removeBlock } from './picture-moves.ts'

const picture = '![A cup](/media/abc)'
/** `P` is the picture. */
const written = (text: string): string => text.replace('P', picture)
const stateOf = (text: string): EditorState =>
  EditorState.create({ doc: written(text), extensions: [markdown, pictures] })

const blocksOf = (text: string): string[] => {
  const state = EditorState.create({ doc: text, extensions: [markdown, pictures] })
  return state.field(pictures).blocks.map(({ alt }) => alt)
}

test('a picture is a block where it is a paragraph of its own, and nowhere else', () => {
  const text = [
    '# Above\n![A](/media/a)',
    '![B](/media/b) and words',
    '- ![C](/media/c)',
    '> ![D](/media/d)',
    '```\n![E](/media/e)\n```',
    '    ![F](/media/f)',
    'Words\n![G](/media/g)',
    '![H](https://example.org/h_(1).png "Caption")  ',
  ].join('\n\n')
  assert.deepEqual(blocksOf(text), ['A', 'H'])
})

for (const [before, step, after] of [
  ['One.\n\nP\n\nTwo.', -1, 'P\n\nOne.\n\nTwo.'],
  ['One.\n\nP\n\nTwo.', 1, 'One.\n\nTwo.\n\nP'],
  ['One.\n\n\n\nP\n\nTwo.\n', 1, 'One.\n\n\n\nTwo.\n\nP\n'],
  ['P\n\n- a\n\n- b\n\nEnd.', 1, '- a\n\n- b\n\nP\n\nEnd.'],
  ['P\n\n```\na\n\nb\n```\n', 1, '```\na\n\nb\n```\n\nP\n'],
  ['# Head\nWords.\n\nP', -1, '# Head\n\nP\n\nWords.'],
  ['P\n\n# Head\nWords.', 1, '# Head\n\nP\n\nWords.'],
  ['# Head\nP\n\nWords.', 1, '# Head\nWords.\n\nP'],
  ['P\n\nOne.', -1, undefined],
  ['One.\n\nP\n', 1, undefined],
] as const) {
  test(`${JSON.stringify(before)} moved by ${step} is ${JSON.stringify(after)}`, () => {
    const state = stateOf(before)
    const spec = moveBlock(state, state.field(pictures).blocks[0]!, step)
    const next = spec && state.update(spec).state
    assert.equal(next?.doc.toString(), after && written(after))
    if (next) assert.equal(selectedPicture(next)?.alt, 'A cup')
  })
}

test('a picture is dropped before or behind any paragraph, and back where it was changes nothing', () => {
  const state = stateOf('One.\n\nTwo.\n\nP\n\nThree.')
  const block = state.field(pictures).blocks[0]!
  const drop = (words: string, isBehind: boolean) => {
    const spec = dropBlock(state, block, { at: state.doc.toString().indexOf(words), isBehind })
    return spec && state.update(spec).state.doc.toString()
  }
  assert.equal(drop('One', false), written('P\n\nOne.\n\nTwo.\n\nThree.'))
  assert.equal(drop('One', true), written('One.\n\nP\n\nTwo.\n\nThree.'))
  assert.equal(drop('Three', true), written('One.\n\nTwo.\n\nThree.\n\nP'))
  assert.equal(drop('Two', true), undefined)
  assert.equal(drop('Three', false), undefined)
})

test('removing a picture leaves one blank line between its neighbours and the rest as it was', () => {
  const removed = (text: string) => {
    const state = stateOf(text)
    return state.update(removeBlock(state, state.field(pictures).blocks[0]!)).state.doc.toString()
  }
  assert.equal(removed('One.\n\nP\n\nTwo.\n\n\nThree.'), 'One.\n\nTwo.\n\n\nThree.')
  assert.equal(removed('P\n\nTwo.'), 'Two.')
  assert.equal(removed('One.\n\nP\n'), 'One.\n')
  assert.equal(removed('P'), '')
})

test('a cursor that is put into a picture shows its Markdown until it leaves', () => {
  const state = stateOf('One.\n\nP')
  assert.equal(blockAt(state, 10)?.alt, 'A cup')
  const inside = state.update({ selection: { anchor: 10 } }).state
  assert.equal(blockAt(inside, 10), undefined)
  const typed = inside.update({ changes: { from: 10, insert: 'x' }, selection: { anchor: 11 } }).state
  assert.equal(blockAt(typed, 10), undefined)
  const outside = typed.update({ selection: { anchor: 0 } }).state
  assert.notEqual(blockAt(outside, 10), undefined)
})
