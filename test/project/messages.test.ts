import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseSync, Visitor } from 'rolldown/utils'
import { compile, kindsOf } from '../../server/messages/compile.ts'
import { languages, sourceLanguage } from '../../server/messages/translator.ts'
import { sortedCatalogue, typesOf } from '../../server/messages/write.ts'

/** The catalogues: complete, used, and the only place with words for people. */

const root = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const fileOf = (language: string): string => `server/messages/${language}.json`
const catalogue = (language: string): Record<string, string> => JSON.parse(read(fileOf(language)))
const english = catalogue(sourceLanguage)

const sources = globSync(['server/**/*.ts', 'desk/source/**/*.{ts,tsx}', 'embed/**/*.ts'], {
  cwd: root,
  exclude: ['**/node_modules/**', '**/dist/**', '**/*.test.ts', '**/*.generated.ts', 'server/messages/**'],
})
  .sort()
  .map((path) => ({ path, source: read(path) }))

test('the catalogues are sorted, and the types fit them (npm run messages)', () => {
  for (const language of languages) assert.equal(read(fileOf(language)), sortedCatalogue(read(fileOf(language))))
  assert.equal(read('server/messages/messages.generated.ts'), typesOf(english))
})

test('every message is used', () => {
  const text = sources.map(({ source }) => source).join('\n')
  const literals = new Set([...text.matchAll(/['`]([a-z]+(?:\.[\w-]+)+)['`]/g)].map((match) => match[1]))
  // `desk.common.status.${status}`: the type checker knows that each of them is there.
  const prefixes = [...text.matchAll(/`([a-z]+\.[\w.-]+)\$\{/g)].map((match) => match[1]!)
  const unused = Object.keys(english).filter(
    (id) => !literals.has(id) && !prefixes.some((prefix) => id.startsWith(prefix)),
  )
  assert.deepEqual(unused, [])
})

test('every language has every message, with the same values', () => {
  const valuesOf = (message: string) => [...kindsOf(compile(message)).keys()].sort()
  for (const language of languages.filter((one) => one !== sourceLanguage)) {
    const translated = catalogue(language)
    // A variant of a language has only what differs.
    const isVariant = languages.includes(language.split('-')[0]!)
    const missing = Object.keys(english).filter((id) => !isVariant && !(id in translated))
    const unknown = Object.keys(translated).filter((id) => !(id in english))
    assert.deepEqual({ language, missing, unknown }, { language, missing: [], unknown: [] })
    for (const [id, message] of Object.entries(translated))
      assert.deepEqual(valuesOf(message), valuesOf(english[id]!), `${language}: ${id}`)
  }
})

test('a part of the desk uses the messages of its own folder and the common ones', () => {
  const groupOf = (path: string): string =>
    /^desk\/source\/(?:pages\/)?(editor|(?<=pages\/)[\w-]+)\//.exec(path)?.[1] ?? 'common'
  const foreign = sources.flatMap(({ path, source }) =>
    path.startsWith('desk/')
      ? [...source.matchAll(/['`]desk\.([\w-]+)\./g)]
          .map((match) => match[1]!)
          .filter((group) => group !== 'common' && group !== groupOf(path))
          .map((group) => `${path}: ${group}`)
      : [],
  )
  assert.deepEqual(foreign, [])
})

/** Where every word that people see comes from a catalogue. */
const translated: readonly string[] = []

/** Two words, or one that begins a sentence, in a literal that is shown. */
const looksLikeProse = (text: string): boolean => /\p{L}{2,} \p{L}+|^\p{Lu}\p{Ll}+[.…!?]?$/u.test(text.trim())

/** Attributes and properties whose value people see or hear. */
const spoken =
  /^(?:aria-label|aria-description|alt|title|label|placeholder|name|note|hint|summary|description|text|words|subject)$/

/** A whole sentence, or a phrase that begins like one. Names of errors, classes and queries do not look so. */
const looksLikeSentence = (text: string): boolean =>
  /^[“"]?\p{Lu}[\p{L}’']* \p{L}/u.test(text.trim()) || /\p{L}{2,} \p{L}.*\p{L}[.…?!]$/su.test(text.trim())

/** Literals in a source that people would see: JSX text, attributes, and text between the tags of html`…`. */
function proseIn(path: string, source: string): string[] {
  const found: string[] = []
  const { program } = parseSync(path, source)
  const add = (text: string): void => {
    if (looksLikeProse(text)) found.push(`${path}: ${text.trim().replace(/\s+/g, ' ').slice(0, 80)}`)
  }
  new Visitor({
    JSXText: ({ value }) => /\p{L}{2}/u.test(value) && found.push(`${path}: ${value.trim()}`),
    JSXAttribute({ name, value }) {
      if (name.type === 'JSXIdentifier' && spoken.test(name.name) && value?.type === 'Literal') add(String(value.value))
    },
    TaggedTemplateExpression({ tag, quasi }) {
      if (tag.type !== 'Identifier' || tag.name !== 'html') return
      const markup = quasi.quasis.map(({ value }) => value.raw).join('\u0000')
      for (const text of markup.replace(/<(?:style|script)[\s\S]*?<\/(?:style|script)>/g, '').split(/<[^>]*>/))
        if (/\p{L}{2}/u.test(text.replace(/&\w+;/g, ''))) found.push(`${path}: ${text.trim().slice(0, 80)}`)
    },
    Literal({ value }) {
      if (typeof value === 'string' && looksLikeSentence(value)) add(value)
    },
    TemplateLiteral({ quasis }) {
      const text = quasis.map(({ value }) => value.raw).join('\u0000')
      if (!/[<=]/.test(text) && looksLikeSentence(text)) add(text)
    },
    Property({ key, value }) {
      if (
        key.type === 'Identifier' &&
        spoken.test(key.name) &&
        value.type === 'Literal' &&
        typeof value.value === 'string'
      )
        add(value.value)
    },
  } as ConstructorParameters<typeof Visitor>[0]).visit(program)
  return found
}

test('no words for people are written in the code', () => {
  const found = sources
    .filter(({ path }) => translated.some((place) => path.startsWith(place)))
    .flatMap(({ path, source }) => proseIn(path, source))
  assert.deepEqual(found, [])
})
