import assert from 'node:assert/strict'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../../testkit/files.ts'
import { ConfigError, readConfig, settings } from './config.ts'

const least = { DATABASE_URL: 'postgres://site@127.0.0.1/site' }
function configProblems(...given: Parameters<typeof readConfig>): readonly string[] {
  try {
    readConfig(...given)
    return []
  } catch (error) {
    return (error as ConfigError).problems
  }
}

test('a database address is all that is needed', () => {
  const config = readConfig(least)
  assert.equal(config.PORT, 8080)
  assert.equal(config.REDIS_URL, undefined)
})

test('every problem is reported at once, with what was expected', () => {
  const wrong = {
    PORT: 'eighty',
    BASE_URL: 'site.test',
    LOG_LEVEL: 'loud',
    REDIS_URL: 'http://x',
    NODE_ENV: 'production',
  }
  assert.throws(
    () => readConfig(wrong),
    (error: ConfigError) => {
      assert.ok(error instanceof ConfigError)
      const text = error.problems.join('\n')
      for (const name of ['DATABASE_URL', 'PORT', 'BASE_URL', 'LOG_LEVEL', 'REDIS_URL'])
        assert.match(text, new RegExp(name))
      assert.equal(error.problems.length, 5)
      return true
    },
  )
})

test('in production the address of the site must be given', () => {
  assert.throws(() => readConfig({ ...least, NODE_ENV: 'production' }), /BASE_URL/)
})

test('a public process needs no more than the public role', () => {
  const { DATABASE_URL } = readConfig({ PUBLIC_DATABASE_URL: 'postgres://svc_public@127.0.0.1/site' })
  assert.equal(DATABASE_URL, undefined)
})

test('an empty setting is one that was not given', () => {
  assert.equal(readConfig({ ...least, PORT: '', REDIS_URL: ' ' }).PORT, 8080)
})

test('in production, and behind https, whoever can open the desk has a secret of their own; errors do not repeat it', () => {
  const production = { ...least, NODE_ENV: 'production', BASE_URL: 'https://site.test' }
  const { AUTH_SECRET } = readConfig({ ...least, BASE_URL: 'http://localhost:8080' })
  const [own, other] = ['b1JqZ0pXc2t5d0RrUmFhVnhTbU5nTGZp', 'QmVydGhhIGRyaW5rcyB0ZWEgYXQgc2l4']
  for (const exposed of [
    production,
    { ...least, BASE_URL: 'https://site.test' },
    { ...least, BASE_URL: 'HTTPS://site.test' },
    { ...least, BASE_URL: 'http://site.test', NODE_ENV: 'production' },
  ]) {
    assert.throws(() => readConfig(exposed), /AUTH_SECRET is required/)
    assert.throws(() => readConfig({ ...exposed, AUTH_SECRET }), /AUTH_SECRET is required/)
    assert.throws(() => readConfig({ ...exposed, AUTH_SECRET: own }), /SECRETS_KEY is required/)
  }
  assert.throws(
    () => readConfig({ ...production, AUTH_SECRET: 'too short to be secret' }),
    (error: ConfigError) => /at least 32/.test(error.message) && !error.message.includes('too short'),
  )
  const kept = readConfig({ ...production, AUTH_SECRET: own, SECRETS_KEY: `${other}, ${own}` })
  assert.equal(kept.AUTH_SECRET, own)
  assert.deepEqual(kept.SECRETS_KEY, [other, own])
  const readers = { PUBLIC_DATABASE_URL: 'postgres://svc_public@127.0.0.1/site', BASE_URL: 'https://site.test' }
  assert.ok(readConfig(readers))
  assert.ok(readConfig({ ...readers, NODE_ENV: 'production' }))
})

