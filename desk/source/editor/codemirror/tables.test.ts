import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stateOf, textOf } from './marked-state.ts'
import { nextCell, previousCell } from './tables.ts'

/** `⇥` is Tab, `⇤` Shift+Tab. Undefined if the key is left to the browser. */
function pressed(text: string, keys: string): string | undefined {
  let state = stateOf(text)
  const dispatch = (transaction: { readonly state: typeof state }) => {
    state = transaction.state
  }
  for (const key of keys) {
    if (!(key === '⇥' ? nextCell : previousCell)({ state, dispatch })) return undefined
  }
  return textOf(state)
}

const table = (first: string) => `Above.\n\n${first}\n| --- | --- |\n| c | d \\| e |\n\nBelow.`

test('Tab goes to the next cell and the next row, past the row of dashes; Shift+Tab goes back', () => {
  assert.equal(pressed(table('| a‸ | b |'), '⇥'), table('| a | b‸ |'))
  assert.equal(pressed(table('| a | b‸ |'), '⇥'), table('| a | b |').replace('c', 'c‸'))
  assert.equal(pressed(table('| a | b‸ |'), '⇥⇥'), table('| a | b |').replace('e |', 'e‸ |'))
  assert.equal(pressed(table('| a | b‸ |'), '⇥⇥⇤⇤'), table('| a | b‸ |'))
  assert.equal(pressed(table('| a‸ | b |'), '⇤'), table('| a‸ | b |'))
  assert.equal(pressed('| a | b |\n| -‸- | -- |\n| c | d |', '⇥'), '| a | b |\n| -- | -- |\n| c‸ | d |')
  assert.equal(pressed('| a | b |\n| -- | -- |\n|  |  |‸', '⇤'), '| a | b |\n| -- | -- |\n|  | ‸ |')
})

test('Tab in the last cell makes a row', () => {
  assert.equal(pressed('| a | b |\n| - | - |\n| c | d‸ |', '⇥'), '| a | b |\n| - | - |\n| c | d |\n| ‸ |  |')
  assert.equal(
    pressed('> | a | b |\n> | - | - |\n> | c | d‸ |', '⇥'),
    '> | a | b |\n> | - | - |\n> | c | d |\n> | ‸ |  |',
  )
  assert.equal(pressed('a | b\n-|-\nc | d‸', '⇥'), 'a | b\n-|-\nc | d\n| ‸ |  |')
})

test('elsewhere Tab is not for cells', () => {
  assert.equal(pressed('‸Text.', '⇥'), undefined)
  assert.equal(pressed('`a | b`‸', '⇥'), undefined)
})
