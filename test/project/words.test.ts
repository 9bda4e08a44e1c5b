import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'

/** Names and comments use the field's words: those on this list once were private words of this project (docs/style.md). */

const root = join(import.meta.dirname, '../..')
const ownPath = 'test/project/words.test.ts'

const words = [
  'house',
  'letter',
  'told',
  'whoever',
  'anew',
  'room',
  'door',
  'wing',
  'shelf',
  'courier',
  'farewell',
  'masthead',
  'tidings',
  'stranger',
  'deed',
  'nasty',
  'somebody',
]
const isListed = new RegExp(`^(?:${words.join('|')}|shelves)s?$`)
const inProse = new RegExp(`\\b(?:${words.join('|')}|shelves|stands? in)s?\\b`, 'gi')

/** Names that stay: fields of queued jobs, SQL, the desk's API and pg-boss; characters; CSS. */
const allowedNames = new Set([
  'letter',
  'letters',
  'isLetter',
  'letterSpacing',
  'drafts_letter',
  'deadLetter',
  'deadLetterQueue',
  'deeds',
  'deeds_for_review.sql',
  'letter_failed.sql',
  'letter_token.sql',
  'set_drafts_letter.sql',
  'told_of_suspension.sql',
  'words.test.ts',
])

/** In comments: characters, pg-boss's queue, English itself. */
const allowedProse = /\bletters?(?= case|, digits| or white| frequency)|\b(?:dead|small|capital|two) letters?\b/gi

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => /\.(tsx?|sql|css)$/.test(path) && !/\.generated\.|^test\/imports\//.test(path))

/** Line and block comments, by what starts a line or follows code; `https://` is none. */
function commentsOf(path: string, source: string): string {
  if (path.endsWith('.sql')) return [...source.matchAll(/(?:^|\s)--(.*)$/gm)].map((match) => match[1]).join('\n')
  return [...source.matchAll(/\/\*[\s\S]*?\*\/|(?:^|[\s;,{}()])\/\/(.*)$/gm)].map((match) => match[0]).join('\n')
}

/**
 * What a file declares: functions, variables, types, properties of types (so settings too), parameters with a type; log
 * events, metrics and names of connections.
 */
const declared =
  /\b(?:function\*?|const|let|class|interface|type|readonly|async)\s+(\w+)|[(,]\s*(\w+)\??: |^\s+(\w+)\??: |\b(?:event|application_name): '([\w .-]+)'|'(standfirst_\w+)'/gm
const namesIn = (source: string): string[] =>
  [...withoutComments(source).matchAll(declared)].map((match) => match.slice(1).find(Boolean) ?? '')
const withoutComments = (source: string): string => source.replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, '$1')

const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z]+/)
    .map((word) => word.toLowerCase())

function listedIn(path: string): string[] {
  const source = readFileSync(join(root, path), 'utf8')
  const names = path.endsWith('.sql') || path.endsWith('.css') ? [] : namesIn(source)
  const found = [
    ...[...names, basename(path)].filter(
      (name) => !allowedNames.has(name) && wordsOf(name).some((word) => isListed.test(word)),
    ),
    ...(commentsOf(path, source).replace(allowedProse, '').match(inProse) ?? []).map(
      (word) => `“${word.toLowerCase()}” in a comment`,
    ),
  ]
  return path === ownPath ? [] : [...new Set(found)]
}

test('no name and no comment uses a private word', () => {
  assert.ok(files.length > 900)
  const found = files.flatMap((path) => listedIn(path).map((one) => `${path}: ${one}`))
  assert.deepEqual(found, [])
})
