import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CodeBlock, codeBlocksIn } from '../../testkit/file-formats.ts'
import type { Machine } from './machines.ts'

/** The code blocks of docs/operations.md and deploy/README.md that are typed on machines, by section. */

export interface Block {
  readonly document: string
  readonly section: string
  /** Index of the block in its section, from 0. */
  readonly place: number
  /** The machine, or machines, it is typed on: the word after ```sh. */
  readonly on: string
  readonly code: string
  readonly line: number
}

export const documents = ['docs/operations.md', 'deploy/README.md'] as const

const root = join(import.meta.dirname, '../..')

/** The words after ```sh that name a machine, or several. */
const machines = ['db', 'web', 'node1', 'node3', 'nodes', 'others']

export const isForMachines = ({ language, marker }: CodeBlock): boolean =>
  language === 'sh' && machines.includes(marker)

export function blocksOf(document: string, markdown = readFileSync(join(root, document), 'utf8')): Block[] {
  const lines = markdown.split('\n')
  const sectionOf = ({ line }: CodeBlock) =>
    lines
      .slice(0, line)
      .findLast((one) => one.startsWith('## '))
      ?.slice(3) ?? ''
  const counted = new Map<string, number>()
  return codeBlocksIn(markdown)
    .filter(({ language }) => language === 'sh')
    .map((fence) => {
      const section = sectionOf(fence)
      const place = counted.get(section) ?? 0
      counted.set(section, place + 1)
      return { document, section, place, on: fence.marker, code: fence.code, line: fence.line }
    })
}

/** The order in which blocks are typed, and what happens between them. A step is a block of the text or a check. */

interface Scene {
  on(name: string): Machine
  /** State passed between steps: `moment` replaces the example time in the text, `said` is the last output. */
  readonly values: Map<string, string>
  until(what: string, isSo: () => boolean | Promise<boolean>, seconds?: number): Promise<void>
  loseRepository(): void
}

type Step =
  | { readonly section: string; readonly place: number; readonly on?: string; readonly of?: string }
  | { readonly does: string; act(scene: Scene): Promise<void> }

export interface Story {
  readonly machines: readonly (readonly [name: string, address: string])[]
  readonly steps: readonly Step[]
}

const block = (section: string, place: number, on?: string): Step => ({ section, place, ...(on ? { on } : {}) })
const blocks = (section: string, ...places: number[]): Step[] => places.map((place) => block(section, place))
const does = (what: string, act: (scene: Scene) => Promise<void>): Step => ({ does: what, act })

const sql = (machine: Machine, text: string, database = 'standfirst') =>
  machine.run(`sudo -u postgres psql -XAtq -d ${database} -c "${text}"`).then((said) => said.trim())

/** Inserts a row for each of these words, so that a later step can ask which came back. */
const write = (name: string, word: string): Step =>
  does(`"${word}" is written`, async ({ on, until }) => {
    await until('a write', () =>
      sql(
        on(name),
        `create table if not exists public.marks (word text); insert into public.marks values ('${word}')`,
      ).then(
        () => true,
        () => false,
      ),
    )
  })

const finds = (name: string, words: readonly string[]): Step =>
  does(`what is there: ${words.join(', ')}`, async ({ on }) => {
    assert.equal(await sql(on(name), 'select word from public.marks order by word'), [...words].sort().join('\n'))
  })

const chooseMoment = (name: string): Step =>
  does('this second is the one to come back to', async ({ on, values }) => {
    values.set(
      'moment',
      await sql(on(name), "select date_trunc('milliseconds', clock_timestamp() at time zone 'utc')::text || '+00'"),
    )
    await sql(on(name), 'select pg_sleep(1.2)')
  })

const metrics = (name: string, what: string, expected: RegExp): Step =>
  does(`the metrics say that ${what}`, async ({ on, until }) => {
    let text = ''
    await until(what, async () => {
      await on(name).run('systemctl start standfirst-archive-metrics.service')
      text = await on(name).run('cat /var/lib/prometheus/node-exporter/standfirst-archive.prom')
      return expected.test(text)
    }).catch((late) => assert.fail(`${late.message}\n${text}`))
  })

const unit = (name: string, what: string): Step =>
  does(`systemctl start ${what}`, async ({ on }) => void (await on(name).run(`systemctl start ${what}`)))

const answers = (name: string, url: string): Step =>
  does(`${url} answers`, ({ on, until }) =>
    until(
      url,
      () =>
        on(name)
          .run(`curl --silent --fail --max-time 5 ${url}`)
          .then(
            () => true,
            () => false,
          ),
      60,
    ),
  )

