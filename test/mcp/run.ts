import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { furnish, listening } from './site.ts'

/** `npm run conformance`: the protocol's own suites against a furnished site; `--long` adds the Inspector, by npx. */

const { values } = parseArgs({ options: { long: { type: 'boolean' } } })
const suites = fileURLToPath(new URL('./conformance.test.ts', import.meta.url))
execFileSync(process.execPath, ['--test', suites], { stdio: 'inherit' })

const inspector = '@modelcontextprotocol/inspector@2.12.0'

interface Run {
  readonly what: string
  readonly given: readonly string[]
  readonly code: number
  /** Whether no complaint at all is allowed. */
  readonly isSilent?: boolean
}

const call = (tool: string, ...given: string[]) => [
  '--method',
  'tools/call',
  '--tool-name',
  tool,
  '--tool-arg',
  ...given,
]

const runs: readonly Run[] = [
  { what: 'tools/list, strict', given: ['--method', 'tools/list', '--strict'], code: 0, isSilent: true },
  { what: 'tools/list, auto', given: ['--method', 'tools/list', '--strict', '--protocol-era', 'auto'], code: 0 },
  { what: 'tools/list, modern', given: ['--method', 'tools/list', '--strict', '--protocol-era', 'modern'], code: 0 },
  { what: 'search_authors', given: call('search_authors', 'query=bread', 'limit=1'), code: 0 },
  { what: 'get_author of nobody', given: call('get_author', 'slug=nope'), code: 5 },
  { what: 'resources/list', given: ['--method', 'resources/list'], code: 0 },
  { what: 'resources/templates/list', given: ['--method', 'resources/templates/list'], code: 0 },
  { what: 'prompts/list', given: ['--method', 'prompts/list'], code: 0 },
  {
    what: 'prompts/get',
    given: ['--method', 'prompts/get', '--prompt-name', 'author_brief', '--prompt-args', 'slug=x'],
    code: 0,
  },
]

if (values.long) {
  test('the Inspector', async (inspecting) => {
    const { url } = await furnish()
    const { endpoint } = await listening(url)
    // It writes to its user's home.
    const home = mkdtempSync(join(tmpdir(), 'standfirst-inspector-'))
    inspecting.after(() => rmSync(home, { recursive: true }))
    for (const { what, given, code, isSilent } of runs) {
      await inspecting.test(`${what} ends with ${code}`, async () => {
        const all = [
          '-y',
          inspector,
          '--cli',
          '--server-url',
          endpoint,
          '--transport',
          'http',
          '--format',
          'json',
          ...given,
        ]
        const child = spawn('npx', all, { env: { ...process.env, HOME: home }, cwd: home })
        let complaints = ''
        child.stderr.on('data', (data) => {
          complaints += String(data)
        })
        child.stdout.resume()
        const ended = await new Promise<number | null>((resolve) => child.on('close', resolve))
        if (ended !== code || (isSilent && complaints !== '')) throw new Error(`ended with ${ended}: ${complaints}`)
      })
    }
  })
}
