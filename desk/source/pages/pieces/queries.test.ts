import assert from 'node:assert/strict'
import { test } from 'node:test'
import { excerptOf } from './queries.ts'

test('marks of Markdown do not show in the first words', () => {
  const written: readonly (readonly [string, string])[] = [
    ['# A heading\n\nAnd _some_ **strong** text.', 'A heading And some strong text.'],
    ['> Quoted [here](https://a.test/b).', 'Quoted here.'],
    ['- [x] done\n- [ ] not\n1. one', 'done not one'],
    ['![A cup](/media/ab) of tea[^1]', 'A cup of tea'],
    ['```js\nlet snake_case = 2 * 3\n```', 'let snake_case = 2 * 3'],
    ['---\n\nAfter a rule', 'After a rule'],
  ]
  for (const [markdown, plain] of written) assert.equal(excerptOf(markdown), plain)
})

test('a long text ends with a whole word', () => {
  const opening = excerptOf('Tea and kettles. '.repeat(40))
  assert.match(opening, / (Tea|and|kettles\.)…$/)
  assert.ok(opening.length <= 181)
})
