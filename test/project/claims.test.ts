import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { goodPassword, makeAccount, openDesk } from '../../testkit/accounts.ts'
import { testSite } from '../../testkit/app.ts'
import { makeDraft, makeWriter } from '../../testkit/factories.ts'

/** Sentences of the docs and of the privacy page, each checked against the code or the database. */

const pathOf = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url))
const read = (name: string): string => readFileSync(pathOf(name), 'utf8')
const { url, admin, app } = await testSite()

test('the privacy page says how many cookies the desk sets, and how long each lasts', async () => {
  const { id, email } = await makeAccount(admin)
  await admin.query("update app.accounts set language = 'en' where id = $1", [id])
  const browser = openDesk(app)
  const signedIn = await browser.post('/sign-in', { email, password: goodPassword })
  const given = [signedIn.headers['set-cookie']].flat().map(String)
  const lasting = given.map((one) => Number(/Max-Age=(\d+)/.exec(one)![1]) / 86_400)
  assert.deepEqual(lasting.toSorted(), [14, 400, 400])
  // The fourth is set when publishing: server/http/desk-api/session.ts lists them.
  const listed = /const cookieSeconds = \{([^}]*)\}/.exec(read('server/http/desk-api/session.ts'))![1]!
  assert.deepEqual(
    [...listed.matchAll(/(\w+):/g)].map(([, name]) => name),
    ['desk', 'device', 'language', 'wrote'],
  )
  assert.match(listed, /wrote: 30,/)
  const { body } = await app.inject('/privacy')
  assert.match(
    body,
    /sets four cookies: .* up to 14 days; .* for 400 days .* for 400 days which language .* for 30 seconds/,
  )
})

test('the address of a session is kept for 44 days after its owner last signed in or confirmed, and the privacy page and docs/protection.md say so', async () => {
  const { rows } = await admin.query<{ days: number }>(
    "select extract(day from max(expires_at - created_at) + interval '1 hour')::integer as days from app.sessions",
  )
  assert.equal(rows[0]!.days, 14)
  // test/accounts/sweeps.test.ts checks that they are deleted 30 days later.
  assert.match((await app.inject('/privacy')).body, /IP address and the browser.s name, .* up to 44 days/)
  assert.match(
    read('docs/protection.md'),
    /14 days after its owner last signed in or confirmed their identity, and 30 more after it expired/,
  )
})

test('a public role sees about how many rows there are, none of them, and docs/protection.md admits it', async () => {
  await makeDraft(admin, await makeWriter(admin))
  await admin.query('analyze app.pieces')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('set role svc_public')
    const { rows } = await client.query(
      `select c.reltuples from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'app' and c.relname = 'pieces'`,
    )
    assert.deepEqual(rows, [{ reltuples: 1 }])
    await assert.rejects(client.query('select count(*) from app.pieces'), /permission denied/)
  } finally {
    await client.end()
  }
  assert.match(read('docs/protection.md'), /about how many drafts there are; PostgreSQL cannot hide this/)
})

test('standfirst backup leaves the search index out, and physical backups, which contain it, are kept for four weeks', () => {
  assert.match(read('server/commands/backup/pg-tools.ts'), /'--exclude-table-data=search\.\*'/)
  assert.match(read('deploy/pgbackrest/pgbackrest.conf'), /^repo1-retention-full=4$/m)
  assert.doesNotMatch(read('docs/security.md'), /no backup has the index/)
  assert.match(
    read('docs/security.md'),
    /copies of PostgreSQL's own files .* contain it as it was .*: after four weeks/,
  )
})

const hasPgBackRest = spawnSync('pgbackrest', ['version']).status === 0

test('pgBackRest as it ships does nothing without a pass, and make-pass makes one that it takes', {
  skip: !hasPgBackRest && 'no pgbackrest here',
}, () => {
  const folder = mkdtempSync(join(tmpdir(), 'claims-'))
  try {
    const file = join(folder, 'pgbackrest.conf')
    writeFileSync(
      file,
      read('deploy/pgbackrest/pgbackrest.conf').replace(/^(repo1|spool|lock|log)-path=.*$/gm, `$1-path=${folder}/$1`),
    )
    const info = () =>
      spawnSync('pgbackrest', [`--config=${file}`, `--config-include-path=${folder}/conf.d`, '--stanza=site', 'info'], {
        encoding: 'utf8',
      })
    const make = () => spawnSync(pathOf('deploy/pgbackrest/make-pass'), [join(folder, 'conf.d/pass.conf')])
    spawnSync('mkdir', [join(folder, 'conf.d')])
    assert.match(info().stderr, /requires option: repo1-cipher-pass/)
    assert.equal(make().status, 0)
    const pass = readFileSync(join(folder, 'conf.d/pass.conf'), 'utf8')
    assert.match(pass, /^\[global\]\nrepo1-cipher-pass=[\w+/]{64}\n$/)
    assert.equal(statSync(join(folder, 'conf.d/pass.conf')).mode & 0o777, 0o600)
    assert.equal(info().status, 0, info().stderr)
    assert.notEqual(make().status, 0, 'one that is there is kept')
    assert.equal(readFileSync(join(folder, 'conf.d/pass.conf'), 'utf8'), pass)
  } finally {
    rmSync(folder, { recursive: true })
  }
  assert.match(read('docs/protection.md'), /The file of `standfirst backup` is not encrypted/)
})
