import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'

/** The install succeeds everywhere. `execFileSync` throws if the process fails. */

const place = mkdtempSync(join(tmpdir(), 'standfirst-prepare-'))
after(() => rmSync(place, { recursive: true }))
const prepare = join(place, 'prepare.js')
cpSync(fileURLToPath(new URL('prepare.js', import.meta.url)), prepare)
writeFileSync(join(place, 'package.json'), '{"type":"module"}')

test('on a Node that runs no TypeScript npm ci says so, and does not fail', () => {
  const said = execFileSync(process.execPath, ['--no-experimental-strip-types', prepare], { encoding: 'utf8' })
  assert.match(said, /Node [\d.]+ runs no TypeScript\. Make it with: npm ci --include=dev\n$/)
})

test('without development packages npm ci says so, and does not fail', () => {
  const said = execFileSync(process.execPath, [prepare], { encoding: 'utf8' })
  assert.match(said, /its tools are development packages\. Make it with/)
})
