import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteCharBackward, deleteCharForward, deleteGroupBackward, history, undo } from '@codemirror/commands'
import { EditorState, type StateCommand, type Transaction, type TransactionSpec } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { hidesSigns } from './hidden-signs.ts'
import { enterAmongSigns, hiddenSignsEditing } from './hidden-signs-editing.ts'
import { beginParagraph, breakLine, continueBlock, markdown } from './keymap.ts'
import { stateOf, textOf } from './marked-state.ts'
import { bold, italic, type Mark, toggleMark } from './marks.ts'
import { togglePending } from './next-marks.ts'

type Key = (view: EditorView) => boolean

const toggled =
  (mark: Mark): Key =>
  (view) => {
    if (!togglePending(view, mark)) view.dispatch(view.state.update(toggleMark(view.state, mark)))
    return true
  }

const moved =
  (by: number): Key =>
  (view) => {
    const { head } = view.state.selection.main
    view.dispatch(view.state.update({ selection: { anchor: head + by }, userEvent: 'select' }))
    return true
  }

/**
 * `⏎` is Enter, `↵` Shift+Enter, `⌫` Backspace, `⌦` Delete, `⇤` Backspace for a word, `←` and `→` arrows, `Ⓑ` and `Ⓘ` bold and
 * italic, `↶` undo; every other character is typed. What has line breaks is pasted.
 */
const keys: Readonly<Record<string, readonly (Key | StateCommand)[]>> = {
  '⏎': [enterAmongSigns([continueBlock, beginParagraph]), continueBlock, beginParagraph],
  '↵': [breakLine],
  '⌫': [deleteCharBackward],
  '⌦': [deleteCharForward],
  '⇤': [deleteGroupBackward],
  '←': [moved(-1)],
  '→': [moved(1)],
  'Ⓑ': [toggled(bold)],
  'Ⓘ': [toggled(italic)],
  '↶': [undo],
}

function typed(text: string, given: string): string {
  const { doc, selection } = stateOf(text)
  const extensions = [markdown, history(), hidesSigns.of(true), hiddenSignsEditing]
  const view = {
    state: EditorState.create({ doc, selection, extensions }),
    dispatch(given: Transaction | TransactionSpec) {
      view.state = 'startState' in given ? given.state : view.state.update(given).state
    },
  }
  if (given.includes('\n')) {
    view.dispatch(view.state.update(view.state.replaceSelection(given), { userEvent: 'input.paste' }))
    return textOf(view.state)
  }
  for (const sign of given) {
    const commands = keys[sign]
    if (commands) commands.some((command) => command(view as unknown as EditorView))
    else view.dispatch(view.state.update(view.state.replaceSelection(sign), { userEvent: 'input.type' }))
  }
  return textOf(view.state)
}

test('bold is switched on and off while typing, over several words, and no sign is left alone', () => {
  assert.equal(typed('‸', 'One ⒷtwoⒷ three'), 'One **two** three‸')
  assert.equal(typed('‸', 'One Ⓑtwo threeⒷ four'), 'One **two three** four‸')
  assert.equal(typed('‸', 'One Ⓑtwo Ⓑthree'), 'One **two** three‸')
  assert.equal(typed('‸', 'ⒷaⒾ bⒾ cⒷ d'), '**a _b_ c** d‸')
  assert.equal(typed('‸', 'ⒷⒾtea timeⒷⒾ x'), '**_tea time_** x‸')
  assert.equal(typed('‸', 'ⒷⒷplain'), 'plain‸')
})

test('typing at the end of marked words goes on in them; a space there never shows a sign', () => {
  assert.equal(typed('**tea‸**', 's'), '**teas‸**')
  assert.equal(typed('**tea‸**', ' '), '**tea** ‸')
  assert.equal(typed('**tea‸**', ' time'), '**tea time‸**')
  assert.equal(typed('**tea‸**', '  time'), '**tea  time‸**')
  assert.equal(typed('***tea‸***', ' time'), '***tea time‸***')
  assert.equal(typed('~~tea‸~~', ' time'), '~~tea time‸~~')
  assert.equal(typed('**tea‸** now', ' time'), '**tea time‸** now')
  assert.equal(typed('**tea‸**', ' t⌫⌫s'), '**teas‸**')
})

test('an arrow moves by what is seen, and never stays where it was', () => {
  assert.equal(typed('‸**tea** now', '→'), '**t‸ea** now')
  assert.equal(typed('**t‸ea** now', '←'), '**‸tea** now')
  assert.equal(typed('a **t‸ea** now', '←'), 'a ‸**tea** now')
  assert.equal(typed('**tea‸** now', '→'), '**tea** ‸now')
  assert.equal(typed('**tea** ‸now', '←'), '**tea‸** now')
  assert.equal(typed('a [tea](/x)‸ b', '←'), 'a [te‸a](/x) b')
  assert.equal(typed('One.\n\n## ‸Two', '←'), 'One.\n‸\n## Two')
  assert.equal(typed('One.\n‸\n## Two', '→'), 'One.\n\n## ‸Two')
  assert.equal(typed('**a‸**_b_', '→'), '**a**_b‸_')
})

