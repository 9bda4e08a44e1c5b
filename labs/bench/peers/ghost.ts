import { type ChildProcess, execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ghostFolder, peersFolder, versions } from './install.ts'
import { ready, start, stop } from './load.ts'
import { areNewest, type Corpus, found, type Peer, type Post, shows } from './peer.ts'

const port = 28_082
const mariaPort = 23_306
const home = `http://127.0.0.1:${port}`
const key = randomBytes(13).toString('hex')

/** Production settings without calls to other servers; caches, logs and limits at their defaults. */
const settings = {
  url: home,
  server: { host: '127.0.0.1', port },
  database: {
    client: 'mysql',
    connection: { host: '127.0.0.1', port: mariaPort, user: 'root', password: '', database: 'ghost' },
    pool: { min: 2, max: 10 },
  },
  privacy: { useUpdateCheck: false, useGravatar: false, useRpcPing: false },
  mail: { transport: 'SMTP', options: { host: '127.0.0.1', port: 1 } },
  sendWelcomeEmail: false,
}

export async function startGhost(corpus: Corpus): Promise<Peer> {
  const database = await startMaria()
  writeFileSync(join(ghostFolder, 'config.production.json'), JSON.stringify(settings))
  const first = await boot()
  await setUp()
  await stop(first)
  load(corpus)
  const { pid } = await boot()
  const common = `key=${key}&include=authors`
  const list = 'fields=id,title,slug,url,excerpt,published_at'
  const titles = (body: string): string[] => JSON.parse(body).posts.map(({ title }: Post) => title)
  return {
    name: `Ghost ${versions.ghost}`,
    pid: pid!,
    port,
    databasePids: async () => [database.pid!],
    reads: {
      'one post': corpus.posts.slice(0, 500).map((post) => ({
        path: `/ghost/api/content/posts/slug/${post.slug}/?${common}&${list},html`,
        answeredBy: (body) => {
          const [one] = JSON.parse(body).posts
          return one.id === objectId(post.id) && one.title === post.title && one.html === post.html
        },
      })),
      'a list of 20': [
        {
          path: `/ghost/api/content/posts/?limit=20&${common}&${list}`,
          answeredBy: (body) => areNewest(corpus, titles(body)),
        },
      ],
      search: corpus.words.map(({ word, title }) => ({
        path: `/ghost/api/content/posts/?limit=20&${common}&${list}&filter=${encodeURIComponent(`title:~'${word}'`)}`,
        answeredBy: (body) => found(title, titles(body)),
      })),
      'a page': corpus.posts.slice(0, 500).map((post) => ({
        path: `/${post.slug}/`,
        answeredBy: (body) => shows(body, post),
      })),
    },
  }
}

async function boot(): Promise<ChildProcess> {
  const env = { ...process.env, NODE_ENV: 'production', NODE_NO_WARNINGS: '1' }
  const server = start(0, [process.execPath, 'index.js'], { cwd: ghostFolder, env })
  await ready(server, `${home}/`)
  return server
}

async function setUp(): Promise<void> {
  const owner = { name: 'Owner', email: 'owner@example.com', password: randomBytes(12).toString('hex') }
  const answer = await fetch(`${home}/ghost/api/admin/authentication/setup/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ setup: [{ ...owner, blogTitle: 'Peers' }] }),
  })
  if (answer.status !== 201) throw new Error(`Ghost's setup answered ${answer.status}: ${await answer.text()}`)
}

const objectId = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 24)
const at = (date: Date): string => `'${date.toISOString().slice(0, 19).replace('T', ' ')}'`

/**
 * Inserts directly into its tables, replacing its sample posts and images that are on other servers. Links stay as
 * written.
 */
function load({ authors, posts }: Corpus): void {
  const users = authors.map(({ id, slug, name }) => {
    const cells = [objectId(id), name, slug, 'x', `${slug}@example.com`].map(quoted)
    return `insert into users (id, name, slug, password, email, created_at) values (${cells}, now());
insert into roles_users (id, role_id, user_id) select '${objectId(`role ${id}`)}', id, '${objectId(id)}' from roles where name = 'Author';`
  })
  const rows = posts.map((post) => {
    const id = objectId(post.id)
    const texts = [id, post.id, post.title, post.slug, post.html, post.text, post.excerpt].map(quoted)
    const date = at(post.publishedAt)
    return `insert into posts (id, uuid, title, slug, html, plaintext, custom_excerpt, status, email_recipient_filter, created_at, updated_at, published_at)
values (${texts}, 'published', 'all', ${date}, ${date}, ${date});
insert into posts_authors (id, post_id, author_id) values ('${objectId(`by ${post.id}`)}', '${id}', '${objectId(post.author)}');`
  })
  const own = ['posts_authors', 'posts_tags', 'posts_meta', 'posts'].map((table) => `delete from ${table};`)
  sql(
    'ghost',
    `set foreign_key_checks = 0; ${own.join(' ')} set foreign_key_checks = 1;
update settings set value = null where \`key\` in ('cover_image', 'logo', 'icon');
update settings set value = 'false' where \`key\` = 'outbound_link_tagging';
insert into integrations (id, type, name, slug, created_at) values ('${objectId('bench')}', 'custom', 'Bench', 'bench', now());
insert into api_keys (id, type, secret, integration_id, created_at) values ('${objectId('key')}', 'content', '${key}', '${objectId('bench')}', now());
begin; ${[...users, ...rows].join('\n')} commit; analyze table posts, posts_authors, users;`,
  )
}

/** An empty MariaDB for Ghost on the database core. The next run deletes its data. */

const dataFolder = join(peersFolder, 'mariadb')

async function startMaria(): Promise<ChildProcess> {
  if (!existsSync('/usr/sbin/mariadbd'))
    throw new Error('Ghost needs a database; install one (apt-get install mariadb-server)')
  rmSync(dataFolder, { recursive: true, force: true })
  mkdirSync(dataFolder, { recursive: true })
  const isRoot = process.getuid?.() === 0
  if (isRoot) {
    const [user, group] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'mysql'], { encoding: 'utf8' })))
    chownSync(dataFolder, user!, group!)
  }
  const as = isRoot ? ['--user=mysql'] : []
  const where = ['--no-defaults', ...as, `--datadir=${join(dataFolder, 'data')}`]
  execFileSync('mariadb-install-db', [...where, '--auth-root-authentication-method=normal', '--skip-test-db'], {
    stdio: 'ignore',
  })
  const server = start(
    1,
    [
      '/usr/sbin/mariadbd',
      ...where,
      `--port=${mariaPort}`,
      '--bind-address=127.0.0.1',
      `--socket=${join(dataFolder, 'socket')}`,
      `--log-error=${join(dataFolder, 'log')}`,
      '--character-set-server=utf8mb4',
    ],
    { stdio: 'ignore' },
  )
  for (let tries = 0; tries < 300; tries += 1) {
    if (server.exitCode !== null) break
    try {
      sql('', 'create database ghost')
      return server
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
  throw new Error(`MariaDB did not start; see ${join(dataFolder, 'log')}`)
}

/** Runs statements and returns rows by line, cells by tab. */
function sql(database: string, statements: string): string {
  const to = ['--no-defaults', '-h127.0.0.1', `-P${mariaPort}`, '-uroot', '--default-character-set=utf8mb4', '-N']
  return execFileSync('mariadb', [...to, database], {
    input: statements,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'pipe'],
  }).trim()
}

/** Text as hexadecimal digits, which need no escape. */
const quoted = (text: string): string => `_utf8mb4 x'${Buffer.from(text).toString('hex')}'`
