import assert from 'node:assert/strict'
import { test } from 'node:test'
import { currentLines } from './focus-mode.ts'
import { stateOf } from './marked-state.ts'

function current(text: string): string {
  const state = stateOf(text)
  const { from, to } = currentLines(state)
  return state.sliceDoc(state.doc.lineAt(from).from, state.doc.lineAt(to).to)
}

test('the paragraph, heading or block with the caret is the current one', () => {
  assert.equal(current('One.\n\nTwo‸\nthree.\n\nFour.'), 'Two\nthree.')
  assert.equal(current('One.\n\n## Tw‸o\n\nFour.'), '## Two')
  assert.equal(current('One.\n\n```\na‸\n\nb\n```\n\nFour.'), '```\na\n\nb\n```')
  assert.equal(current('| a | b |\n| - | - |\n| c‸ | d |\n\nFour.'), '| a | b |\n| - | - |\n| c | d |')
})

test('of a list it is the item, and between paragraphs the empty line', () => {
  assert.equal(current('- one\n- tw‸o\n- three'), '- two')
  assert.equal(current('One.\n‸\nTwo.'), '')
  assert.equal(current('> One.\n>\n> Tw‸o.'), '> Two.')
})

test('a selection makes all between its ends current', () => {
  assert.equal(current('One.\n\nTw⟦o.\n\nThr⟧ee.\n\nFour.'), 'Two.\n\nThree.')
})
