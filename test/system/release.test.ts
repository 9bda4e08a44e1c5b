import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { cleanEnv } from '../../testkit/cli.ts'
import { testDatabase } from '../../testkit/database.ts'
import { temporaryFolder } from '../../testkit/files.ts'
import { freePort } from '../../testkit/network.ts'
import { until } from '../../testkit/waiting.ts'

/** `npm run release -- X`, in a copy of the working tree with its own repository. */

const root = join(import.meta.dirname, '../..')
const copy = temporaryFolder()

const env = {
  ...process.env,
  ...{ GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@example.org' },
  ...{ GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@example.org' },
}
const run = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { cwd: copy, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
const read = (file: string): string => readFileSync(join(copy, file), 'utf8')
const json = (file: string) => JSON.parse(read(file))

const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root })
for (const file of new Set(files.toString().split('\0').filter(Boolean)))
  if (existsSync(join(root, file))) cpSync(join(root, file), join(copy, file))
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
run('git', 'init', '--quiet')

function commitChangelog(text: string): void {
  writeFileSync(join(copy, 'CHANGELOG.md'), text)
  run('git', 'add', '--all')
  run('git', 'commit', '--quiet', '--allow-empty', '--message', 'changes')
}

function release(version: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['deploy/release.ts', version], {
    cwd: copy,
    env,
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

function refused(version: string, reason: RegExp): void {
  const before = run('git', 'rev-parse', 'HEAD')
  const { status, stderr } = release(version)
  assert.equal(status, 1, stderr)
  assert.match(stderr, reason)
  assert.equal(run('git', 'rev-parse', 'HEAD'), before)
}

const current = json('package.json').version as string
const [major = 0, minor = 0] = current.split('.').map(Number)
const next = `${major}.${minor + 1}.0`
const earlier = '\n## 0.0.1 — 2026-01-01\n\n- The beginning.\n'

test('a release needs a clean tree, a greater version of three numbers, and something in the changelog', () => {
  commitChangelog(`# Changes\n\n## Unreleased\n${earlier}`)
  refused(next, /nothing under "## Unreleased"/)
  for (const version of ['', 'v1.2.3', '1.2.3-beta']) refused(version, /not a version of three/)
  refused('0.0.9', /not greater than/)
  writeFileSync(join(copy, 'CHANGELOG.md'), `# Changes\n\n## Unreleased\n\n- Something new.\n${earlier}`)
  refused(next, /changes that are not committed/)
})

test('a release has its version everywhere, a section in the changelog, an SBOM and files that match their checksums', () => {
  commitChangelog(`# Changes\n\n## Unreleased\n\n- Something new.\n${earlier}`)
  const { status, stdout, stderr } = release(next)
  assert.equal(status, 0, stderr)

  const { workspaces } = json('package.json') as { workspaces: string[] }
  const lock = json('package-lock.json')
  assert.equal(lock.version, next)
  for (const path of ['', ...workspaces]) {
    assert.equal(json(join(path, 'package.json')).version, next, path)
    assert.equal(lock.packages[path].version, next, path)
  }
  assert.equal(json('server/package.json').dependencies['@standfirst/sdk'], next)
  assert.equal(lock.packages['server'].dependencies['@standfirst/sdk'], next)
  assert.equal(json('server.json').version, next)
  assert.match(read('deploy/compose.yaml'), new RegExp(`image: standfirst:${next}$`, 'm'))
  assert.match(read('deploy/Dockerfile'), new RegExp(`^LABEL org.opencontainers.image.version=${next}$`, 'm'))
  const date = /— (\d{4}-\d\d-\d\d)$/m.exec(read('CHANGELOG.md'))?.[1]
  assert.equal(
    read('CHANGELOG.md'),
    `# Changes\n\n## Unreleased\n\n## ${next} — ${date}\n\n- Something new.\n${earlier}`,
  )

  const folder = join(copy, '.data/release', next)
  const checked = execFileSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: folder, encoding: 'utf8' })
  assert.deepEqual(checked.trim().split('\n').sort(), [
    `standfirst-${next}.cdx.json: OK`,
    `standfirst-${next}.tar.gz: OK`,
    `standfirst-sdk-${next}.tgz: OK`,
  ])
  const sbom = JSON.parse(readFileSync(join(folder, `standfirst-${next}.cdx.json`), 'utf8'))
  assert.deepEqual([sbom.bomFormat, sbom.metadata.component.version], ['CycloneDX', next])
  const components = sbom.components as { name: string; version: string }[]
  const { fastify } = json('server/package.json').dependencies
  assert.equal(components.find(({ name }) => name === 'fastify')?.version, fastify)
  assert.ok(!components.some(({ name }) => name === 'playwright-core'), 'a development package is in the SBOM')
  assert.doesNotMatch(JSON.stringify(sbom), /"type":"distribution"/, 'an address of a registry is in the SBOM')
  const inPackage = run('tar', '-xzOf', join(folder, `standfirst-sdk-${next}.tgz`), 'package/package.json')
  assert.equal(JSON.parse(inPackage).version, next)
  const inArchive = run('tar', '-xzOf', join(folder, `standfirst-${next}.tar.gz`), `standfirst-${next}/package.json`)
  assert.equal(JSON.parse(inArchive).version, next)

  assert.match(stdout, new RegExp(`git tag .* v${next} `))
  assert.equal(run('git', 'tag'), '', 'tagging is left to a person')
})

test('the commit of a release is recorded for upgrade tests, and is the release itself', () => {
  const { version, commit } = json('deploy/previous-release.json')
  assert.equal(version, next)
  assert.equal(run('git', 'log', '-1', '--format=%s', commit), `release: ${next}`)
  assert.equal(JSON.parse(run('git', 'show', `${commit}:package.json`)).version, next)
  assert.equal(run('git', 'diff', '--name-only', commit, 'HEAD'), 'deploy/previous-release.json')
  assert.equal(run('git', 'status', '--porcelain'), '')
})

test('a version is released once', () => {
  commitChangelog(read('CHANGELOG.md').replace('## Unreleased\n', '## Unreleased\n\n- Something newer.\n'))
  refused(next, /not greater than/)
})

/** The production install of docs/running.md contains no package that only builds or tests. */

test('after npm prune --omit=dev no development package is left, and the server starts', async () => {
  const { url } = await testDatabase()
  const folder = temporaryFolder()
  for (const name of ['package.json', 'package-lock.json', '.npmrc', 'server', 'desk', 'embed', 'sdk', 'docs'])
    cpSync(join(root, name), join(folder, name), { recursive: true })
  execFileSync('cp', ['-a', join(root, 'node_modules'), folder])
  execFileSync('npm', ['prune', '--omit=dev', '--ignore-scripts', '--offline'], { cwd: folder, stdio: 'pipe' })
  for (const name of ['typescript', 'vite', 'playwright-core', 'knip', '@biomejs/biome', 'node'])
    assert.ok(!existsSync(join(folder, 'node_modules', name)), name)

  const adminPort = String(await freePort())
  const secret = 'a-secret-of-tests-that-everybody-knows'
  const env = {
    NODE_ENV: 'production',
    DATABASE_URL: url,
    BASE_URL: 'https://site.test',
    AUTH_SECRET: secret,
    SECRETS_KEY: secret,
    SMTP_URL: 'smtp://127.0.0.1:1',
    MEDIA_URL: `file://${folder}/media`,
    PORT: '0',
    ADMIN_PORT: adminPort,
    SHUTDOWN_DELAY: '0',
  }
  const child = spawn(process.execPath, ['server/commands/cli.ts', 'serve', '--worker'], {
    cwd: folder,
    env: cleanEnv(env),
  })
  after(() => child.kill('SIGKILL'))
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => said.push(String(text)))
  await until(async () => {
    assert.equal(child.exitCode, null, said.join(''))
    return fetch(`http://127.0.0.1:${adminPort}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  }, 'the server is ready')
})
