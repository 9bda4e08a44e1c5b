import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countWords } from './words.ts'

test('words are counted as readers see them, without addresses, numbers of lists and notes, and marks', () => {
  const counts: readonly (readonly [string, number])[] = [
    ['', 0],
    ['Two words', 2],
    ['## A heading', 2],
    ['See [the harbour](https://example.org/a/b-c?d=e "At dusk").', 3],
    ['See https://example.org/one/two and <https://example.org/three>', 2],
    ['![A harbour at dusk](/media/9f3c2a7e-aaaa)', 0],
    ['1. Boil\n2. Wait\n\n- [x] Done', 3],
    ['Un**believ**able, _really_.', 2],
    ['Tea[^1] is slow.\n\n[^1]: Ibid.', 4],
    ['[here][h]\n\n[h]: https://example.org/far', 1],
    ['```js\nbrew()\n```', 1],
    ['| Tea | Time |\n| --- | --- |\n| Black | 4 min |', 5],
    ['It’s a well-known fact', 4],
    ['![A \\[small\\] harbour][h] at dusk\n\n[h]: /media/9f3c', 2],
    ['See [tea](https://example.org/Tea_(drink)), &amp; <em>wait</em>.', 3],
    ['> 1. Quoted\n> 2. Twice', 2],
    ['One two  three\n\nfour.', 4],
  ]
  for (const [text, count] of counts) assert.equal(countWords(text), count, text)
})