const secrets = `AUTH_SECRET=a-secret-of-the-rehearsal-that-everybody-knows
SECRETS_KEY=another-secret-of-the-rehearsal-that-all-know
BASE_URL=https://site.test
SMTP_URL=smtp://127.0.0.1:1
TRUST_PROXY=127.0.0.1`

const settings = does('PostgreSQL, an owner, a database and the files of settings', async ({ on }) => {
  await on('db').run(`pg_createcluster 15 main >/dev/null
systemctl start postgresql@15-main
sudo -u postgres psql -q -c "create role site login createrole bypassrls password 'p'" -c 'create database standfirst owner site'
for name in site server worker owner; do
  cat > /etc/standfirst/$name.env <<'END'
${secrets}
DATABASE_URL=postgres://site:p@127.0.0.1:5432/standfirst
END
done
cd /opt/standfirst && PATH=/opt/standfirst/node_modules/.bin:$PATH DATABASE_URL=postgres://site:p@127.0.0.1:5432/standfirst standfirst migrate`)
})

const machineDies = (name: string): Step =>
  does(`${name} dies`, async ({ on }) => {
    on(name).crash()
  })

const leaderIs = (name: string): Step =>
  does(`${name} is the leader, and the others are in step with it`, ({ on, until }) => {
    const others = ['node1', 'node2', 'node3']
      .filter((one) => one !== name)
      .map((one) => `${on(one).address}:8008/sync`)
    const asked = [`${on(name).address}:8008/primary`, ...others].map(
      (url) => `curl --silent --fail --output /dev/null http://${url}`,
    )
    const streaming = "select count(*) from pg_stat_replication where state = 'streaming' and sync_state = 'sync'"
    return until(
      'a whole cluster',
      () =>
        on(name)
          .run(asked.join(' && '))
          .then(
            async () => (await sql(on(name), streaming)) === '2',
            () => false,
          ),
      120,
    )
  })

const monitoring = readFileSync(join(import.meta.dirname, '../monitoring/alerts-database.yaml'), 'utf8')
/** What needs systemd as the first process. */
const unmeasurable = /^node_systemd_/

