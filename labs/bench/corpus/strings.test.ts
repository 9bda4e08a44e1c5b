import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countStrings } from './strings.ts'

test('strings are counted by the texts that hold them', () => {
  const texts = ['abab', 'abc', 'bcd', 'xyz']
  const having = new Map<string, number>()
  for (const text of texts) {
    const found = new Set<string>()
    for (let from = 0; from < text.length; from += 1) {
      for (let to = from + 1; to <= Math.min(text.length, from + 3); to += 1) found.add(text.slice(from, to))
    }
    for (const one of found) having.set(one, (having.get(one) ?? 0) + 1)
  }
  const over = (share: number) => [...having.values()].filter((count) => count > share * texts.length).length
  assert.deepEqual(countStrings(texts, 3, [0.2, 0.3, 0.5]), [over(0.2), over(0.3), over(0.5)])
})
