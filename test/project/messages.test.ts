import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseSync, Visitor } from 'rolldown/utils'
import { compile, kindsOf } from '../../server/messages/compile.ts'
import { catalogueOf, languages, sourceLanguage } from '../../server/messages/translator.ts'
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

const sqlFunctions = globSync('server/sql/functions/**/*.sql', { cwd: root }).map((path) => ({
  path,
  source: read(path),
}))

test('every message is used', () => {
  const text = [...sources, ...sqlFunctions].map(({ source }) => source).join('\n')
  const literals = new Set([...text.matchAll(/['`]([a-z]+(?:\.[\w-]+)+)['`]/g)].map((match) => match[1]))
  // `desk.common.status.${status}`: the type checker knows that each of them is there.
  const prefixes = [...text.matchAll(/`([a-z]+\.[\w.-]+)\$\{/g)].map((match) => match[1]!)
  const unused = Object.keys(english).filter(
    (id) => !literals.has(id) && !prefixes.some((prefix) => id.startsWith(prefix)),
  )
  assert.deepEqual(unused, [])
})

test('a database function that refuses raises a message of the catalogue, with its values', () => {
  const refusals = sqlFunctions.flatMap(({ path, source }) =>
    [...source.matchAll(/raise exception [^;]*errcode = '(SF\w+)'[^;]*;/g)]
      // These two have one message each, whatever raises them (platform/db/pg-errors.ts).
      .filter(([, code]) => code !== 'SF401' && code !== 'SF428')
      .map(([statement]) => ({
        path,
        statement,
        ids: [...statement.matchAll(/'(error\.[\w.]+)'/g)].map(([, id]) => id!),
      })),
  )
  assert.ok(refusals.length > 90, `${refusals.length}`)
  for (const { path, statement, ids } of refusals) {
    assert.ok(ids.length > 0, `${path}: ${statement}`)
    for (const id of ids) {
      assert.ok(id in english, `${path}: ${id}`)
      for (const name of kindsOf(compile(english[id]!)).keys())
        assert.match(statement, new RegExp(`"${name}":|'${name}', `), `${path}: ${name} of ${id}`)
    }
  }
})

/** The language that `en-US` varies; undefined if the catalogue stands alone. */
const baseOf = (language: string): string | undefined => languages.find((base) => language.startsWith(`${base}-`))

test('a variant of a language has only what differs', () => {
  for (const language of languages) {
    const base = baseOf(language)
    if (base === undefined) continue
    const same = Object.entries(catalogue(language)).filter(([id, message]) => catalogue(base)[id] === message)
    assert.deepEqual({ language, same }, { language, same: [] })
  }
})

test('American English has no British spelling, and the other way round', () => {
  const british =
    /colour|favour|behaviour|\b(?:recogn|organ|synchron|author|apolog)is(?:e|ing|ation)|cancell(?:ed|ing)|centre|\bgrey\b|licence/i
  const american =
    /color|favor|behavior|\b(?:recogn|organ|synchron|author|apolog)iz(?:e|ing|ation)|cancel(?:ed|ing)\b|center|\bgray\b/i
  const spelled = (messages: Readonly<Record<string, string>>, spelling: RegExp): string[] =>
    Object.keys(messages).filter((id) => spelling.test(messages[id]!.replace(/\{\w+/g, '')))
  assert.deepEqual(spelled(catalogueOf('en-US'), british), [])
  assert.deepEqual(spelled(english, american), [])
})

test('every language has every message, with the same values', () => {
  const valuesOf = (message: string) => [...kindsOf(compile(message)).keys()].sort()
  for (const language of languages.filter((one) => one !== sourceLanguage)) {
    const translated = catalogue(language)
    const missing = Object.keys(english).filter((id) => baseOf(language) === undefined && !(id in translated))
    const unknown = Object.keys(translated).filter((id) => !(id in english))
    assert.deepEqual({ language, missing, unknown }, { language, missing: [], unknown: [] })
    for (const [id, message] of Object.entries(translated))
      assert.deepEqual(valuesOf(message), valuesOf(english[id]!), `${language}: ${id}`)
  }
})

test('a part of the desk uses the messages of its own folder and the common ones', () => {
  const groupOf = (path: string): string =>
    /^desk\/source\/(?:pages\/)?(editor|comments|(?<=pages\/)[\w-]+)\//.exec(path)?.[1] ?? 'common'
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
const translated: readonly string[] = [
  'desk/source/',
  'embed/',
  'server/commands/',
  'server/config/pools.ts',
  'server/config/proof-record.ts',
  'server/config/required-settings.ts',
  'server/config/site-info.ts',
  'server/dev/',
  'server/features/accounts/',
  'server/features/emails/',
  'server/features/followers/',
  'server/features/moderation/decisions.ts',
  'server/features/moderation/reports.ts',
  'server/features/moderation/review.ts',
  'server/features/moderation/writers.ts',
  'server/features/offboarding/',
  'server/features/pieces/category-label.ts',
  'server/features/pieces/desk.ts',
  'server/features/pieces/history.ts',
  'server/features/pieces/preview.ts',
  'server/features/pieces/receipts/',
  'server/features/pieces/states.ts',
  'server/features/pieces/trash.ts',
  'server/features/products/desk.ts',
  'server/features/products/publish.ts',
  'server/features/profiles/',
  'server/features/webhooks/',
  'server/http/desk-api/follow-page.ts',
  'server/http/desk-api/integrations.ts',
  'server/http/desk-api/moderation.ts',
  'server/http/desk-api/passkeys.ts',
  'server/http/desk-api/pieces.ts',
  'server/http/desk-api/reports-page.ts',
  'server/http/desk-api/shop.ts',
  'server/http/desk-api/spa.ts',
  'server/http/docs/',
  'server/http/embeds/',
  'server/http/feeds/',
  'server/http/follow-form.ts',
  'server/http/page-layout.ts',
  'server/http/site/',
  'server/platform/db/pg-errors.ts',
  'server/platform/images/decode.ts',
  'server/platform/images/image-intake.ts',
  'server/platform/markdown/',
  'server/platform/outbound/',
  'server/seed/search-index.ts',
  'server/seed/seed.ts',
  'server/sql/',
  'server/sync/',
]

/** Descriptions of the API are for its documentation. */
const isSchema = (path: string): boolean => path.endsWith('schema.ts')

/** Two words, or one that begins a sentence, in a literal that is shown. */
const looksLikeProse = (text: string): boolean => /\p{L}{2,} \p{L}+|^\p{Lu}\p{Ll}+[.…!?]?$/u.test(text.trim())

/** SQL, or a command of SMTP. */
const isCode = (text: string): boolean => /^(?:select|insert|update|delete|with) |^[A-Z]+ [A-Z]+$/.test(text.trim())

/** Attributes and properties whose value people see or hear. */
const spoken =
  /^(?:aria-label|aria-description|alt|title|label|placeholder|name|note|hint|summary|description|text|words|subject)$/

/** Proper names of two words, the same in every language. */
const properNames = new Set(['JSON Feed', 'Samsung Internet'])

/** A template that is only attributes: html` checked`. */
const isAttributes = (markup: string): boolean => /^(?: [\w-]+(?:="[^"]*")?)+$/.test(markup)

/** Code samples are the same in every language. */
const withoutCode = (markup: string): string => markup.replace(/<(style|script|code)\b[\s\S]*?<\/\1>/g, '')

/** A whole sentence, or a phrase that begins like one. Names of errors, classes and queries do not look so. */
const looksLikeSentence = (text: string): boolean =>
  /^[“"]?\p{Lu}[\p{L}’']* \p{L}/u.test(text.trim()) || /\p{L}{2,} \p{L}.*\p{L}[.…?!]$/su.test(text.trim())

/** Where a source describes the API to programs: `schema` of a route, and TypeBox's types. */
function openApiRanges(program: ReturnType<typeof parseSync>['program']): (readonly [from: number, to: number])[] {
  const ranges: (readonly [number, number])[] = []
  new Visitor({
    Property({ key, value }) {
      if (key.type === 'Identifier' && key.name === 'schema') ranges.push([value.start, value.end])
    },
    CallExpression({ callee, start, end }) {
      if (callee.type === 'MemberExpression' && callee.object.type === 'Identifier' && callee.object.name === 'Type')
        ranges.push([start, end])
    },
  }).visit(program)
  return ranges
}

/** Literals in a source that people would see: JSX text, attributes, and text between the tags of html`…`. */
function proseIn(path: string, source: string): string[] {
  const found: string[] = []
  /** A property's quoted name is looked up, not shown: CodeMirror names its phrases by their English words. */
  const names = new Set<object>()
  const { program } = parseSync(path, source)
  const openApi = openApiRanges(program)
  const add = (text: string, { start }: { readonly start: number }): void => {
    if (properNames.has(text) || isCode(text) || openApi.some(([from, to]) => from <= start && start < to)) return
    if (looksLikeProse(text)) found.push(`${path}: ${text.trim().replace(/\s+/g, ' ').slice(0, 80)}`)
  }
  new Visitor({
    JSXText: ({ value }) => /\p{L}{2}/u.test(value) && found.push(`${path}: ${value.trim()}`),
    JSXAttribute({ name, value }) {
      if (name.type === 'JSXIdentifier' && spoken.test(name.name) && value?.type === 'Literal')
        add(String(value.value), value)
    },
    TaggedTemplateExpression({ tag, quasi }) {
      if (tag.type !== 'Identifier' || tag.name !== 'html') return
      const markup = quasi.quasis.map(({ value }) => value.raw).join('\u0000')
      if (isAttributes(markup)) return
      for (const text of withoutCode(markup).split(/<[^>]*>/))
        if (/\p{L}{2}/u.test(text.replace(/&\w+;/g, ''))) found.push(`${path}: ${text.trim().slice(0, 80)}`)
    },
    Literal(literal) {
      const { value } = literal
      if (typeof value === 'string' && !names.has(literal) && looksLikeSentence(value)) add(value, literal)
    },
    TemplateLiteral({ quasis, start }) {
      const text = quasis.map(({ value }) => value.raw).join('\u0000')
      if (!/[<=]/.test(text) && looksLikeSentence(text)) add(text, { start })
    },
    Property({ key, value }) {
      names.add(key)
      if (
        key.type === 'Identifier' &&
        spoken.test(key.name) &&
        value.type === 'Literal' &&
        typeof value.value === 'string'
      )
        add(value.value, value)
    },
  } as ConstructorParameters<typeof Visitor>[0]).visit(program)
  return found
}

test('no words for people are written in the code', () => {
  const found = sources
    .filter(({ path }) => translated.some((place) => path.startsWith(place)) && !isSchema(path))
    .flatMap(({ path, source }) => proseIn(path, source))
  assert.deepEqual(found, [])
})
