import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { type ConfigError, readConfig, settings } from './config.ts'

const folder = mkdtempSync(join(tmpdir(), 'sf-secrets-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const fileWith = (name: string, content: string): string => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const random = 'b1JqZ0pXc2t5d0RrUmFhVnhTbU5nTGZp'
const secrets: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgres://site:hidden@127.0.0.1/site',
  PUBLIC_DATABASE_URL: 'postgres://svc_public:hidden@127.0.0.1/site',
  REPLICA_DATABASE_URL: 'postgres://svc_public:hidden@127.0.0.2/site',
  API_DATABASE_URL: 'postgres://svc_api:hidden@127.0.0.1/site',
  DESK_DATABASE_URL: 'postgres://svc_desk:hidden@127.0.0.1/site',
  DIRECT_DATABASE_URL: 'postgres://svc_worker:hidden@127.0.0.1/site',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20hidden',
  WORKER_DATABASE_URL: 'postgres://svc_worker:hidden@127.0.0.1/site',
  AUTH_SECRET: random,
  SECRETS_KEY: `${random},${random}`,
  RECEIPT_KEY: random,
  REDIS_URL: 'redis://:hidden@127.0.0.1:6379',
  SMTP_URL: 'smtps://user:hidden@mail.example:465',
  PURGE_URL: 'fastly://:hidden@service',
  MEDIA_URL: 's3://key:hidden@store.example/bucket',
}
const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    readConfig(env)
    return []
  } catch (error) {
    return (error as ConfigError).problems
  }
}

test('every setting that can hold a secret is one, and no other', () => {
  const declared = Object.entries(settings).filter(([, setting]) => 'isSecret' in setting && setting.isSecret)
  assert.deepEqual(declared.map(([name]) => name).sort(), Object.keys(secrets).sort())
  const named = Object.keys(settings).filter((name) => /_(URL|SECRET|KEY|TOKEN|PASSWORD)$/.test(name))
  assert.deepEqual(
    named.filter((name) => !(name in secrets)),
    ['BASE_URL'],
  )
})

test('each secret can be given by a file, whose last line break is not part of it', () => {
  const files = Object.entries(secrets).map(([name, value]) => [`${name}_FILE`, fileWith(name, `${value}\n`)])
  assert.deepEqual(readConfig(Object.fromEntries(files)), readConfig(secrets))
})

test('a secret that is given twice is refused, and an empty one beside its file counts as not given', () => {
  const file = fileWith('twice', secrets['SMTP_URL']!)
  const env = { DATABASE_URL: secrets['DATABASE_URL']!, SMTP_URL_FILE: file }
  assert.deepEqual(problemsOf({ ...env, SMTP_URL: 'smtp://127.0.0.1' }), [
    'SMTP_URL and SMTP_URL_FILE are both set. Keep one of them',
  ])
  assert.deepEqual(problemsOf({ ...env, SMTP_URL: '' }), [])
})

test('a file that cannot be read is named, with what is the matter, beside every other problem', () => {
  const env = {
    DATABASE_URL_FILE: join(folder, 'nowhere'),
    AUTH_SECRET_FILE: folder,
    SECRETS_KEY_FILE: fileWith('empty', '\n'),
    REDIS_URL_FILE: fileWith('wrong', 'http://:hidden@127.0.0.1'),
    PORT: 'eighty',
  }
  const text = problemsOf(env).join('\n')
  assert.match(text, /DATABASE_URL_FILE names \S+\/nowhere, which is not there/)
  assert.match(text, /AUTH_SECRET_FILE names \S+, which is a folder/)
  assert.match(text, /SECRETS_KEY_FILE names \S+\/empty, which is empty/)
  assert.match(text, /REDIS_URL must be an address that begins with redis:/)
  assert.match(text, /PORT must be/)
  assert.doesNotMatch(text, /hidden|DATABASE_URL is required/)
})

test('what is no secret cannot be given by a file', () => {
  const env = { DATABASE_URL: secrets['DATABASE_URL']!, PORT_FILE: fileWith('port', '9999') }
  assert.equal(readConfig(env).PORT, 8080)
})
