import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { differences } from '../../labs/scale/restore/rows.ts'
import { actOf, runbook, steps } from '../../labs/scale/restore/runbook.ts'

/** What operators are told to type is what `npm run scale -- restore` runs; what starts it by the clock can be read. */

const folder = new URL('../../deploy/pgbackrest/', import.meta.url)
const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8')

test('the proof knows every line of the runbook, and its commands are all of pgBackRest’s', () => {
  const lines = steps.flatMap((step) => runbook().get(step)!)
  assert.ok(lines.length > 12)
  for (const line of lines) assert.equal(typeof actOf(line), 'function', line)
  const commands = lines.flatMap((line) => /pgbackrest --stanza=site.* ([\w-]+)$/.exec(line)?.[1] ?? [])
  assert.deepEqual([...new Set(commands)].toSorted(), ['backup', 'check', 'restore', 'stanza-create'])
})

test('a line that the proof does not run is noticed', () => {
  assert.throws(() => actOf('rm -rf /var/lib/postgresql/15/main'), /does not know/)
  assert.throws(() => runbook('## Restore to a moment\n\n## Another\n'), /has 0 blocks/)
})

test('a site that archives loses less than a minute, and keeps four weeks', () => {
  assert.match(read('archive.conf'), /^archive_timeout = 50$/m)
  assert.match(read('pgbackrest.conf'), /^archive-async=y$/m)
  assert.match(read('pgbackrest.conf'), /^repo1-retention-full=4$/m)
  assert.match(read('standfirst-archive-full.timer'), /^OnCalendar=Sun /m)
  assert.match(read('standfirst-archive-check.timer'), /^OnCalendar=\*-\*-\* \*:40$/m)
})

const units = readdirSync(folder).filter((name) => /\.(service|timer)$/.test(name))
const canAnalyse = spawnSync('systemd-analyze', ['--version']).status === 0
const scratch = mkdtempSync(join(tmpdir(), 'standfirst-units-'))
after(() => rmSync(scratch, { recursive: true }))

test('systemd can read the units, and finds little exposed', { skip: !canAnalyse && 'no systemd-analyze here' }, () => {
  const program = /^ExecStart=\S+/m
  for (const name of units) writeFileSync(join(scratch, name), read(name).replace(program, 'ExecStart=/bin/true'))
  const paths = units.map((name) => join(scratch, name))
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...paths], { encoding: 'utf8' })
  assert.deepEqual([status, stderr], [0, ''])
  for (const path of paths.filter((one) => one.endsWith('.service'))) {
    const judged = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', path])
    assert.equal(judged.status, 0, path)
  }
})

test('rows that are missing, too many or changed are told by table and key', () => {
  const table = (rows: Record<string, string>) => new Map([['app.pieces', new Map(Object.entries(rows))]])
  assert.deepEqual(differences(table({ a: '1' }), table({ a: '1' })), [])
  assert.deepEqual(differences(table({ a: '1', b: '2' }), table({ a: '3', c: '4' })), [
    'app.pieces: 1 rows missing, the first is b',
    'app.pieces: 1 rows added, the first is c',
    'app.pieces: 1 rows changed, the first is a',
  ])
  assert.deepEqual(differences(table({}), new Map()), ['app.pieces is missing'])
})
