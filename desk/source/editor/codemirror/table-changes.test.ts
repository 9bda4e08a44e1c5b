import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EditorState } from '@codemirror/state'
import {
  alignColumn,
  changeTable,
  emptyCells,
  fillCells,
  insertColumn,
  insertRow,
  moveColumn,
  moveRow,
  removeColumn,
  removeRow,
  setCellText,
  type TableChange,
  tableOf,
} from './table-changes.ts'
import { readTable, type Table } from './table-syntax.ts'

/** Lines of different forms. */
const given = '|a | **b**   |\n|--|:-:|\n| `x \\| y`|c\n| d | e | extra |\nlast'

/** The text after a change, and which of its lines are other ones. */
function done(change: (table: Table) => TableChange | undefined, text = given): { text: string; cell: string } {
  const state = EditorState.create({ doc: `Above.\n\n${text}\n\nBelow.` })
  const table = readTable(text)!
  const made = change(table)
  assert.ok(made, 'it can be done')
  const { state: next } = state.update(changeTable(8, table, made))
  const whole = next.doc.toString()
  assert.ok(whole.startsWith('Above.\n\n') && whole.endsWith('\n\nBelow.'))
  const after = whole.slice(8, -8)
  assert.equal(after, made.lines.join('\n'))
  const { head } = next.selection.main
  return { text: after, cell: `${whole.slice(head - 3, head)}‸` }
}
const textOf = (change: (table: Table) => TableChange | undefined, text = given): string => done(change, text).text

test('cells are read as readers see them: pipes after a backslash are text, missing cells are empty', () => {
  assert.deepEqual(readTable(given)?.rows, [
    ['a', '**b**'],
    ['`x | y`', 'c'],
    ['d', 'e'],
    ['last', ''],
  ])
  assert.deepEqual(readTable(given)?.aligns, ['', 'center'])
  assert.deepEqual(readTable('a | b\n-|-')?.rows, [['a', 'b']])
  assert.equal(readTable('| a | b |\n|---|'), undefined)
})

test('the text of a cell changes only what was typed in it', () => {
  assert.equal(
    textOf((table) => setCellText(table, { row: 0, column: 0 }, 'ab')),
    given.replace('|a |', '|ab |'),
  )
  assert.equal(
    textOf((table) => setCellText(table, { row: 1, column: 0 }, '`x | yz`')),
    given.replace('y`|', 'yz`|'),
  )
  assert.equal(
    textOf((table) => setCellText(table, { row: 1, column: 1 }, 'c|d\ne')),
    given.replace('|c\n', '|c\\|d e\n'),
  )
  assert.equal(
    textOf((table) => setCellText(table, { row: 0, column: 1 }, '')),
    given.replace('**b**', ''),
  )
})

test('an empty cell, a missing one and a row without pipes get their text', () => {
  for (const [before, after] of [
    ['|  |  |', '| x |  |'],
    ['|||', '| x ||'],
    ['| | |', '| x | |'],
  ]) {
    assert.equal(
      textOf((table) => setCellText(table, { row: 1, column: 0 }, 'x'), `| a | b |\n| - | - |\n${before}`),
      `| a | b |\n| - | - |\n${after}`,
    )
  }
  assert.equal(
    textOf((table) => setCellText(table, { row: 3, column: 1 }, 'x')),
    given.replace('\nlast', '\n| last | x |'),
  )
  // Otherwise this would be a list.
  assert.equal(
    textOf((table) => setCellText(table, { row: 3, column: 0 }, '- x')),
    given.replace('\nlast', '\n| - x |'),
  )
})

test('whatever is typed into a cell stays one cell that says it', () => {
  for (const value of ['a | b', '|', 'x\\', '`a|b`', '\\\\', '[a](http://x.test/a|b)', '**b** _i_']) {
    for (const row of ['| a | b |', '|a|b|', '||', 'a | b', '|']) {
      const text = textOf((table) => setCellText(table, { row: 1, column: 0 }, value), `| a | b |\n| - | - |\n${row}`)
      assert.equal(readTable(text)?.rows[1]?.[0], value, text)
    }
  }
  const text = textOf((table) => setCellText(table, { row: 1, column: 0 }, 'a \\| b'), '| a | b |\n| - | - |\n|  |  |')
  assert.equal(text, '| a | b |\n| - | - |\n| a \\| b |  |')
})

