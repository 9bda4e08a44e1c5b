import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPictures } from '../../desk/source/editor/codemirror/picture-syntax.ts'
import { codeBlock, newHighlightBudget } from '../../server/platform/markdown/code.ts'
import { countWords } from '../../server/platform/text/words.ts'

/** Regular expressions take linear time on the hardest texts. Their steps cannot be counted, so this is timed. */

const block = (info: string, code: string) => codeBlock(info, code, newHighlightBudget())

test('a text of nothing but signs takes no longer to count words in than prose', () => {
  const longest = 100_000
  for (const sign of ['![', '](', '[^', '[a\n', '<a ', '&a', '> ', '1. ', '```\n', '\\[', '- [ ]', 'www.', '*', 'a-']) {
    const text = sign.repeat(longest / sign.length)
    const began = performance.now()
    countWords(text)
    // Linear time is a few milliseconds; quadratic time would be seconds.
    assert.ok(performance.now() - began < 500, sign)
  }
})

for (const part of [
  '![',
  '![](',
  '![a](https://',
  '![a](https://b ',
  '![\\]',
  '![](/media/a',
  '![a](<',
  '![](https://a>',
]) {
  test(`100,000 characters of ${part} are searched for pictures in less than a quarter of a second`, () => {
    const text = part.repeat(100_000 / part.length)
    const begun = performance.now()
    assert.equal([...findPictures(text)].length, 0)
    assert.ok(performance.now() - begun < 250, `${performance.now() - begun} ms`)
  })
}

test('colours take time in proportion to the code, where patterns had no end', () => {
  const time = (language: string, unit: string, length: number) => {
    const code = unit.repeat(length / unit.length)
    const tries = Array.from({ length: 3 }, () => {
      const start = performance.now()
      block(language, code)
      return performance.now() - start
    })
    return Math.min(...tries)
  }
  const hard = [
    ['csharp', 'a<a> '],
    ['csharp', 'struct function '],
    ['ini', 'class .\n'],
  ] as const
  for (const [language, unit] of hard) {
    time(language, unit, 1_000)
    // Cubic time would be 1,000 times as long, quadratic 100 times.
    const ratio = time(language, unit, 11_000) / Math.max(time(language, unit, 1_100), 0.5)
    assert.ok(ratio < 40, `${language} ${unit}: ${ratio.toFixed(0)} times as long for ten times the code`)
  }
})
