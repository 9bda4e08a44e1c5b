import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { missingPrograms } from '../../testkit/engines/engine.ts'
import { readEnvFile } from '../../testkit/file-formats.ts'
import { temporaryFolder } from '../../testkit/files.ts'

/** deploy/ha is consistent, as far as static checks can show. `npm run chaos -- cluster` starts it. */

const pathOf = (name: string): string => fileURLToPath(new URL(`../../deploy/ha/${name}`, import.meta.url))
const nodes = ['10.0.0.1', '10.0.0.2', '10.0.0.3']
const passwords = { SUPERUSER_PASSWORD: 'one', REPLICATION_PASSWORD: 'two', PATRONI_PASSWORD: 'three' }
const settingsOf = (...args: readonly string[]) =>
  spawnSync(pathOf('settings'), args, { env: { PATH: process.env['PATH'], ...passwords }, encoding: 'utf8' })
const patroni = parse(readFileSync(pathOf('patroni.yaml'), 'utf8'))

test('a write is acknowledged when two nodes have it, and by one alone never', () => {
  const { dcs, initdb } = patroni.bootstrap
  assert.equal(dcs.synchronous_mode, true)
  assert.equal(dcs.synchronous_mode_strict, true)
  assert.equal(dcs.synchronous_node_count, 2)
  assert.equal(dcs.postgresql.parameters.synchronous_commit, 'on')
  assert.ok(initdb.includes('data-checksums'))
})

test('a node is given up as soon as Patroni allows, and no loop takes longer than it may be silent', () => {
  const { ttl, loop_wait, retry_timeout, primary_start_timeout } = patroni.bootstrap.dcs
  assert.equal(ttl, 20)
  assert.ok(loop_wait + 2 * retry_timeout <= ttl)
  assert.equal(primary_start_timeout, 0)
})

test('nobody signs in without a password but the owner of the files, on the machine itself', () => {
  const [local, ...others] = patroni.postgresql.pg_hba
  assert.equal(local, 'local all postgres peer')
  assert.ok(others.length > 1)
  for (const line of others) assert.match(line, /^host .* samenet scram-sha-256$/)
})

test('a cluster archives from its first start, as a single PostgreSQL does', () => {
  const archive = readFileSync(pathOf('../pgbackrest/archive.conf'), 'utf8')
  const { parameters } = patroni.bootstrap.dcs.postgresql
  assert.ok(archive.includes(`archive_command = '${parameters.archive_command}'`))
  assert.ok(archive.includes(`archive_timeout = ${Number.parseInt(parameters.archive_timeout, 10)}\n`))
})

test('each node gets its own name and address, and all the same members', () => {
  const printed = nodes.map((node) => readEnvFile(settingsOf(node, ...nodes).stdout))
  for (const [at, settings] of printed.entries()) {
    assert.equal(settings['PATRONI_NAME'], `node${at + 1}`)
    assert.equal(settings['PATRONI_POSTGRESQL_CONNECT_ADDRESS'], `${nodes[at]}:5432`)
    assert.equal(settings['ETCD_INITIAL_CLUSTER'], printed[0]!['ETCD_INITIAL_CLUSTER'])
    for (const [name, value] of Object.entries(settings)) assert.notEqual(value, '', name)
  }
})

test('a stranger, or a forgotten password, is refused before anything is printed', () => {
  assert.deepEqual([settingsOf('10.0.0.9', ...nodes).status, settingsOf('10.0.0.9', ...nodes).stdout], [2, ''])
  assert.equal(settingsOf('10.0.0.1').status, 2)
  assert.equal(settingsOf(...nodes).status, 2, 'none of the three is this machine')
  const without = spawnSync(pathOf('settings'), [nodes[0]!, ...nodes], { env: { PATH: process.env['PATH'] } })
  assert.notEqual(without.status, 0)
})

test('Patroni before 3.0.3 is kept from etcd’s third protocol, and etcd speaks the second', () => {
  const settings = readEnvFile(settingsOf(nodes[0]!, ...nodes).stdout)
  assert.ok(settings['PATRONI_ETCD_HOSTS'] && !settings['PATRONI_ETCD3_HOSTS'])
  assert.equal(settings['ETCD_ENABLE_V2'], 'true')
})

test('HAProxy can read its file, alone and beside that of the balancer', { skip: missingPrograms('haproxy') }, () => {
  const env = { ...readEnvFile(settingsOf(nodes[0]!, ...nodes).stdout), PATH: process.env['PATH'] }
  const balancer = join(temporaryFolder(), 'haproxy.cfg')
  const text = readFileSync(pathOf('../haproxy/haproxy.cfg'), 'utf8')
  writeFileSync(balancer, text.replaceAll('/etc/haproxy/', pathOf('../haproxy/')))
  for (const files of [[], ['-f', balancer]])
    execFileSync('haproxy', ['-c', '-q', ...files, '-f', pathOf('haproxy.cfg')], { env })
})