const measured = does('what the alerts ask for is measured', async ({ on }) => {
  const asked = new Set(monitoring.replaceAll(/^\s*#.*$/gm, '').match(/\b(?:patroni|node|standfirst)_\w+/g))
  const node = on('node1')
  await node.run('systemctl start prometheus-node-exporter')
  const said = await node.run(
    `curl --silent --retry 10 --retry-connrefused http://10.0.0.1:8008/metrics http://10.0.0.1:9100/metrics`,
  )
  for (const name of asked)
    if (!unmeasurable.test(name)) assert.match(said, new RegExp(`^${name}[{ ]`, 'm'), `nobody measures ${name}`)
})

export const stories: Readonly<Record<string, Story>> = {
  'one machine': {
    machines: [['db', '10.0.0.9']],
    steps: [
      block('systemd', 0),
      settings,
      block('systemd', 1),
      answers('db', 'http://127.0.0.1:8080/'),
      unit('db', 'standfirst-backup.service'),
      does(
        'the small site makes room for the larger',
        async ({ on }) => void (await on('db').run('systemctl stop standfirst')),
      ),
      block('systemd', 2),
      answers('db', 'http://127.0.0.1:8081/'),
      unit('db', 'haproxy'),
      block('Balancer', 0),
      answers('db', 'http://127.0.0.1:8090/'),
      block('Edge', 0),
      answers('db', 'http://127.0.0.1:6081/'),
      block('Restore to a moment', 0),
      ...['standfirst-archive@diff', 'standfirst-archive-check', 'standfirst-archive-drill'].map((name) =>
        unit('db', `${name}.service`),
      ),
      metrics(
        'db',
        'all is well',
        /standfirst_postgres_up 1\n[\s\S]*type="full"[\s\S]*standfirst_backup_status 0\nstandfirst_archive_enabled 1\n/,
      ),
      write('db', 'before'),
      chooseMoment('db'),
      write('db', 'after'),
      unit('db', 'standfirst-archive-check.service'),
      block('Restore to a moment', 1),
      answers('db', 'http://127.0.0.1:6081/'),
      finds('db', ['before']),
      block('Restore to a moment', 3),
      answers('db', 'http://127.0.0.1:8081/'),
      write('db', 'later'),
      unit('db', 'standfirst-archive-check.service'),
      does('the machine loses its disk', async ({ on }) => {
        await on('db').run('systemctl stop postgresql@15-main; rm -rf /var/lib/postgresql/15/main')
      }),
      metrics('db', 'PostgreSQL does not answer', /^standfirst_postgres_up 0\n$/),
      block('Restore to a moment', 2),
      finds('db', ['before', 'later']),
      block('When the disk is full', 0),
    ],
  },
  'a cluster': {
    machines: [
      ['node1', '10.0.0.1'],
      ['node2', '10.0.0.2'],
      ['node3', '10.0.0.3'],
      ['web', '10.0.0.10'],
    ],
    steps: [
      ...blocks('Fail-over', 0, 1, 2, 3, 4, 5, 6, 7, 8),
      metrics('node1', 'all is well', /type="full"[\s\S]*standfirst_backup_status 0\nstandfirst_archive_enabled 1\n/),
      unit('node2', 'standfirst-archive@diff.service'),
      measured,
      write('node1', 'first'),
      machineDies('node3'),
      write('node1', 'with two'),
      block('When a node dies', 0),
      does('node3 comes back with damaged files', async ({ on }) => {
        await on('node3').run(`rm -rf /var/lib/postgresql/15/site/base
systemctl start --no-block etcd
systemctl start patroni`)
      }),
      block('When a node dies', 1),
      leaderIs('node1'),
      block('When a node dies', 2),
      leaderIs('node2'),
      does('and back', async ({ on }) => {
        await on('node1').run(`set -a && . /etc/patroni_env.conf && set +a
patronictl -c /etc/patroni/config.yml switchover site --leader node2 --candidate node1 --force`)
      }),
      leaderIs('node1'),
      machineDies('node3'),
      does('its disk is gone with it', async ({ on }) => {
        await on('node3').run(
          'rm -rf /var/lib/postgresql/15/* /var/lib/etcd/site /etc/patroni_env.conf /etc/default/etcd /etc/patroni',
        )
      }),
      block('When a node dies', 3),
      block('Fail-over', 1, 'node3'),
      block('Fail-over', 2, 'node3'),
      block('When a node dies', 4),
      leaderIs('node1'),
      write('node1', 'before'),
      does('the archive is lost', async ({ loseRepository }) => loseRepository()),
      write('node1', 'without an archive'),
      metrics('node1', 'there is nothing to restore from', /standfirst_backup_status [12]\n/),
      does('WAL cannot leave', async ({ on }) => void (await sql(on('node1'), 'select pg_switch_wal()', 'postgres'))),
      metrics('node1', 'WAL waits', /standfirst_archive_waiting_files [1-9]/),
      block('When the archive is lost', 0),
      metrics(
        'node1',
        'all is well again',
        /standfirst_backup_status 0\nstandfirst_archive_enabled 1\n[\s\S]*standfirst_archive_waiting_files 0\n/,
      ),
      chooseMoment('node1'),
      write('node1', 'after'),
      unit('node1', 'standfirst-archive-check.service'),
      ...blocks('Restore a cluster', 0, 1, 2, 3),
      leaderIs('node1'),
      finds('node1', ['first', 'with two', 'before', 'without an archive']),
      write('node1', 'at last'),
      unit('node1', 'standfirst-archive-check.service'),
      does('all nodes are lost; copies of two files lie elsewhere', async ({ on }) => {
        const nodes = ['node1', 'node2', 'node3'].map(on)
        for (const node of nodes) node.crash()
        for (const node of nodes)
          await node.run(`rm -rf /var/lib/postgresql/15/* /var/lib/etcd/site /etc/patroni_env.conf /etc/default/etcd /etc/patroni
            rm -rf /etc/pgbackrest.conf /etc/systemd/system/standfirst-* /var/spool/pgbackrest/* /run/rehearsal-units/*`)
      }),
      block('Fail-over', 1),
      block('Fail-over', 2),
      block('When all nodes are lost', 0),
      block('Restore a cluster', 2),
      block('Restore a cluster', 3),
      leaderIs('node1'),
      finds('node1', ['first', 'with two', 'before', 'without an archive', 'at last']),
      does('the site reaches it by the address it had', async ({ on, until }) => {
        const ask = '. /etc/standfirst/owner.env && psql -XAtq "$DATABASE_URL" -c "select count(*) from pub.pieces"'
        await until('an answer', () =>
          on('web')
            .run(ask)
            .then(
              () => true,
              () => false,
            ),
        )
      }),
    ],
  },
}
