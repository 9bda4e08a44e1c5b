import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

/** Styles follow the direction of the text, so that a page in Arabic is the mirror image of one in English. */

const root = join(import.meta.dirname, '../..')
const sheets = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.css'], {
  cwd: root,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .filter((path) => !path.includes('/dist/'))

/** `left`, `margin-right`, `border-top-left-radius` and their like. */
const physical =
  /(?:^|[\s;{])(?:left|right|(?:margin|padding|border)-(?:left|right)[\w-]*|border-(?:top|bottom)-(?:left|right)-radius)\s*:|float: (?:left|right)/
/** Four values, of which the second and fourth differ. */
const lopsided = /(?:margin|padding|inset): *(\S+) (\S+) (\S+) (?!\2;)[^;\s]+;/

test('no style names a side where it means the start or the end', () => {
  assert.ok(sheets.length > 30)
  const found = sheets.flatMap((path) =>
    [
      ...readFileSync(join(root, path), 'utf8')
        .replace(/\/\*[\s\S]*?\*\//g, '')
        .matchAll(/([^{}]+)\{([^{}]*)\}/g),
    ]
      .filter(
        ([, , rules = '']) => physical.test(rules) || lopsided.test(rules) || /text-align: (?:left|right)/.test(rules),
      )
      .map(([, selector = '']) => `${path}: ${selector.trim()}`),
  )
  assert.deepEqual(found, [])
})
