import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { mintFor } from '../server/features/keys/operator.ts'
import { writePiece } from '../server/seed/prose.ts'
import { databaseUrl } from './cluster.ts'
import { median } from './numbers.ts'
import { load, ports, withServers } from './servers.ts'

export interface CreatingResult {
  readonly name: string
  /** Drafts a second, medians of the rounds. */
  readonly ours: number
  readonly bare: number
  readonly ratio: number
}

const seconds = 4

/** Drafts as a key makes them, beside a handler that runs the same INSERT and nothing else. Every commit is flushed. */
export async function benchCreating(database: string, rounds: number): Promise<CreatingResult[]> {
  const key = await newKeyIn(database)
  return withServers(database, async () => {
    const results: CreatingResult[] = []
    for (const retried of [false, true]) {
      const script = creatingScript(key, retried)
      const taken: { ours: number; bare: number }[] = []
      load(ports.ours, script, 2)
      load(ports.bare, script, 2)
      for (let round = 0; round < rounds; round += 1) {
        taken.push({ ours: load(ports.ours, script, seconds), bare: load(ports.bare, script, seconds) })
      }
      const ours = median(taken.map((one) => one.ours))
      const bare = median(taken.map((one) => one.bare))
      const ratio = median(taken.map((one) => one.ours / one.bare))
      const name = retried ? 'create a draft, with an Idempotency-Key' : 'create a draft'
      console.error(`${name}: ${ours.toFixed(0)}/s, bare ${bare.toFixed(0)}/s, ratio ${ratio.toFixed(2)}`)
      results.push({ name, ours, bare, ratio })
    }
    return results
  })
}

async function newKeyIn(database: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl(database) })
  await client.connect()
  const { rows } = await client.query<{ slug: string }>('select slug from app.writers order by slug limit 1')
  const minted = await mintFor(client, rows[0]!.slug, 'Bench', null)
  await client.end()
  return minted!.key
}

/** Bodies of generated prose, some 4 kB each, in turn. */
function creatingScript(key: string, retried: boolean): string {
  const bodies = Array.from({ length: 50 }, (_, index) => {
    const { headline, sub, bodyMd: body_md, category, tags } = writePiece(7, index)
    return JSON.stringify(JSON.stringify({ headline, sub: sub ?? 'A standfirst.', body_md, category, tags }))
  })
  const file = join(mkdtempSync(join(tmpdir(), 'bench-')), 'creating.lua')
  writeFileSync(
    file,
    `local bodies = {${bodies.map(lua).join(',\n')}}
local next = 0
local run = tostring(os.time()) .. tostring({})
request = function()
  next = next + 1
  local headers = { ["Content-Type"] = "application/json", ["Authorization"] = "Bearer ${key}" }
  ${retried ? 'headers["Idempotency-Key"] = run:gsub("[^%w]", "") .. next' : ''}
  return wrk.format("POST", "/api/v1/pieces", headers, bodies[next % #bodies + 1])
end
`,
  )
  return file
}

/** JSON's escapes of a string are Lua's, but for \\u and the slash. */
const lua = (json: string): string => json.replace(/\\u([0-9a-f]{4})/gi, (_, code) => `\\u{${code}}`)
