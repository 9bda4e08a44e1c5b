import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fold } from './fold.ts'
import { normaliseLine } from './normalise.ts'

test('every code point folds to exactly one, alone and inside a word', () => {
  for (let code = 1; code <= 0x10ffff; code += 1) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const character = String.fromCodePoint(code)
    const alone = normaliseLine(`a${character}`)
    assert.equal([...fold(`a${character}`)].length, [...alone].length, `U+${code.toString(16)}`)
  }
})

test('a part of a text folds as it does inside the whole', () => {
  const letters = fc.constantFrom(...'aZ ', 'Σ', 'ς', 'İ', 'ı', 'É', 'é', 'ß', 'ẞ', 'Ⱥ', '东', '👍', '\n', '\t')
  fc.assert(
    fc.property(fc.array(letters, { minLength: 1 }), fc.nat(), fc.nat(), (drawn, from, length) => {
      const whole = [...normaliseLine(drawn.join(''))]
      const start = whole.length ? from % whole.length : 0
      const part = whole.slice(start, start + 1 + (length % 8)).join('')
      assert.ok(fold(whole.join('')).includes(fold(part)))
    }),
  )
})

test('a search is blind to case, final sigma, dotted I and the width of white space', () => {
  assert.equal(fold('ΟΔΟΣ'), fold('οδος'))
  assert.equal(fold('İstanbul'), 'istanbul')
  assert.equal(fold('  a \n\n\t b  '), 'a b')
})
