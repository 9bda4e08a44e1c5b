import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Block, blocksOf, documents, stories } from '../../deploy/rehearsal/stories.ts'
import { actOf, runbook, steps } from '../../labs/scale/restore/runbook.ts'
import { differences } from '../../labs/scale/restore/snapshot.ts'
import { temporaryFolder } from '../../testkit/files.ts'

/** Every block of the runbooks is run by `deploy/rehearse recovery`, or says why not; npm run nightly runs that. */

const root = join(import.meta.dirname, '../..')
const blocks = documents.flatMap((document) => blocksOf(document))
const played = Object.values(stories).flatMap(({ machines, steps }) =>
  steps.flatMap((step) => ('section' in step ? [{ ...step, machines: machines.map(([name]) => name) }] : [])),
)

/** By document and section: what runs these blocks instead. */
const elsewhere: Readonly<Record<string, string>> = {
  'docs/operations.md Behind a connection pooler': 'test/nightly/pooler.test.ts runs its query and the file it makes',
  'deploy/README.md Kubernetes':
    'there is no cluster; test/project/deploy-kubernetes.test.ts holds the manifests against its API',
  'deploy/README.md Containers': 'there is no container engine; deploy/rehearse runs every step of both files',
}
const keyOf = ({ document, section }: Block): string => `${document} ${section}`

test('every block that is typed on machines is run by the rehearsal', () => {
  assert.ok(blocks.length > 20)
  for (const block of blocks) {
    const isPlayed = played.some(({ section, place }) => section === block.section && place === block.place)
    const name = `${block.document}:${block.line}, block ${block.place} of "${block.section}"`
    assert.equal(isPlayed, !(keyOf(block) in elsewhere), name)
    assert.equal(block.on !== '', isPlayed, `${name} names no machine`)
  }
  for (const key of Object.keys(elsewhere))
    assert.ok(
      blocks.some((block) => keyOf(block) === key),
      `${key} is gone`,
    )
})

test('every step of the rehearsal is in the text, and its machines are there', () => {
  for (const { section, place, on, machines } of played) {
    const block = blocks.find((one) => one.section === section && one.place === place)
    assert.ok(block, `there is no block ${place} in "${section}"`)
    const where = on ?? block.on
    assert.ok(machines.includes(where === 'nodes' || where === 'others' ? 'node2' : where), `${section}: ${where}`)
  }
})

test('no two sections that are rehearsed have one name', () => {
  for (const { section } of blocks) {
    const of = new Set(blocks.filter((one) => one.section === section).map(({ document }) => document))
    assert.equal(of.size, 1, section)
  }
})

/** The programs used for recovery; `standfirst` itself is covered by other tests. */
const programs = /^(?:patronictl|pgbackrest|etcdctl|systemctl|pg_ctl|sudo|install|rm|sed|scp) /

test('the runbooks hide no command in a sentence', () => {
  const text = documents.map((document) => readFileSync(join(root, document), 'utf8')).join('\n')
  const sentences = text.replaceAll(/^( *)```[\s\S]*?^\1```$/gm, '')
  const commands = [...sentences.matchAll(/`([^`\n]+)`/g)]
    .map(([, code]) => code!)
    .filter((code) => programs.test(code))
  const run = blocks.map(({ code }) => code).join('\n')
  for (const command of commands) assert.ok(run.includes(command), command)
})

test('the scope, the stanza and the folders are the same in every file', () => {
  const read = (name: string) => readFileSync(join(root, name), 'utf8')
  const scope = /^scope: (\w+)$/m.exec(read('deploy/ha/patroni.yaml'))![1]!
  const folder = /^PATRONI_POSTGRESQL_DATA_DIR=(.+)$/m.exec(read('deploy/ha/settings'))![1]!
  const text = read('docs/operations.md')
  const asked = [...text.matchAll(/patronictl -c \S+ (?:list|remove|reinit|switchover) (\w+)/g)].map(([, name]) => name)
  assert.ok(asked.length > 4)
  for (const name of asked) assert.equal(name, scope)
  assert.ok(text.includes(`pg1-path=${folder}#'`), 'pgBackRest looks where Patroni has its data')
  for (const [, path] of text.matchAll(/pg_ctl -D (\S+)/g)) assert.equal(path, folder)
  for (const [, stanza] of text.matchAll(/--stanza=(\w+)/g)) assert.equal(stanza, 'site')
})

/** The documented commands are those that `npm run scale -- restore` runs, and the timer units are valid. */

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
const scratch = temporaryFolder()

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
