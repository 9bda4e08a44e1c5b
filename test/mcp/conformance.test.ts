import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { serveFixture } from './fixture.ts'
import { furnish, listening } from './site.ts'

/** The protocol's own suites, against the server as shipped and against the dispatcher with the suites' catalogue. */

const { url } = await furnish()
const shipped = (await listening(url)).endpoint
const fixture = await serveFixture()
const folder = await mkdtemp(join(tmpdir(), 'standfirst-conformance-'))
after(async () => {
  await fixture.close()
  await rm(folder, { recursive: true })
})

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const suites = { stable: 'mcp-conformance', next: 'mcp-conformance-next' } as const

/** What it printed; the run exits with 0 only where what failed is what the baseline says, no more and no less. */
function conform(suite: keyof typeof suites, address: string, baseline: string, more: readonly string[] = []) {
  const program = here(`../../node_modules/${suites[suite]}/dist/index.js`)
  const given = [program, 'server', '--url', address, '--expected-failures', here(baseline), ...more]
  return new Promise<{ code: number; printed: string }>((resolve) => {
    execFile(process.execPath, given, { cwd: folder, timeout: 240_000 }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, printed: stdout + stderr }),
    )
  })
}

const passed = (printed: string): string[] =>
  [...printed.matchAll(/^✓ ([\w-]+): \d+ passed, 0 failed/gm)].map(([, name = '']) => name)

describe('conformance', { concurrency: 3 }, () => {
  test('0.1.16: the site passes all that needs no fixture', async () => {
    const { code, printed } = await conform('stable', shipped, 'baseline-prod.yml')
    assert.equal(code, 0, printed.slice(-3000))
    assert.equal(passed(printed).length, 7)
  })

  test('0.1.16: the dispatcher with the fixture passes 21 of 30', async () => {
    const { code, printed } = await conform('stable', fixture.endpoint, 'baseline-fixture.yml')
    assert.equal(code, 0, printed.slice(-3000))
    assert.equal(passed(printed).length, 21)
  })

  test('0.2.0: the requirements of 2025-11-25, every message held against its schema', async () => {
    const { code, printed } = await conform('next', shipped, 'baseline-prod.yml', ['--requirements', '2025-11-25'])
    assert.equal(code, 0, printed.slice(-3000))
  })

  test('0.2.0: the requirements of 2026-07-28', async () => {
    const { code, printed } = await conform('next', shipped, 'baseline-2026.yml', ['--requirements', '2026-07-28'])
    assert.equal(code, 0, printed.slice(-3000))
    for (const scenario of ['tools-list', 'caching', 'http-header-validation', 'sep-2164-resource-not-found'])
      assert.ok(passed(printed).includes(scenario), scenario)
    assert.match(printed, /server-stateless: 24 passed, 4 failed/)
  })

  test('a baseline that expects too much to fail is noticed', async () => {
    const { code } = await conform('stable', fixture.endpoint, 'baseline-prod.yml')
    assert.equal(code, 1)
  })
})