test('in production secrets that can be guessed are refused, each by its name, and never repeated', () => {
  const own = 'b1JqZ0pXc2t5d0RrUmFhVnhTbU5nTGZp'
  const production = {
    ...least,
    NODE_ENV: 'production',
    BASE_URL: 'https://site.test',
    AUTH_SECRET: own,
    SECRETS_KEY: own,
  }
  assert.ok(readConfig(production))
  for (const name of ['AUTH_SECRET', 'SECRETS_KEY', 'RECEIPT_KEY']) {
    for (const weak of [
      'a'.repeat(40),
      'secret'.repeat(8),
      'abcdefghijklmnopqrstuvwxyz0123456789',
      '0123456789'.repeat(4),
    ])
      assert.throws(
        () => readConfig({ ...production, [name]: weak }),
        ({ message }: ConfigError) => message.includes(`${name} is easy to guess`) && !message.includes(weak),
      )
  }
  assert.throws(
    () => readConfig({ ...production, SECRETS_KEY: `${own},${'a'.repeat(40)}` }),
    /SECRETS_KEY is easy to guess/,
  )
  for (let made = 0; made < 1000; made += 1)
    for (const encoding of ['hex', 'base64'] as const)
      assert.ok(readConfig({ ...production, AUTH_SECRET: randomBytes(32).toString(encoding) }))
  assert.ok(readConfig({ ...least, AUTH_SECRET: 'a'.repeat(40) }), 'on one’s own machine')
})

test('in production the address is https, unless it is this machine', () => {
  const own = 'b1JqZ0pXc2t5d0RrUmFhVnhTbU5nTGZp'
  const at = (BASE_URL: string) => () =>
    readConfig({ ...least, NODE_ENV: 'production', BASE_URL, AUTH_SECRET: own, SECRETS_KEY: own })
  for (const unsafe of ['http://site.test', 'HTTP://site.test:8080', 'http://localhost.site.test', 'http://10.0.0.1'])
    assert.throws(at(unsafe), /BASE_URL must start with https:\/\/ in production/, unsafe)
  for (const safe of ['https://site.test', 'http://localhost:8081', 'http://127.0.0.1', 'http://[::1]:8080'])
    assert.ok(at(safe)())
})

test('a process for the write API and the desk needs their two roles and no other', () => {
  const two = {
    API_DATABASE_URL: 'postgres://svc_api@127.0.0.1/h',
    DESK_DATABASE_URL: 'postgres://svc_desk@127.0.0.1/h',
  }
  assert.ok(readConfig(two, { surfaces: ['write', 'desk'] }))
  assert.throws(
    () => readConfig(two, { surfaces: ['public', 'desk'], jobs: true }),
    (error: ConfigError) => {
      assert.deepEqual(
        error.problems.map((problem) => problem.split(' ')[0]),
        ['PUBLIC_DATABASE_URL', 'WORKER_DATABASE_URL'],
      )
      return true
    },
  )
})

test('a server reads from one replica, and a worker knows several', () => {
  const replicas = 'postgres://svc_public@10.0.0.2/site, postgres://svc_public@10.0.0.3/site'
  const given = { ...least, REPLICA_DATABASE_URL: replicas }
  assert.equal(readConfig(given, { jobs: true }).REPLICA_DATABASE_URL.length, 2)
  assert.throws(() => readConfig(given, { surfaces: ['public'] }), /must name a single replica/)
  assert.throws(
    () => readConfig({ ...least, REPLICA_DATABASE_URL: 'http://x' }),
    /REPLICA_DATABASE_URL must start with/,
  )
  assert.deepEqual(readConfig(least).REPLICA_DATABASE_URL, [])
})

test('beside a pooler each role needs its own address, and the owner’s is not used', () => {
  const owner = { DATABASE_URL: 'postgres://owner@127.0.0.1/site', POOLER: 'transaction' }
  const own = { ...owner, PUBLIC_DATABASE_URL: 'postgres://svc_public@127.0.0.1:6432/site' }
  const problemsOf = (env: Record<string, string>) => configProblems(env, { surfaces: ['public'], jobs: true })
  assert.deepEqual(
    problemsOf(owner).map((problem) => problem.replace(/ with POOLER: .*/, '')),
    [
      'PUBLIC_DATABASE_URL is required for the surface “public”',
      'WORKER_DATABASE_URL is required to run background jobs',
    ],
  )
  const jobs = { WORKER_DATABASE_URL: 'postgres://svc_worker@127.0.0.1:6432/site' }
  assert.deepEqual(problemsOf({ ...own, ...jobs }), [])
  const replica = { REPLICA_DATABASE_URL: 'postgres://svc_public@127.0.0.1:6433/site' }
  assert.match(problemsOf({ ...own, ...jobs, ...replica }).join(), /DIRECT_DATABASE_URL is required with POOLER/)
  assert.match(problemsOf({ ...own, ...jobs, POOLER: 'session' }).join(), /POOLER must be one of: none, transaction/)
})

