import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { copyFile, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { buildSdk } from '../../sdk/build.ts'
import { scratchDatabase } from '../../testkit/database.ts'
import { makePiece, makeWriter } from '../../testkit/factories.ts'
import { freePort } from '../../testkit/free-port.ts'
import { until } from '../../testkit/until.ts'
import { openDocsSite } from './docs-site.ts'

/** A site for the snippets of the documentation to talk to, and how each is run as a reader would run it. */

export const pathOf = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

export interface SnippetSite {
  readonly base: string
  readonly key: string
  /** A document with the addresses of this site in it. */
  documentAt(path: string): Promise<string>
  /** A folder for the snippets of one document, which may build on each other. */
  folderFor(document: string): Promise<string>
  run(language: 'sh' | 'js', code: string, folder: string): Promise<Ran>
}

interface Ran {
  readonly printed: string
  /** Calls that were noted and not made. */
  readonly told: readonly string[]
}

export const webhookSecret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`

export async function openSnippetSite(): Promise<SnippetSite> {
  const { url, admin, base, key } = await openDocsSite()
  // docs/security.md asks the newest piece for its receipt, which has one once a person has published at the desk.
  await makePiece(admin, await makeWriter(admin), { headline: 'On waiting' })

  const place = await mkdtemp(join(tmpdir(), 'standfirst-snippets-'))
  after(() => rm(place, { recursive: true }))
  await buildSdk(join(place, 'node_modules/@standfirst/sdk'))
  const [scope, client] = ['node_modules/@modelcontextprotocol', 'node_modules/@modelcontextprotocol/client']
  await mkdir(join(place, scope))
  await symlink(pathOf(client), join(place, client))
  const empty = await scratchDatabase()
  const owned = await ownedDatabase(url)

  const documentAt = async (path: string): Promise<string> =>
    (await readFile(pathOf(path), 'utf8'))
      .replaceAll('http://localhost:8080', base)
      .replaceAll('https://standfirst.example', base)
      .replaceAll('postgres://owner@127.0.0.1:5432/standfirst', empty.url)
      .replaceAll('postgres://site:…@127.0.0.1:5432/standfirst', owned.url)
      .replaceAll('. ./site.env', `. ./site.env && DATABASE_URL='${owned.url}'`)
      .replaceAll('create role site', `create role ${owned.name}`)
      .replaceAll('create database standfirst owner site', `create database ${owned.name} owner ${owned.name}`)
      .replaceAll('whsec_…', webhookSecret)

  const run: SnippetSite['run'] = async (language, code, folder) => {
    const told = join(folder, 'told')
    await writeFile(told, '')
    const file = join(folder, language === 'sh' ? 'snippet.sh' : 'snippet.mjs')
    await writeFile(file, language === 'sh' ? `. '${pathOf('test/project/snippets.sh')}'\n${code}` : code)
    const env = {
      ...process.env,
      ...{ KEY: key, DATABASE_URL: url, PORT: String(await freePort()), SHUTDOWN_DELAY: '0' },
      ...{
        NODE: process.execPath,
        PROGRAM: pathOf('server/commands/cli.ts'),
        SERVER: serverOf(url),
        OWNER: owned.name,
        TOLD: told,
      },
    }
    const shell = language === 'sh' ? 'bash' : process.execPath
    const { stdout } = await promisify(execFile)(shell, [file], { cwd: folder, env, timeout: 600_000 })
    return { printed: stdout, told: (await readFile(told, 'utf8')).split('\n').filter(Boolean) }
  }
  return {
    base,
    key,
    documentAt,
    run: (...given) => patiently(() => run(...given)),
    async folderFor(document) {
      const folder = join(place, document.replaceAll('/', '-'))
      await mkdir(join(folder, 'posts'), { recursive: true })
      await symlink(join(place, 'node_modules'), join(folder, 'node_modules'))
      await copyFile(pathOf('test/imports/devto/articles.json'), join(folder, 'articles.json'))
      await cp(pathOf('deploy'), join(folder, 'deploy'), { recursive: true })
      return folder
    },
  }
}

/** A busy site refuses for a moment and says so: whoever follows the documentation would ask again. */
const patiently = <Answer extends object>(ask: () => Promise<Answer>) =>
  until(
    () =>
      ask().catch((error: { stdout?: string; stderr?: string }): false => {
        if (/\b503\b|overloaded/.test(`${error.stdout}${error.stderr}`)) return false
        throw error
      }),
    'the server is not too busy for the snippet',
  )

function serverOf(url: string): string {
  const server = new URL(url)
  server.pathname = '/postgres'
  return server.href
}

/** The name that a snippet gives to a database and its owner, and their end. */
async function ownedDatabase(url: string): Promise<{ name: string; url: string }> {
  const name = `sf_owned_${randomBytes(6).toString('hex')}`
  const owned = new URL(url)
  owned.username = name
  owned.pathname = `/${name}`
  after(async () => {
    const client = new pg.Client({ connectionString: serverOf(url) })
    await client.connect()
    await client.query(`drop database if exists ${name} with (force)`)
    await client.query(`drop role if exists ${name}`)
    await client.end()
  })
  return { name, url: owned.href }
}
