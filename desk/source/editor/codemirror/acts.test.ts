import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { EditorState } from '@codemirror/state'
import '../../testing-messages.ts'
import { type Act, acts } from './acts.ts'
import { markdown } from './keymap.ts'
import { parseLineEndings, serializeText } from './line-endings.ts'
import { setLink } from './marks.ts'

/** Lines with their own endings, of which those around `‸` are selected. */
const documents: Readonly<Record<string, string>> = {
  Windows: 'First  \r\n\r\n* a\r\n*   b\r\n\r\nThe ‸middle one‸.\r\n\r\nSetext\r\n===\r\n\r\n1) last\r\n',
  'old Mac': 'First\r\r__b__ *i*\r\rThe ‸middle one‸.\r\r> q\r\r\tlast\r',
  mixed: 'First\r\n\nsecond\r\r\nThe ‸middle one‸.\n\r\n- x\r- y\r\n\r\n| a |\n|---|\r\n',
  'two paragraphs': 'First\r\n\n\r\nThe ‸middle one.\r\n\r\nAnd ‸another.\n\r\n_last_\r\n',
}

const linesOf = (text: string): string[] => text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? []

function done(text: string, change: NonNullable<Act['change']>): string {
  const { doc } = parseLineEndings(text)
  const [from, to] = [doc.indexOf('‸'), doc.lastIndexOf('‸') - 1]
  const without = parseLineEndings(text.replaceAll('‸', ''))
  const state = EditorState.create({
    doc: without.doc,
    selection: { anchor: from, head: to },
    extensions: [markdown, without.endings],
  })
  const spec = change(state)
  return spec ? serializeText(state.update(spec).state) : serializeText(state)
}

describe('only the lines that an act is done to are changed, byte for byte', () => {
  const changes = [
    ...acts.flatMap(({ name, change }) => (change ? [{ name: String(name), change }] : [])),
    { name: 'link with an address', change: (state: EditorState) => setLink(state, 'https://x.test/') },
  ]
  for (const { name, change } of changes) {
    for (const [kind, text] of Object.entries(documents)) {
      test(`${name}, ${kind}`, () => {
        const lines = linesOf(text)
        const [first, last] = [
          lines.findIndex((line) => line.includes('‸')),
          lines.findLastIndex((line) => line.includes('‸')),
        ]
        const result = linesOf(done(text, change))
        assert.deepEqual(result.slice(0, first), lines.slice(0, first))
        const after = lines.slice(last + 1)
        const rest = result.slice(first)
        const start = rest.findIndex((_, at) => after.every((line, index) => rest[at + index] === line))
        assert.ok(start >= 0, `${JSON.stringify(result)} has not all of ${JSON.stringify(after)}`)
        if (name !== 'footnote') assert.equal(start + after.length, rest.length)
      })
    }
  }
})
