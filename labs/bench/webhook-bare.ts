import { Pool } from 'undici'

/**
 * The same POSTs, and nothing else: no database, no signing, no guard, no log.
 * `node labs/bench/webhook-bare.ts <port> <how many> <at once> <bytes> <kept | fresh>` prints how many a second
 * and the milliseconds of processor time of each, over connections that are kept or over a fresh one for each.
 */

const [port, count, atOnce, bytes] = process.argv.slice(2).map(Number) as [number, number, number, number]
const reset = process.argv[6] === 'fresh'
const pool = new Pool(`http://127.0.0.1:${port}`, { connections: atOnce })
const body = Buffer.alloc(bytes, 'x')
const headers = { 'content-type': 'application/json', 'webhook-id': 'bare', 'webhook-signature': 'v1,'.padEnd(47, 'x') }

let begun = 0
const lane = async (until: number) => {
  while (begun < until) {
    begun += 1
    const answer = await pool.request({ method: 'POST', path: '/bare', headers, body, reset })
    await answer.body.dump()
  }
}
const send = (until: number) => Promise.all(Array.from({ length: atOnce }, () => lane(until)))

await send(1000)
const began = performance.now()
const before = process.cpuUsage()
await send(1000 + count)
const rate = (count / (performance.now() - began)) * 1000
const { user, system } = process.cpuUsage(before)
console.log(JSON.stringify({ rate, processor: (user + system) / 1000 / count }))
await pool.close()
