import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EditorState } from '@codemirror/state'
import { stateOf } from './marked-state.ts'
import { noteOf, referenceAt, removeNote, writeNote } from './note-syntax.ts'

/** `‸` is within a reference. */
const open = (text: string) => {
  const state = stateOf(text)
  return { state, reference: referenceAt(state, state.selection.main.head) }
}
const after = (state: EditorState, changes: ReturnType<typeof removeNote>) =>
  state.update({ changes }).newDoc.toString()

function written(text: string, value: string): string {
  const { state, reference } = open(text)
  const change = writeNote(state, reference!.label, value)
  return change ? after(state, [change]) : text.replace('‸', '')
}
function removed(text: string): string {
  const { state, reference } = open(text)
  return after(state, removeNote(state, reference!))
}

test('a reference has a label; what begins a note, and code, are none', () => {
  assert.equal(open('Tea[^‸1] is hot.').reference?.label, '1')
  assert.equal(open('Tea[^le‸af]: hot.').reference?.label, 'leaf')
  assert.equal(open('Tea[^1]‸ is hot.').reference, undefined)
  assert.equal(open('[^‸1]: Hot.').reference, undefined)
  assert.equal(open('`[^‸1]`').reference, undefined)
})

test('a note ends where readers see it end, and its lines are not indented while writing', () => {
  const text = 'A[^‸a]\n\n[^b]: One.\n[^A]: Two\nlazy\n    and on.\n\n    A paragraph.\n\nText.'
  assert.equal(noteOf(open(text).state, 'a')?.text, 'Two\nlazy\nand on.\n\nA paragraph.')
  assert.equal(noteOf(open('A[^‸a]\n\n[^a]: One.\n- list').state, 'a')?.text, 'One.')
  assert.equal(noteOf(open('A[^‸a]\n\n```\n[^a]: One.\n```').state, 'a'), undefined)
})

test('writing a note changes only what was typed; a missing one goes to the end', () => {
  assert.equal(written('A[^‸1]\n\n[^1]:  Two.\n[^2]: x\n', 'Two or three.'), 'A[^1]\n\n[^1]:  Two or three.\n[^2]: x\n')
  assert.equal(written('A[^‸1] b', 'New.'), 'A[^1] b\n\n[^1]: New.')
  assert.equal(written('A[^‸1]\n\n[^1]: One.', 'One.\n\nTwo.'), 'A[^1]\n\n[^1]: One.\n\n    Two.')
  assert.equal(written('A[^‸1]\n\n[^1]: One.\n\tTwo.', 'One.\nTwo!'), 'A[^1]\n\n[^1]: One.\n\tTwo!')
  assert.equal(written('A[^‸1]\n\n[^1]: One.\n    Two.', 'One.Two.'), 'A[^1]\n\n[^1]: One.Two.')
  assert.equal(written('A[^‸1]\n\n[^1]: One two.', 'One\ntwo.'), 'A[^1]\n\n[^1]: One\n    two.')
  assert.equal(written('A[^‸1]\n\n[^1]: One.', 'One.'), 'A[^1]\n\n[^1]: One.')
})

test('a removed footnote takes its text along, unless another reference leads to it', () => {
  assert.equal(removed('A[^‸1] b[^2]\n\n[^1]: One.\n[^2]: Two.'), 'A b[^2]\n\n[^2]: Two.')
  assert.equal(removed('A[^‸1] b[^2]\n\n[^2]: Two.\n\n[^1]: One.\n    On.'), 'A b[^2]\n\n[^2]: Two.')
  assert.equal(removed('A[^‸1] b[^1]\n\n[^1]: One.'), 'A b[^1]\n\n[^1]: One.')
  assert.equal(removed('A[^‸1] b.'), 'A b.')
})
