import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../../testkit/files.ts'
import { affectedTests } from './affected.ts'

const root = temporaryFolder()
const files = {
  'server/platform/text.ts': '',
  'server/features/piece.ts': "import { fold } from '#platform/text.ts'",
  'server/app.ts': "const piece = await import('./features/piece.ts')",
  'server/cli.ts': "import './app.ts'",
  'server/sql/0001.sql': '',
  'server/migrate.ts': "readdirSync(new URL('./sql/', import.meta.url))",
  'server/features/piece.test.ts': "import { piece } from './piece.ts'",
  'test/api.test.ts': "import { app } from '../server/app.ts'",
  'test/cli.test.ts': "spawn(join(root, 'server/cli.ts'))",
  'test/migrate.test.ts': "import { migrate } from '../server/migrate.ts'",
  'test/docs.test.ts': "readFileSync(join(root, 'docs/guide.md'))",
  'docs/guide.md': '',
}
for (const [file, text] of Object.entries(files)) {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}
execFileSync('git', ['init', '-q'], { cwd: root })
const tests = Object.keys(files).filter((file) => file.endsWith('.test.ts'))
const affected = (...changed: string[]) => affectedTests(root, tests, changed)

test('a changed module affects the tests that lead to it, the nearest first', () => {
  assert.deepEqual(affected('server/platform/text.ts'), [
    'server/features/piece.test.ts',
    'test/api.test.ts',
    'test/cli.test.ts',
  ])
})

test('a changed test affects itself alone', () => {
  assert.deepEqual(affected('test/api.test.ts'), ['test/api.test.ts'])
})

test('a file that is read affects the tests that name it, or the folder it is in', () => {
  assert.deepEqual(affected('docs/guide.md'), ['test/docs.test.ts'])
  assert.deepEqual(affected('server/sql/0001.sql'), ['test/migrate.test.ts'])
})

test('a deleted module affects the tests that led to it', () => {
  rmSync(join(root, 'server/features/piece.ts'))
  assert.deepEqual(affected('server/features/piece.ts'), [
    'server/features/piece.test.ts',
    'test/api.test.ts',
    'test/cli.test.ts',
  ])
})

test('a changed dependency affects every test', () => {
  assert.deepEqual(affected('package-lock.json'), tests)
})