test('rows are inserted, removed and moved; the others stay byte for byte', () => {
  assert.equal(
    textOf((table) => insertRow(table, 1, 0)),
    given.replace('\n| `x', '\n|  |  |\n| `x'),
  )
  assert.equal(
    textOf((table) => insertRow(table, 4, 0)),
    `${given}\n|  |  |`,
  )
  assert.equal(
    textOf((table) => insertRow(table, 0, 0)),
    `|  |  |\n|--|:-:|\n|a | **b**   |\n${given.split('\n').slice(2).join('\n')}`,
  )
  assert.equal(
    textOf((table) => removeRow(table, { row: 2, column: 0 })),
    given.replace('| d | e | extra |\n', ''),
  )
  assert.equal(
    textOf((table) => removeRow(table, { row: 3, column: 0 })),
    given.replace('\nlast', ''),
  )
  // The row below becomes the headings.
  assert.equal(
    textOf((table) => removeRow(table, { row: 0, column: 0 })),
    '| `x \\| y`|c\n|--|:-:|\n| d | e | extra |\nlast',
  )
  assert.equal(removeRow(readTable('|a|\n|-|')!, { row: 0, column: 0 }), undefined)
  assert.equal(
    textOf((table) => moveRow(table, { row: 1, column: 0 }, 1)),
    '|a | **b**   |\n|--|:-:|\n| d | e | extra |\n| `x \\| y`|c\nlast',
  )
  assert.equal(
    textOf((table) => moveRow(table, { row: 1, column: 0 }, -1)),
    '| `x \\| y`|c\n|--|:-:|\n|a | **b**   |\n| d | e | extra |\nlast',
  )
  assert.equal(moveRow(readTable(given)!, { row: 3, column: 0 }, 1), undefined)
})

test('columns are inserted, removed and moved', () => {
  assert.equal(
    textOf((table) => insertColumn(table, 0, 1)),
    '|a |  | **b**   |\n|--| --- |:-:|\n| `x \\| y`|  |c\n| d |  | e | extra |\nlast |  |',
  )
  assert.equal(
    textOf((table) => insertColumn(table, 0, 2)),
    '|a | **b**   |  |\n|--|:-:| --- |\n| `x \\| y`|c |  |\n| d | e |  | extra |\nlast',
  )
  assert.equal(
    textOf((table) => insertColumn(table, 0, 0), 'a | b\n-|-'),
    '|  |a | b\n| --- |-|-',
  )
  assert.equal(
    textOf((table) => removeColumn(table, { row: 0, column: 1 })),
    '|a |\n|--|\n| `x \\| y`\n| d | extra |\nlast',
  )
  assert.equal(
    textOf((table) => removeColumn(table, { row: 0, column: 0 }), 'a | b\n-|-\nc | d'),
    '| b |\n| - |\n| d |',
  )
  assert.equal(
    textOf((table) => moveColumn(table, { row: 0, column: 0 }, 1)),
    '| **b**   |a |\n|:-:|--|\n|c| `x \\| y`\n| e | d | extra |\n|  | last |',
  )
  assert.equal(moveColumn(readTable(given)!, { row: 0, column: 0 }, -1), undefined)
})

test('every change of a table leaves a table, with the cursor in its cell', () => {
  for (const text of [given, 'a | b\n-|-\nc | d', '|a|b|\n|-|-|\n||\nx', ' | a | b |\n | - | - |']) {
    const table = readTable(text)!
    for (let row = 0; row < table.rows.length; row += 1) {
      for (const column of [0, 1]) {
        const place = { row, column }
        const changes = [
          insertRow(table, row, column),
          removeRow(table, place),
          moveRow(table, place, 1),
          moveRow(table, place, -1),
          insertColumn(table, row, column),
          insertColumn(table, row, column + 1),
          removeColumn(table, place),
          moveColumn(table, place, 1),
          moveColumn(table, place, -1),
          setCellText(table, place, 'x'),
          fillCells(table, place, [['1', '2'], ['3']]),
        ]
        for (const change of changes) if (change) assert.ok(readTable(textOf(() => change, text)))
      }
    }
  }
})

test('a column is aligned by its dashes alone, and asked again it is as before', () => {
  const aligned = textOf((table) => alignColumn(table, { row: 1, column: 0 }, 'right'))
  assert.equal(aligned, given.replace('|--|', '|--:|'))
  assert.equal(
    textOf((table) => alignColumn(table, { row: 1, column: 0 }, 'right'), aligned),
    given,
  )
  assert.equal(
    textOf((table) => alignColumn(table, { row: 1, column: 1 }, 'left')),
    given.replace(':-:', ':-'),
  )
})

test('cells of a spreadsheet fill those from the active one on, with the rows and columns they need', () => {
  assert.equal(
    textOf(
      (table) =>
        fillCells(table, { row: 1, column: 1 }, [
          ['1', '2|3'],
          ['4', ' 5'],
        ]),
      '| a | b |\n| - | - |\n| c | d |',
    ),
    '| a | b |  |\n| - | - | --- |\n| c | 1 | 2\\|3 |\n|  | 4 | 5 |',
  )
  assert.equal(tableOf([['a', 'b|c'], ['d']]), '| a | b\\|c |\n| --- | --- |\n| d |  |')
})

test('emptied cells are all between two corners, and rows that have no such words stay as they were', () => {
  const corners = { row: 3, column: 1, anchor: { row: 2, column: 0 } }
  const { lines, place } = emptyCells(readTable(given)!, corners)
  assert.equal(lines.join('\n'), given.replace('| d | e | extra |\nlast', '|  |  | extra |\n|  |'))
  assert.equal(place, corners)
  const empty = '| a |\n| - |\n|   |'
  assert.equal(emptyCells(readTable(empty)!, { row: 1, column: 0 }).lines.join('\n'), empty)
})
