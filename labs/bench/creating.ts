import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { mintFor } from '../../server/features/keys/operator.ts'
import { writePiece } from '../../server/seed/prose.ts'
import { databaseUrl } from './cluster.ts'
import { type Compared, compare, withServers } from './servers.ts'

export interface CreatingResult extends Compared {
  readonly name: string
}

/** Drafts as a key makes them, beside a handler that runs the same INSERT and nothing else. Every commit is flushed. */
export async function benchCreating(database: string, rounds: number): Promise<CreatingResult[]> {
  const key = await newKeyIn(database)
  return withServers(database, async () =>
    [false, true].map((retried) => {
      const compared = compare(creatingScript(key, retried), rounds)
      const name = retried ? 'create a draft, with an Idempotency-Key' : 'create a draft'
      const { ours, bare, ratio } = compared
      console.error(`${name}: ${ours.toFixed(0)}/s, bare ${bare.toFixed(0)}/s, ratio ${ratio.toFixed(2)}`)
      return { name, ...compared }
    }),
  )
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