const folder = temporaryFolder()
const fileWith = (name: string, content: string): string => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const { privateKey: rsa } = generateKeyPairSync('rsa', { modulusLength: 2048 })

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
  DKIM_KEY: rsa.export({ type: 'pkcs8', format: 'pem' }).toString().trim(),
  BOUNCE_POSTMARK_PASSWORD: 'name:hidden-and-long-enough',
  BOUNCE_MAILGUN_KEY: 'hidden-and-long-enough',
  PURGE_URL: 'fastly://:hidden@service',
  MEDIA_URL: 's3://key:hidden@store.example/bucket',
}

test('a return path has space for its token, and a key that signs emails is an RSA key, as PEM or not', () => {
  const env = { DATABASE_URL: secrets['DATABASE_URL']! }
  for (const BOUNCE_ADDRESS of ['bounces', 'a-very-long-name@x.org', 'a@b@c', 'a b@c.org'])
    assert.equal(configProblems({ ...env, BOUNCE_ADDRESS }).length, 1, BOUNCE_ADDRESS)
  assert.deepEqual(configProblems({ ...env, BOUNCE_ADDRESS: 'bounces@mail.example.org' }), [])
  const ed25519 = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  for (const DKIM_KEY of ['no key', ed25519])
    assert.deepEqual(configProblems({ ...env, DKIM_KEY }), [
      'DKIM_KEY must be an RSA private key: PEM, or base64 of PKCS #8.',
    ])
  const DKIM_KEY = rsa.export({ type: 'pkcs8', format: 'der' }).toString('base64')
  assert.equal(readConfig({ ...env, DKIM_KEY }).DKIM_KEY, readConfig(secrets).DKIM_KEY)
})

test('what a provider of email reports with has the form that the provider gives it', () => {
  const env = { DATABASE_URL: secrets['DATABASE_URL']! }
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const BOUNCE_SENDGRID_VERIFICATION = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  const BOUNCE_SES_TOPIC = 'arn:aws:sns:eu-west-1:123456789012:bounces'
  assert.deepEqual(configProblems({ ...env, BOUNCE_SENDGRID_VERIFICATION, BOUNCE_SES_TOPIC }), [])
  for (const wrong of [
    { BOUNCE_SENDGRID_VERIFICATION: 'SG.key' },
    { BOUNCE_SES_TOPIC: 'arn:aws:sqs:eu-west-1:123456789012:bounces' },
    { BOUNCE_SES_TOPIC: 'arn:aws:sns:evil.test/:123456789012:bounces' },
    { BOUNCE_POSTMARK_PASSWORD: 'no-name-and-no-colon-at-all' },
    { BOUNCE_MAILGUN_KEY: 'short' },
  ])
    assert.match(configProblems({ ...env, ...wrong }).join(), /^BOUNCE_\w+ is not in the form/)
})

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
  assert.deepEqual(configProblems({ ...env, SMTP_URL: 'smtp://127.0.0.1' }), [
    'SMTP_URL and SMTP_URL_FILE are both set. Remove one of them.',
  ])
  assert.deepEqual(configProblems({ ...env, SMTP_URL: '' }), [])
})

test('a file that cannot be read is named, with what is the matter, beside every other problem', () => {
  const env = {
    DATABASE_URL_FILE: join(folder, 'nowhere'),
    AUTH_SECRET_FILE: folder,
    SECRETS_KEY_FILE: fileWith('empty', '\n'),
    REDIS_URL_FILE: fileWith('wrong', 'http://:hidden@127.0.0.1'),
    PORT: 'eighty',
  }
  const text = configProblems(env).join('\n')
  assert.match(text, /DATABASE_URL_FILE points to \S+\/nowhere, which doesn’t exist/)
  assert.match(text, /AUTH_SECRET_FILE points to \S+, which is a folder/)
  assert.match(text, /SECRETS_KEY_FILE points to \S+\/empty, which is empty/)
  assert.match(text, /REDIS_URL must start with one of: redis:/)
  assert.match(text, /PORT must be/)
  assert.doesNotMatch(text, /hidden|DATABASE_URL is required/)
})

test('what is no secret cannot be given by a file', () => {
  const env = { DATABASE_URL: secrets['DATABASE_URL']!, PORT_FILE: fileWith('port', '9999') }
  assert.equal(readConfig(env).PORT, 8080)
})
