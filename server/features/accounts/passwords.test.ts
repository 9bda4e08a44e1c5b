import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../../../testkit/files.ts'
import { openBreachedPasswords } from './breached-passwords.ts'
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

const folder = temporaryFolder()

const hashOf = (password: string) => createHash('sha1').update(password).digest('hex').toUpperCase()
const password = (number: number) => `otter lantern quince ${number}`

for (const [how, end] of Object.entries({
  'lines that end as on Unix': '\n',
  'lines that end as on Windows': '\r\n',
})) {
  for (const count of [0, 1, 2, 3, 10, 1_000]) {
    test(`of ${count} passwords in ${how} each is found, and no other`, async () => {
      const path = join(folder, `${count}-${end.length}`)
      const lines = Array.from({ length: count }, (_, at) => `${hashOf(password(at))}:${7 ** (at % 9)}`).sort()
      writeFileSync(path, lines.map((line) => line + end).join(''))
      const breached = openBreachedPasswords(path)
      for (let at = 0; at < count; at += 1) assert.ok(await breached.has(password(at)), password(at))
      for (let at = count; at < count + 200; at += 1) assert.ok(!(await breached.has(password(at))), password(at))
    })
  }
}

test('without a file the most common ones are known, in any case', async () => {
  const breached = openBreachedPasswords(undefined)
  assert.ok(await breached.has('1QAZ2wsx3edc4rfv'))
  assert.ok(!(await breached.has(password(1))))
})
