import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refuseWeakPassword } from './password-rules.ts'

const owner = { email: 'mary@site.test', name: 'Mary Shelley', siteName: 'Standfirst' }
const isTaken = (password: string): boolean => {
  try {
    refuseWeakPassword(password, owner)
    return true
  } catch {
    return false
  }
}

test('a password of 64, of 128 and of 256 characters is taken, and one more is not', () => {
  const words = 'otter lantern quince velvet marble anchor '.repeat(7)
  for (const length of [15, 64, 128, 256]) assert.ok(isTaken(words.slice(0, length)), String(length))
  assert.ok(!isTaken(words.slice(0, 257)))
})

test('letters of one case, digits, signs, spaces and any script do, each alone', () => {
  const kinds = [
    'otterlanternquince',
    'OTTERLANTERNQUINCE',
    '829305174462870915',
    '#%&*+=~^|<>?/{}[]_',
    'чашкачаяутромрано',
    '河流在夜里慢慢地流向远方的大海啊朋友',
  ]
  for (const password of kinds) assert.ok(isTaken(password), password)
})

test('the names of the site, of the person and of their address are no part of what counts', () => {
  for (const password of ['standfirst-standfirst-1', 'maryshelley-2026-mary', 'mary@site.test.2026'])
    assert.ok(!isTaken(password), password)
})
