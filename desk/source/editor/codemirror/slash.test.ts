import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CompletionContext, type CompletionResult } from '@codemirror/autocomplete'
import { EditorState, type TransactionSpec } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import '../../testing-messages.ts'
import { markdown } from './keymap.ts'
import { slashMenu } from './slash.ts'

const menu = slashMenu()

const asked = (text: string) => {
  const state = EditorState.create({ doc: text.replace('‸', ''), extensions: [markdown] })
  const at = text.indexOf('‸')
  return { state, at, result: menu(new CompletionContext(state, at, false)) as CompletionResult | null }
}

/** `‸` is the cursor, before and after. */
function chosen(text: string, name: string): string {
  const { state: before, at, result } = asked(text)
  const option = result?.options.find(({ displayLabel }) => displayLabel === name)
  assert.ok(result && option && typeof option.apply === 'function', `${name} is not offered`)
  let state = before
  const view = {
    state,
    dispatch(...specs: TransactionSpec[]) {
      state = before.update(...specs).state
    },
  }
  option.apply(view as unknown as EditorView, option, result.from, at)
  const { head } = state.selection.main
  return `${state.sliceDoc(0, head)}‸${state.sliceDoc(head)}`
}

test('code is written inside its fence, with no empty line left in it', () => {
  assert.equal(chosen('/co‸', 'Code'), '```\n‸\n```')
})

test('a table has three columns and stands apart, the cursor in its first cell', () => {
  assert.equal(chosen('/‸', 'Table'), '| ‸ |  |  |\n| --- | --- | --- |\n|  |  |  |')
  const table = chosen('Above\n/‸\nBelow', 'Table').replace('‸', 'x')
  assert.equal(table, 'Above\n\n| x |  |  |\n| --- | --- | --- |\n|  |  |  |\n\nBelow')
  const found: string[] = []
  markdown.parser.parse(table).iterate({ enter: ({ name }) => void found.push(name) })
  assert.ok(found.includes('Table'))
})

test('a divider under a line of text does not make a heading of it', () => {
  assert.equal(chosen('Above\n/‸', 'Divider'), 'Above\n\n---\n\n‸')
})

test('a footnote has the next free number; its mark stays, its note is written at the end', () => {
  assert.equal(chosen('/foot‸', 'Footnote'), '[^1]‸\n\n[^1]: ')
  assert.equal(chosen('A[^2]\n\n/‸ more\n\n[^2]: b\n', 'Footnote'), 'A[^2]\n\n[^3]‸ more\n\n[^2]: b\n\n[^3]: ')
})

test('a link comes without half an address, so that a pasted one is not doubled', () => {
  assert.equal(chosen('/li‸', 'Link'), '[‸]()')
})

test('a slash in code is a slash', () => {
  assert.equal(asked('```\n/‸\n```').result, null)
})

test('after a space a slash opens the menu too, and a note is put where it was typed', () => {
  assert.equal(chosen('Tea /foot‸ is hot.', 'Footnote'), 'Tea [^1]‸ is hot.\n\n[^1]: ')
  assert.equal(chosen('- tea /qu‸', 'Quote'), '> - tea ‸')
  assert.equal(chosen('Why tea /head‸', 'Heading'), '## Why tea ‸')
  assert.equal(chosen('Tea. /table‸ More.', 'Table'), 'Tea.\n\n| ‸ |  |  |\n| --- | --- | --- |\n|  |  |  |\n\nMore.')
})

test('a slash within a word, in an address or alone between words is a slash', () => {
  for (const text of ['and/o‸', 'https://x‸', 'tea / ‸', 'tea / co‸', '/ ‸'])
    assert.equal(asked(text).result, null, text)
})

test('each of the twelve is offered', () => {
  const names = asked('/‸').result?.options.map(({ displayLabel }) => displayLabel)
  const inserts = ['Code', 'Picture', 'Table', 'Link', 'Divider', 'Footnote']
  assert.deepEqual(names, ['Heading', 'Subheading', 'List', 'Numbered list', 'Checklist', 'Quote', ...inserts])
})
