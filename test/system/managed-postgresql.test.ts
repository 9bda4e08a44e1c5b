import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { standfirst } from '../../testkit/cli.ts'
import { type Postgres, startPrimary } from '../../testkit/engines/postgres.ts'
import { temporaryFolder } from '../../testkit/files.ts'
import { missingPostgres } from '../../testkit/replica-site.ts'

/**
 * A managed PostgreSQL: TLS only, a certificate of a private CA, and an owner who may create roles but is neither
 * superuser nor bypassrls. `migrate` needs no preparation.
 */

const folder = temporaryFolder()
const ca = join(folder, 'ca.pem')

/** Creates the server's certificate and key in its folder, signed by the CA of ca.pem. */
function makeCertificate(place: string): void {
  const at = (name: string) => join(folder, name)
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'ignore' })
  const request = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  openssl('req', '-x509', ...request, '-days', '2', '-subj', '/CN=Authority', '-keyout', at('ca.key'), '-out', ca)
  openssl('req', ...request, '-subj', '/CN=database', '-keyout', `${place}/server.key`, '-out', at('request'))
  writeFileSync(at('names'), 'subjectAltName=IP:127.0.0.1')
  const signing = ['-CA', ca, '-CAkey', at('ca.key'), '-CAcreateserial', '-days', '2', '-extfile', at('names')]
  openssl('x509', '-req', '-in', at('request'), ...signing, '-out', `${place}/server.crt`)
  // PostgreSQL accepts only a key it owns and that nobody else can read.
  const { uid, gid } = statSync(place)
  chownSync(`${place}/server.key`, uid, gid)
  chmodSync(`${place}/server.key`, 0o600)
}

async function managed(): Promise<Postgres> {
  const postgres = await startPrimary({ fsync: 'off' })
  makeCertificate(postgres.folder)
  await postgres.query('postgres', 'create role site login createrole')
  await postgres.query('postgres', 'create database standfirst owner site')
  await postgres.stop()
  writeFileSync(`${postgres.folder}/pg_hba.conf`, 'hostssl all all 127.0.0.1/32 trust\n')
  writeFileSync(`${postgres.folder}/postgresql.auto.conf`, "ssl = 'on'\n", { flag: 'a' })
  await postgres.start()
  return postgres
}

test('a site is migrated, examined, backed up and restored there by TLS, and a certificate that does not fit is refused', {
  skip: missingPostgres,
}, async () => {
  const postgres = await managed()
  const as = (query: string, database = 'standfirst', host = '127.0.0.1') => ({
    DATABASE_URL: `postgres://site@${host}:${postgres.port}/${database}${query}`,
    MEDIA_URL: `file:${folder}/media`,
  })
  const verified = `?sslmode=verify-full&sslrootcert=${ca}`

  for (const given of [as('?sslmode=verify-full'), as('?sslmode=require'), as(verified, 'standfirst', 'localhost')]) {
    const { code, output } = await standfirst(given, 'migrate')
    assert.equal(code, 1)
    assert.match(output, /^The database’s certificate is not trusted: .*sslrootcert/m)
  }
  const migrated = await standfirst(as(verified), 'migrate')
  assert.equal(migrated.code, 0, migrated.output)
  assert.match((await standfirst(as(verified), 'doctor')).out, /^✓ Backups work here/m)

  const seeded = await standfirst(as(verified), 'seed', '--pieces', '20')
  assert.equal(seeded.code, 0, seeded.output)
  const file = join(folder, 'site.tar')
  const made = await standfirst(as(verified), 'backup', file)
  assert.equal(made.code, 0, made.output)
  const admin = new URL(as(verified, 'postgres').DATABASE_URL)
  admin.username = 'postgres'
  execFileSync('psql', [admin.href, '--quiet', '--command=create database again owner site'])
  const restored = await standfirst(as(verified, 'again'), 'restore', file)
  assert.equal(restored.code, 0, restored.output)
  const counted = (database: string) => {
    admin.pathname = `/${database}`
    return execFileSync('psql', [admin.href, '-Atc', 'select count(*) from app.pieces'], { encoding: 'utf8' })
  }
  assert.equal(counted('again'), counted('standfirst'))
  assert.ok(Number(counted('again')) >= 20)
})