test('Backspace and Delete take what is seen, and the signs with the last of their words', () => {
  assert.equal(typed('**tea**‸', '⌫'), '**te‸**')
  assert.equal(typed('**t‸**', '⌫'), '‸')
  assert.equal(typed('a **t**‸ b', '⌫'), 'a ‸ b')
  assert.equal(typed('**‸tea**', '⌦'), '**‸ea**')
  assert.equal(typed('a ‸**tea**', '⌦'), 'a ‸**ea**')
  assert.equal(typed('a\n**‸tea**', '⌫'), 'a‸**tea**')
  assert.equal(typed('**‸tea**', 'x'), '**x‸tea**')
  assert.equal(typed('**tea‸** now', '⌦'), '**tea‸**now')
  assert.equal(typed('[t‸](/x)', '⌫'), '‸')
  assert.equal(typed('a [tea](/x)‸', '⌫'), 'a [te‸](/x)')
  assert.equal(typed('`t‸`', '⌫'), '‸')
  assert.equal(typed('5 \\*‸ 3', '⌫'), '5 ‸ 3')
  assert.equal(typed('**two words‸**', '⇤'), '**two** ‸')
  assert.equal(typed('**two words‸**', '⇤more'), '**two more‸**')
  assert.equal(typed('**two w‸**', '⌫x'), '**two x‸**')
})

test('a selection over a part of marked words leaves the rest of them marked', () => {
  assert.equal(typed('a⟦b **cd⟧ef** g', '⌫'), 'a‸**ef** g')
  assert.equal(typed('a **bc⟦de** f⟧g', '⌫'), 'a **bc‸**g')
  assert.equal(typed('**a⟦b**\n\n_c⟧d_', '⌫'), '**a‸**_d_')
  assert.equal(typed('**a⟦b**\n\n**c⟧d**', '⌫'), '**a‸d**')
  assert.equal(typed('⟦**tea**⟧ now', 'x'), '**x‸** now')
  assert.equal(typed('⟦a **tea** b⟧', 'x'), 'x‸')
  assert.equal(typed('**⟦two⟧ words**', '⌫'), '‸ **words**')
  assert.equal(typed('**a ⟦b⟧ c**', 'x'), '**a x‸ c**')
})

test('Enter within marked words gives each paragraph its own signs', () => {
  assert.equal(typed('**te‸a**', '⏎'), '**te**\n\n**‸a**')
  assert.equal(typed('**two ‸words**', '⏎'), '**two** \n\n**‸words**')
  assert.equal(typed('**two‸ words**', '⏎'), '**two**\n\n**‸words**')
  assert.equal(typed('- **te‸a**', '⏎'), '- **te**\n- **‸a**')
  assert.equal(typed('[a‸b](/x)', '⏎'), '[a](/x)\n\n‸[b](/x)')
  assert.equal(typed('**tea‸**', '⏎now'), '**tea**\n\nnow‸')
  assert.equal(typed('**_a‸b_**', '⏎'), '**_a_**\n\n**_‸b_**')
  assert.equal(typed('**‸tea**', '⏎'), '\n\n**‸tea**')
})

test('a heading is left by Enter, made a paragraph by Backspace, and joined with what is above', () => {
  assert.equal(typed('## ‸Tea', '⌫'), '‸Tea')
  assert.equal(typed('## ‸', '⏎'), '‸')
  assert.equal(typed('## ‸Tea', '⏎'), '\n\n## ‸Tea')
  assert.equal(typed('## Tea‸', '⏎now'), '## Tea\n\nnow‸')
  assert.equal(typed('> ‸Tea', '⌫'), '‸Tea')
  assert.equal(typed('> ## ‸Tea', '⌫'), '> ‸Tea')
  assert.equal(typed('One.‸\n## Two', '⌦'), 'One.‸Two')
})

test('italic words stay italic when a character is typed beside them', () => {
  assert.equal(typed('_tea_‸', 's'), '*tea*s‸')
  assert.equal(typed('‸_tea_', 's'), 's‸*tea*')
  assert.equal(typed('‸', 'ⒾteaⒾs'), '*tea*s‸')
})

test('paragraphs that are pasted within marked words divide these', () => {
  assert.equal(typed('**te‸a**', 'x\n\ny'), '**te**x\n\ny‸**a**')
  assert.equal(typed('**tea‸**', 'x\n\ny'), '**tea**x\n\ny‸')
})

test('undo takes a step back from all of it', () => {
  assert.equal(typed('**te‸a**', '⏎↶'), '**te‸a**')
  assert.equal(typed('## ‸Tea', '⌫↶'), '## ‸Tea')
})

test('Markdown that is typed becomes what it means', () => {
  assert.equal(typed('‸', 'a **b** c'), 'a **b** c‸')
  assert.equal(typed('‸', '## Tea'), '## Tea‸')
  assert.equal(typed('‸', 'see [tea](/x) now'), 'see [tea](/x) now‸')
  assert.equal(typed('‸', '2 * 3 * 4'), '2 * 3 * 4‸')
})
