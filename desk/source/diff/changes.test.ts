import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TextChange, textChanges } from './changes.ts'

const applied = (text: string, changes: readonly TextChange[]): string =>
  changes.reduceRight((now, { from, to, insert }) => now.slice(0, from) + insert + now.slice(to), text)

test('changes turn one text into the other, whatever they are', () => {
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return seed % below
  }
  const parts = ['tea ', 'cup', '\n', '\n\n', 'slow. ', ' ', '茶']
  for (let round = 0; round < 3000; round += 1) {
    const text = () => Array.from({ length: random(14) }, () => parts[random(parts.length)]!).join('')
    const [before, after] = [text(), text()]
    assert.equal(applied(before, textChanges(before, after)), after, JSON.stringify([before, after]))
  }
})

test('changes leave the words between them alone', () => {
  assert.deepEqual(textChanges('One cup.\n\nTwo cups of tea.\n', 'One big cup.\n\nTwo cups of coffee.\n'), [
    { from: 4, to: 4, insert: 'big ' },
    { from: 22, to: 25, insert: 'coffee' },
  ])
})
