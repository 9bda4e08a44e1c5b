import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { testApp } from '../testkit/app.ts'
import { testDatabase } from '../testkit/database.ts'
import { makeKey, makePiece, makeWriter } from '../testkit/factories.ts'
import { buildSdk } from './build.ts'

/** Tests the package as users get it: packed, and installed from the tarball in an empty project. */

const folder = await mkdtemp(join(tmpdir(), 'standfirst-sdk-'))
const project = join(folder, 'project')
const installed = join(project, 'node_modules/@standfirst/sdk')
after(() => rm(folder, { recursive: true }))

const { url, admin } = await testDatabase()
const ada = await makeWriter(admin, { slug: 'ada-okafor', name: 'Ada Okafor' })
await makePiece(admin, ada, { headline: 'The case for slow tea', body_md: 'Four minutes.', category: 'life' })
const { key } = await makeKey(admin, ada)
const app = await testApp(url)
await app.listen({ host: '127.0.0.1', port: 0 })
const base = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`

const run = async (program: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env) =>
  (await promisify(execFile)(program, args, { cwd: project, timeout: 60_000, env })).stdout

/** Works offline: the package has no dependencies. */
const npm = (...args: string[]) =>
  run('npm', [...args, '--offline', '--no-audit', '--no-fund', '--cache', join(folder, 'cache')])

before(async () => {
  await mkdir(project)
  await buildSdk(join(folder, 'package'))
  const [{ filename }] = JSON.parse(await npm('pack', join(folder, 'package'), '--pack-destination', folder, '--json'))
  await npm('install', join(folder, filename))
})

const receiver = `
import { verifyWebhook, WebhookError, type WebhookEvent } from '@standfirst/sdk'
const event: WebhookEvent = await verifyWebhook({
  body: '{"id":"https://example.test/p/1","title":"Grüße 😀"}',
  headers: { 'x-service-signature': 't=1767225600,id=msg_0193f1c2a0007000a000000000000001,v1=e1f33d24476d320a9c7b6b81a50fe079e3b8ea14d4ac33d9682f22e33486ec31' },
  secret: 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=',
  now: new Date(1767225600000),
})
const title: string | undefined = event.event === 'piece.published' ? event.piece.title : undefined
declare const console: { log(...words: unknown[]): void }
console.log(event.id, title, new WebhookError('no_match', 'x').reason)
`

const drafter = `
import { type List, type PieceHit, type SearchPiecesAnswer, standfirst, StandfirstError } from '@standfirst/sdk'
const site = standfirst({ base: 'https://site.test' })
const hits: List<PieceHit, SearchPiecesAnswer> = site.pieces.search('tea', { category: 'life', limit: 3 })
const matchSite: 'headline' | 'standfirst' | 'body' | undefined = (await hits.take(1).catch(() => []))[0]?.match_site
// @ts-expect-error there are eight categories
site.pieces.recent({ category: 'gossip' })
// @ts-expect-error a window is 24h, 7d or 30d
site.pieces.trending({ window: '1y' })
// @ts-expect-error a search needs a term
site.pieces.search()
// @ts-expect-error without a key there are no drafts
site.drafts
const { drafts } = standfirst({ base: 'https://site.test', key: 'pk_live_1' })
// @ts-expect-error a draft needs a body
drafts.create({ headline: 'On tea' }).catch(() => {})
// @ts-expect-error a change is made to a revision
drafts.update('5f0c8f6e-3f5b-4b59-9d0a-0b7f3c1e2a44', { sub: null }).catch(() => {})
// @ts-expect-error nothing publishes
drafts.publish
const problem: number | null = new StandfirstError({ status: 429, reason: 'rate_limited', detail: '' }).retryAfter
`

const typed = (file: string, ...settings: string[]) => {
  const compiler = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url))
  const always = ['--strict', '--noEmit', '--target', 'es2022', '--module', 'nodenext', '--types', '']
  return run(process.execPath, [compiler, ...always, ...settings, file])
}

describe('the package', () => {
  test('verifies the published vector where nothing but Node is installed', async () => {
    await writeFile(join(project, 'receiver.mts'), receiver)
    const said = await run(process.execPath, ['receiver.mts'])
    assert.equal(said, 'msg_0193f1c2a0007000a000000000000001 undefined no_match\n')
  })

  test('has types that need neither those of Node nor those of browsers, and work with the latter', async () => {
    await writeFile(join(project, 'receiver.mts'), receiver)
    await writeFile(join(project, 'drafter.mts'), drafter)
    const withFetch = `${drafter}\nstandfirst({ base: '', fetch, retries: 0 }).pieces.get('', { signal: AbortSignal.timeout(1) })`
    await writeFile(join(project, 'in-a-page.mts'), withFetch)
    await assert.doesNotReject(typed('receiver.mts', '--lib', 'es2022'))
    await assert.doesNotReject(typed('drafter.mts', '--lib', 'es2022'))
    await assert.doesNotReject(typed('in-a-page.mts', '--lib', 'es2022,dom'))
  })

  test('imports nothing but itself, and has no script that runs at install', async () => {
    const names = await readdir(installed, { recursive: true })
    const modules = names.filter((name) => name.endsWith('.js'))
    assert.ok(modules.includes('index.js') && names.includes('README.md') && names.includes('LICENSE'))
    assert.deepEqual(
      names.filter((name) => /\.test\.|(?<!\.d)\.ts$/.test(name)),
      [],
    )
    for (const name of modules) {
      assert.doesNotMatch(await readFile(join(installed, name), 'utf8'), /from '(?!\.)|import\(|require\(/, name)
    }
    const { dependencies, scripts } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
    assert.deepEqual([dependencies, scripts], [undefined, undefined])
  })

  test('is less than 8 kB gzipped, and who takes a part of it takes no more', async () => {
    const [all, verifier, client] = await Promise.all(['*', '{ verifyWebhook }', '{ standfirst }'].map(bundled))
    const sizes = [all!, verifier!, client!].map((code) => gzipSync(code).length)
    console.log(`sdk, minified and gzipped: ${sizes[0]} bytes; verifyWebhook ${sizes[1]}, standfirst ${sizes[2]}`)
    assert.ok(sizes[0]! < 8000, `${sizes[0]} bytes`)
    assert.doesNotMatch(verifier!, /api\/public|fetch/)
    assert.doesNotMatch(client!, /HMAC|webhook/i)
  })
})

/** Bundles one import of the package. */
async function bundled(names: string): Promise<string> {
  const entry = join(project, `entry-${names.length}.js`)
  await writeFile(entry, `export ${names} from '@standfirst/sdk'`)
  const bundle = await rolldown({ input: entry })
  const { output } = await bundle.generate({ minify: true })
  await bundle.close()
  return output[0].code
}

describe('the samples of its README', () => {
  const samples = async (language: string) =>
    [...(await readFile(join(installed, 'README.md'), 'utf8')).matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
      .filter(([, its]) => its === language)
      .map(([, , code = '']) => code)

  const ran = async (code: string): Promise<string> => {
    await writeFile(join(project, 'sample.mjs'), code.replaceAll('https://standfirst.example', base))
    return run(process.execPath, ['sample.mjs'], { ...process.env, KEY: key })
  }

  test('lead from the installation to the first search in five lines', async () => {
    const lines = [(await samples('sh'))[0]!, (await samples('js'))[0]!].join('').trim().split('\n')
    assert.match(lines[1]!, /^npm install /)
    assert.ok(lines.filter((line) => line !== '').length <= 5, lines.join('\n'))
    assert.match(await ran(lines.slice(2).join('\n')), /^The case for slow tea https:.+the-case-for-slow-tea\n$/)
  })

  test('read, draft, change and delete', async () => {
    const [, reading, drafting, ...others] = await samples('js')
    assert.deepEqual(others, [])
    assert.equal(await ran(reading!), 'The case for slow tea 13 1 null\n')
    assert.match(
      await ran(drafting!),
      /^On tea It is long enough\. https:.+\ndraft On tea\napproved The case for slow tea\n$/,
    )
  })
})
