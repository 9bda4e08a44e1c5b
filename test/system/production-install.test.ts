import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { cleanEnv } from '../../testkit/cli.ts'
import { testDatabase } from '../../testkit/database.ts'
import { freePort } from '../../testkit/network.ts'
import { until } from '../../testkit/waiting.ts'

/** The production install of docs/running.md contains no package that only builds or tests. */

const root = fileURLToPath(new URL('../..', import.meta.url))

test('after npm prune --omit=dev no development package is left, and the server starts', async () => {
  const { url } = await testDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'production-install-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
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
