import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, readConfig } from './config.ts'

const least = { DATABASE_URL: 'postgres://house@127.0.0.1/house' }

test('a database address is all that is needed', () => {
  const config = readConfig(least)
  assert.equal(config.PORT, 8080)
  assert.equal(config.REDIS_URL, undefined)
})

test('every problem is reported at once, with what was expected', () => {
  const wrong = {
    PORT: 'eighty',
    BASE_URL: 'house.test',
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

test('in production the address of the house must be given', () => {
  assert.throws(() => readConfig({ ...least, NODE_ENV: 'production' }), /BASE_URL/)
})

test('a public process needs no more than the public role', () => {
  const { DATABASE_URL } = readConfig({ PUBLIC_DATABASE_URL: 'postgres://svc_public@127.0.0.1/house' })
  assert.equal(DATABASE_URL, undefined)
})

test('an empty setting is one that was not given', () => {
  assert.equal(readConfig({ ...least, PORT: '', REDIS_URL: ' ' }).PORT, 8080)
})

test('in production, and behind https, whoever can open the desk has a secret of their own; errors do not repeat it', () => {
  const production = { ...least, NODE_ENV: 'production', BASE_URL: 'https://house.test' }
  const { AUTH_SECRET } = readConfig({ ...least, BASE_URL: 'http://localhost:8080' })
  const own = 'x'.repeat(44)
  for (const exposed of [
    production,
    { ...least, BASE_URL: 'https://house.test' },
    { ...least, BASE_URL: 'HTTPS://house.test' },
    { ...least, BASE_URL: 'http://house.test', NODE_ENV: 'production' },
  ]) {
    assert.throws(() => readConfig(exposed), /AUTH_SECRET is required/)
    assert.throws(() => readConfig({ ...exposed, AUTH_SECRET }), /AUTH_SECRET is required/)
    assert.throws(() => readConfig({ ...exposed, AUTH_SECRET: own }), /SECRETS_KEY is required/)
  }
  assert.throws(
    () => readConfig({ ...production, AUTH_SECRET: 'too short to be secret' }),
    (error: ConfigError) => /at least 32/.test(error.message) && !error.message.includes('too short'),
  )
  const kept = readConfig({ ...production, AUTH_SECRET: own, SECRETS_KEY: `${'y'.repeat(44)}, ${own}` })
  assert.equal(kept.AUTH_SECRET, own)
  assert.deepEqual(kept.SECRETS_KEY, ['y'.repeat(44), own])
  const readers = { PUBLIC_DATABASE_URL: 'postgres://svc_public@127.0.0.1/house', BASE_URL: 'https://house.test' }
  assert.ok(readConfig(readers))
  assert.ok(readConfig({ ...readers, NODE_ENV: 'production' }))
})

test('a process for the write API and the desk needs their two roles and no other', () => {
  const two = {
    API_DATABASE_URL: 'postgres://svc_api@127.0.0.1/h',
    DESK_DATABASE_URL: 'postgres://svc_desk@127.0.0.1/h',
  }
  assert.ok(readConfig(two, { doors: ['write', 'desk'] }))
  assert.throws(
    () => readConfig(two, { doors: ['public', 'desk'], jobs: true }),
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
  const replicas = 'postgres://svc_public@10.0.0.2/house, postgres://svc_public@10.0.0.3/house'
  const given = { ...least, REPLICA_DATABASE_URL: replicas }
  assert.equal(readConfig(given, { jobs: true }).REPLICA_DATABASE_URL.length, 2)
  assert.throws(() => readConfig(given, { doors: ['public'] }), /must name one replica/)
  assert.throws(() => readConfig({ ...least, REPLICA_DATABASE_URL: 'http://x' }), /REPLICA_DATABASE_URL must be/)
  assert.deepEqual(readConfig(least).REPLICA_DATABASE_URL, [])
})
