import assert from 'node:assert/strict'
import { test } from 'node:test'
import { history, insertNewlineKeepIndent, undo } from '@codemirror/commands'
import { EditorState, type StateCommand } from '@codemirror/state'
import type { Command, EditorView } from '@codemirror/view'
import { beginParagraph, breakLine, continueBlock, leaveLink, markdown } from './keymap.ts'

/** `‸` is the cursor; `⏎` is Enter, `↵` Shift+Enter, `⇥` Tab, `↶` undo; every other character is typed. */
const keys: Readonly<Record<string, readonly (Command | StateCommand)[]>> = {
  '⏎': [leaveLink, continueBlock, beginParagraph, insertNewlineKeepIndent],
  '↵': [breakLine, insertNewlineKeepIndent],
  '⇥': [leaveLink],
  '↶': [undo],
}

function typed(text: string, ...signs: string[]): string {
  const anchor = text.indexOf('‸')
  const doc = text.replace('‸', '')
  const view = {
    state: EditorState.create({ doc, selection: { anchor }, extensions: [markdown, history()] }),
    dispatch(transaction: { state: EditorState }) {
      view.state = transaction.state
    },
  }
  for (const sign of signs.join('')) {
    const commands = keys[sign]
    if (commands) commands.some((command) => command(view as unknown as EditorView))
    else view.dispatch(view.state.update(view.state.replaceSelection(sign), { userEvent: 'input.type' }))
  }
  const { head } = view.state.selection.main
  return `${view.state.sliceDoc(0, head)}‸${view.state.sliceDoc(head)}`
}

test('what follows a list or a quote that Enter has left is a paragraph', () => {
  assert.equal(typed('‸', '- a⏎b⏎⏎after'), '- a\n- b\n\nafter‸')
  assert.equal(typed('‸', '> a⏎⏎after'), '> a\n\nafter‸')
  assert.equal(typed('- a\n- ‸\n- c', '⏎'), '- a\n\n‸\n\n- c')
  assert.equal(typed('- ‸', '⏎'), '‸')
})

test('Enter begins a paragraph in prose, with no more line breaks than it needs', () => {
  assert.equal(typed('‸', 'one⏎two'), 'one\n\ntwo‸')
  assert.equal(typed('one ‸two', '⏎'), 'one \n\n‸two')
  assert.equal(typed('## Head‸', '⏎text'), '## Head\n\ntext‸')
  assert.equal(typed('one\n‸', '⏎two'), 'one\n\ntwo‸')
  assert.equal(typed('one‸\ntwo', '⏎'), 'one\n\n‸two')
  assert.equal(typed('one\n‸two', '⏎'), 'one\n\n‸two')
  assert.equal(typed('one‸\n\ntwo', '⏎new'), 'one\n\nnew‸\n\ntwo')
  assert.equal(typed('one‸\n- two', '⏎new'), 'one\n\nnew‸\n- two')
})

test('Enter is one line break in code, in tables and in a row that may become one', () => {
  assert.equal(typed('```\na‸\n```', '⏎b'), '```\na\nb‸\n```')
  assert.equal(typed('    a‸', '⏎b'), '    a\n    b‸')
  assert.equal(typed('| a |\n| - |‸', '⏎'), '| a |\n| - |\n‸')
  assert.equal(typed('| a |‸', '⏎'), '| a |\n‸')
  assert.equal(typed('- a\n  b‸', '⏎c'), '- a\n  b\n  c‸')
})

test('Shift and Enter break the line within the paragraph', () => {
  assert.equal(typed('one‸', '↵two'), 'one\\\ntwo‸')
  assert.equal(typed('one‸\ntwo', '↵'), 'one\\\n‸two')
  assert.equal(typed('‸', '↵'), '\n‸')
  assert.equal(typed('```\na‸\n```', '↵b'), '```\na\nb‸\n```')
})

test('one step back takes away the whole of what Enter did', () => {
  assert.equal(typed('one‸', '⏎↶'), 'one‸')
  assert.equal(typed('- a\n- ‸', '⏎↶'), '- a\n- ‸')
})

test('Enter and Tab go from the words of a link to its address, and from there out of it', () => {
  for (const key of ['⏎', '⇥']) {
    assert.equal(
      typed('See [‸]().', `tea${key}https://x.test/a_(b)${key} now`),
      'See [tea](https://x.test/a_(b)) now‸.',
    )
    assert.equal(typed('[a](‸/b "T")', key), '[a](/b "T")‸')
  }
  assert.equal(typed('```\nf[0](a‸)\n```', '⏎'), '```\nf[0](a\n‸)\n```')
  assert.equal(typed('[a](/b)‸', '⏎'), '[a](/b)\n\n‸')
})
