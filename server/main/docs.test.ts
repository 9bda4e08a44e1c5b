import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { pino } from 'pino'
import { readConfig, settings } from '#config/config.ts'
import { openapiDocument } from '../commands/openapi.ts'
import { buildApp } from './app.ts'

/** The docs match the code, or these fail. test/project/docs.test.ts checks their contents and links. */

const doc = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')

test('docs/configuration.md describes every setting, with its default, in the words of the code', () => {
  const text = doc('docs/configuration.md')
  for (const [name, { fallback, about }] of Object.entries(settings)) {
    const row = `| \`${name}\` | ${fallback ? `\`${fallback}\`` : ''} | ${about} |`
    assert.ok(text.includes(row), `docs/configuration.md lacks this row:\n${row}`)
  }
  const rows = text.match(/^\| `[A-Z\d_]+` /gm) ?? []
  assert.equal(rows.length, Object.keys(settings).length, 'a row for a setting that does not exist')
})

test('the guides name every documented route, and docs/errors.md every reason and every code of a wrong field', async () => {
  const guides = ['reading', 'drafting', 'tools'].map((name) => doc(`docs/${name}.md`)).join('\n')
  const { paths } = JSON.parse(await openapiDocument({})) as { paths: Record<string, unknown> }
  for (const path of Object.keys(paths)) assert.ok(guides.includes(path), `no guide names ${path}`)
  const errors = doc('docs/errors.md')
  const reasons = [...doc('server/platform/errors.ts').matchAll(/^ {2}\| '(\w+)'/gm)].map(([, reason]) => reason)
  const codes = [...doc('server/platform/http/validation.ts').matchAll(/code: '(\w+)'/g)].map(([, code]) => code)
  assert.ok(reasons.length > 8 && codes.length > 6)
  for (const word of [...reasons, ...codes, 'unknown_cursor'])
    assert.ok(errors.includes(`\`${word}\``), `docs/errors.md lacks ${word}`)
})

test('docs/operations.md names every address for operators and every metric of ours', async () => {
  const text = doc('docs/operations.md')
  const app = await buildApp(
    readConfig({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }),
    pino({ level: 'silent' }),
    ['public'],
  )
  const { body } = await app.admin.inject('/metrics')
  await app.close()
  const metrics = new Set([...body.matchAll(/^# TYPE (standfirst_\w+)/gm)].map(([, name]) => name))
  assert.ok(metrics.size >= 3)
  for (const name of ['/healthz', '/readyz', '/metrics', ...metrics])
    assert.ok(text.includes(String(name)), `docs/operations.md lacks ${name}`)
})
