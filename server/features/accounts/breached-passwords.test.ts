import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openBreachedPasswords } from './breached-passwords.ts'

const folder = mkdtempSync(join(tmpdir(), 'sf-breached-'))
after(() => rmSync(folder, { recursive: true, force: true }))

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
