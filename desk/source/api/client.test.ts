import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import '../testing-messages.ts'
import { ApiError, errorMessage, problemOf } from './client.ts'

const refused = (code: string, detail: string, limit?: number): ApiError =>
  new ApiError(400, 'validation_failed', 'name must be shorter.', [
    { pointer: '/name', code, detail, ...(limit === undefined ? {} : { limit }) },
  ])

test('every problem that the server can find in a field has a sentence', () => {
  const server = join(import.meta.dirname, '../../../server')
  const sources = globSync('**/*.ts', { cwd: server, exclude: ['**/*.test.ts'] })
    .map((path) => readFileSync(join(server, path), 'utf8'))
    .join('\n')
  const codes = new Set([...sources.matchAll(/\bcode: '([a-z_]+)',\s+detail\b/g)].map((match) => match[1]!))
  assert.ok(codes.size > 12)
  for (const code of codes) assert.match(problemOf(refused(code, 'is odd', 80), 'name') ?? '', /^[A-Z].*\.$/, code)
})

test('the sentence says the limit, and a field may have a better one', () => {
  assert.equal(problemOf(refused('too_long', 'is long', 1000), 'name'), 'Use 1,000 characters or fewer.')
  assert.equal(problemOf(refused('empty', 'is empty'), 'name'), 'Fill this in.')
  assert.equal(problemOf(refused('empty', 'is empty'), 'name', { empty: 'Enter a name.' }), 'Enter a name.')
  assert.equal(problemOf(refused('too_long', 'is long', 80), 'bio'), undefined)
})

test('a sentence of the server is shown as it is, and so is what has a code we do not know', () => {
  assert.equal(problemOf(refused('malformed', 'Leave out the password.'), 'name'), 'Leave out the password.')
  assert.equal(problemOf(refused('odd', 'is odd'), 'name'), 'is odd')
})

test('an error that is no answer of the server is ours', () => {
  assert.match(errorMessage(new TypeError('undefined')), /^Something went wrong\./)
})
