import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { compile, kindsOf } from './compile.ts'
import { directionOfLanguage } from './direction.ts'
import { pseudoCatalogue, pseudoLanguages } from './pseudo.ts'
import { catalogueOf, languages, nearestLanguage } from './translator.ts'

const root = join(import.meta.dirname, '../..')

test('a site as installed has no pseudo-language: only development and tests add them', () => {
  assert.deepEqual(
    languages.filter((language) => (pseudoLanguages as readonly string[]).includes(language)),
    [],
  )
  assert.deepEqual(pseudoLanguages.map(nearestLanguage), ['en', 'ar'])
  const shipped = globSync(['server/**/*.ts', 'desk/**/*.{ts,tsx}', 'embed/**/*.ts'], {
    cwd: root,
    exclude: (path) => /node_modules|dist$|\.test\.ts$/.test(path),
  })
  assert.ok(shipped.length > 400)
  assert.deepEqual(shipped.filter((path) => readFileSync(join(root, path), 'utf8').includes('/pseudo.ts')).sort(), [
    'server/dev/dev.ts',
    'server/dev/runner.ts',
  ])
})

test('each message of a pseudo-language is 40 % longer, accented, and takes the same values', () => {
  const english = catalogueOf('en')
  for (const language of pseudoLanguages) {
    for (const [id, message] of Object.entries(pseudoCatalogue(language))) {
      assert.deepEqual([...kindsOf(compile(message))], [...kindsOf(compile(english[id]!))], id)
      const upToLastWord = english[id]!.replace(/\P{L}+$/u, '')
      if (!/[{<]/.test(message)) assert.ok(message.length >= upToLastWord.length * 1.4, `${id}: ${message}`)
    }
  }
  assert.equal(pseudoCatalogue('en-XA')['site.search.title'], 'ŠŠéááŕçĥĥ')
  assert.equal(pseudoCatalogue('ar-XB')['site.search.title'], '\u202eŠŠéááŕçĥĥ\u202c')
  assert.deepEqual(pseudoLanguages.map(directionOfLanguage), ['ltr', 'rtl'])
})
