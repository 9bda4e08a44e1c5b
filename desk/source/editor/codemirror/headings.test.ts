import assert from 'node:assert/strict'
import { test } from 'node:test'
import { headingAt, headingsOf } from './headings.ts'
import { stateOf } from './marked-state.ts'

const listed = (text: string) => headingsOf(stateOf(text)).map(({ level, words }) => `${level} ${words}`)

test('headings of both kinds are listed by their words, without signs', () => {
  assert.deepEqual(listed('# One\n\nText.\n\nTwo\n===\n\nThree\n---\n\n#### **Four** and `five` ####'), [
    '1 One',
    '1 Two',
    '2 Three',
    '4 Four and five',
  ])
  assert.deepEqual(listed('## A [link *here*](https://a.example "title") and \\*stars\\*'), [
    '2 A link here and *stars*',
  ])
})

test('what only looks like a heading is not listed', () => {
  assert.deepEqual(listed('```\n# code\n```\n\n> # quoted\n\n- # listed\n\n#tag\n\n##\n\n\\# not'), [])
})

test('the current heading is the last before the caret, and there is none above the first', () => {
  const at = (text: string) => {
    const state = stateOf(text)
    return headingAt(headingsOf(state), state)
  }
  assert.equal(at('Te‸xt.\n\n## One\n\n## Two'), -1)
  assert.equal(at('Text.\n\n‸## One\n\n## Two'), 0)
  assert.equal(at('Text.\n\n## One\n\nIn o‸ne.\n\n## Two'), 0)
  assert.equal(at('Text.\n\n## One\n\n## Two\n\n‸'), 1)
})

test('the caret goes to the end of the words', () => {
  const ends = (text: string) => headingsOf(stateOf(text)).map(({ from, to }) => text.slice(from, to))
  assert.deepEqual(ends('## One\n\nTwo\n---\n\nText'), ['## One', 'Two'])
})
