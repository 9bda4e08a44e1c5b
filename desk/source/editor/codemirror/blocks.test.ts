import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  hasLineStyle,
  insertBlock,
  insertCode,
  isQuote,
  type LineStyle,
  toggleLineStyle,
  toggleQuote,
} from './blocks.ts'
import { changed, stateOf } from './marked-state.ts'

const styled = (text: string, style: LineStyle) => changed(text, (state) => toggleLineStyle(state, style))
const pictured = (text: string) =>
  changed(text, (state) => insertBlock(state, state.selection.main.head, state.selection.main.head, '![a](/media/b)'))

test('lines become a heading or a list, another one, and text again', () => {
  assert.equal(styled('On ‸tea', 'heading'), '## On ‸tea')
  assert.equal(styled('## On ‸tea', 'subheading'), '### On ‸tea')
  assert.equal(styled('### On ‸tea', 'subheading'), 'On ‸tea')
  assert.equal(styled('⟦a\n\nb⟧', 'numbered_list'), '1. ⟦a\n\n2. b⟧')
  assert.equal(styled('1. ⟦a\n2. b⟧', 'list'), '- ⟦a\n- b⟧')
  assert.equal(styled('- ⟦a\n- b⟧', 'list'), '⟦a\nb⟧')
  assert.equal(styled('- a‸', 'checklist'), '- [ ] a‸')
  assert.equal(styled('> a‸', 'list'), '> - a‸')
  assert.equal(styled('‸', 'list'), '- ‸')
})

test('a heading that is underlined loses the line below it', () => {
  assert.equal(styled('Te‸a\n===\n\nHot.', 'subheading'), '### Te‸a\n\nHot.')
})

test('code and tables are no headings', () => {
  assert.equal(styled('```\na‸\n```', 'heading'), undefined)
  assert.equal(styled('| a‸ |\n| - |', 'list'), undefined)
})

test('a quote has whole paragraphs, with the blank lines between them', () => {
  assert.equal(changed('⟦one\ntwo\n\nthr⟧ee\nfour\n\nfive', toggleQuote), '> ⟦one\n> two\n>\n> thr⟧ee\n> four\n\nfive')
  assert.equal(changed('> o‸ne\n> two\n\nthree', toggleQuote), 'o‸ne\ntwo\n\nthree')
  assert.equal(changed('‸', toggleQuote), '> ‸')
})

test('what lines are is known', () => {
  assert.equal(hasLineStyle(stateOf('- ⟦a\n\n* b⟧'), 'list'), true)
  assert.equal(hasLineStyle(stateOf('- [ ] a‸'), 'list'), false)
  assert.equal(hasLineStyle(stateOf('## ⟦a\n\nb⟧'), 'heading'), false)
  assert.equal(isQuote(stateOf('> ‸a')), true)
  assert.equal(isQuote(stateOf('‸')), false)
})

test('after a picture the cursor is in the paragraph below it', () => {
  assert.equal(pictured('Before.‸\n\nAfter.'), 'Before.\n\n![a](/media/b)\n\n‸After.')
  assert.equal(pictured('Before.‸'), 'Before.\n\n![a](/media/b)\n\n‸')
  assert.equal(pictured('Before.‸\n'), 'Before.\n\n![a](/media/b)\n\n‸')
  assert.equal(pictured('Before.\n‸\nAfter.'), 'Before.\n\n![a](/media/b)\n\n‸After.')
  assert.equal(pictured('‸'), '![a](/media/b)\n\n‸')
})

test('selected lines become code, whatever is in them', () => {
  assert.equal(changed('⟦a\nb⟧', insertCode), '```\na\nb‸\n```')
  assert.equal(changed('⟦```⟧', insertCode), '````\n```‸\n````')
})
