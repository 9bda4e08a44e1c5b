import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import pg from 'pg'
import { median } from '../../testkit/measure.ts'
import { databaseUrl } from './cluster.ts'
import { ports, withServers } from './servers.ts'

export interface ToolResult {
  readonly name: string
  /** Microseconds of the server's processor for a request, medians of the rounds. */
  readonly rest: number
  readonly tool: number
  readonly ratio: number
}

interface Question {
  readonly path: string
  readonly given: object
}

/** Few connections, so that no search waits until it is refused. */
const connections = 2
const requests = 1_000

/**
 * Each of the five mirrored tools beside the REST route that answers the same, in turn. Measured is the processor time
 * of the server process, which neighbours on the machine do not change as they do its speed.
 */
export async function benchTools(database: string, rounds: number): Promise<ToolResult[]> {
  const all = await drawQuestions(database)
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  try {
    return await withServers(database, async ({ pid }) => {
      const results: ToolResult[] = []
      for (const [name, questions] of Object.entries(all)) {
        const rest = () => cost(pid, questions, ({ path }) => send(agent, path))
        const tool = () => cost(pid, questions, ({ given }) => send(agent, '/api/mcp', message(name, given)))
        await rest()
        await tool()
        const taken: { rest: number; tool: number }[] = []
        for (let round = 0; round < rounds; round += 1) {
          // The second may profit from caches the first has filled, so the order alternates.
          const turn = round % 2 === 0 ? [await rest(), await tool()] : [await tool(), await rest()].reverse()
          taken.push({ rest: turn[0]!, tool: turn[1]! })
        }
        const ratio = median(taken.map((one) => one.tool / one.rest))
        const result = {
          name,
          rest: median(taken.map((one) => one.rest)),
          tool: median(taken.map((one) => one.tool)),
          ratio,
        }
        console.error(
          `${name}: REST ${result.rest.toFixed(0)} µs, tool ${result.tool.toFixed(0)} µs, ratio ${ratio.toFixed(2)}`,
        )
        results.push(result)
      }
      console.error(`median of the five: ${median(results.map(({ ratio }) => ratio)).toFixed(2)}`)
      return results
    })
  } finally {
    agent.destroy()
  }
}

/** Microseconds of processor a request, over all of them. */
async function cost(
  pid: number,
  questions: readonly Question[],
  ask: (one: Question) => Promise<void>,
): Promise<number> {
  const before = processorTime(pid)
  let next = 0
  const worker = async () => {
    while (next < requests) await ask(questions[next++ % questions.length]!)
  }
  await Promise.all(Array.from({ length: connections }, worker))
  return (processorTime(pid) - before) / requests
}

/** Microseconds that a process and its threads have used; the kernel counts by hundredths of a second. */
export function processorTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}

const message = (name: string, given: object): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } })

/** A refusal is cheaper than an answer, so any refusal fails the bench. */
function send(agent: Agent, path: string, body?: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const isTool = body !== undefined
    const headers = isTool ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) } : {}
    const method = isTool ? 'POST' : 'GET'
    const asked = request({ host: '127.0.0.1', port: ports.ours, agent, path, method, headers }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () => {
        const text = Buffer.concat(parts).toString()
        if (answer.statusCode === 200 && !text.includes('"isError":true')) resolve()
        else reject(new Error(`${path} answered ${answer.statusCode}: ${text.slice(0, 200)}`))
      })
    })
    asked.on('error', reject).end(body)
  })
}

async function drawQuestions(database: string): Promise<Record<string, Question[]>> {
  const client = new pg.Client({ connectionString: databaseUrl(database) })
  await client.connect()
  const { rows: pieces } = await client.query<{ id: string }>(
    `select id from pub.pieces join pub.piece_contents on piece_id = id
      where length(html) between 4000 and 6000 order by id limit 500`,
  )
  const { rows: authors } = await client.query<{ slug: string }>('select slug from pub.authors order by slug limit 100')
  await client.end()
  const words = ['garden', 'kitchen', 'winter', 'committee', 'workshop', 'river', 'machine', 'letter']
  const categories = ['life', 'building', 'civic', 'money']
  return {
    get_piece: pieces.map(({ id }) => ({ path: `/api/public/pieces/${id}`, given: { id } })),
    get_author: authors.map(({ slug }) => ({ path: `/api/public/authors/${slug}`, given: { slug } })),
    recent_pieces: categories.map((category) => ({
      path: `/api/public/pieces/recent?category=${category}`,
      given: { category },
    })),
    search_pieces: words.map((query) => ({ path: `/api/public/pieces/search?q=${query}`, given: { query } })),
    search_authors: words.map((query) => ({ path: `/api/public/authors/search?q=${query}`, given: { query } })),
  }
}
