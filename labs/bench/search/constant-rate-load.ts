import { Agent, request } from 'node:http'
import { setPriority } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { type Percentiles, percentilesOf } from '../../../testkit/measure.ts'

/**
 * Entry point of a thread: requests at a constant rate, each sent when it is due, whether or not earlier ones were
 * answered.
 */
export interface Load {
  readonly port: number
  readonly paths: readonly string[]
  readonly perSecond: number
  readonly seconds: number
}

export interface LoadResult {
  readonly requests: number
  /** Milliseconds from when a request was due until its whole response was there, without errors. */
  readonly milliseconds: Percentiles
  /** Responses other than 200, and failed requests, by status or message. */
  readonly errors: Readonly<Record<string, number>>
  /** Responses marked as partial. */
  readonly partial: number
  /** Milliseconds by which requests were sent too late, which are part of the latencies above. */
  readonly late: Percentiles
}

const tick = 1

async function send({ port, paths, perSecond, seconds }: Load): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  const total = perSecond * seconds
  const latencies: number[] = []
  const late: number[] = []
  const errors: Record<string, number> = {}
  let partial = 0
  const responses: Promise<void>[] = []
  const began = performance.now()
  for (let sent = 0; sent < total; await pause(tick)) {
    const now = performance.now()
    for (; sent < total && began + (sent * 1000) / perSecond <= now; sent += 1) {
      const due = began + (sent * 1000) / perSecond
      late.push(now - due)
      const response = get(agent, port, paths[sent % paths.length]!).then(
        ({ status, isPartial }) => {
          if (status !== 200) errors[status] = (errors[status] ?? 0) + 1
          else latencies.push(performance.now() - due)
          if (isPartial) partial += 1
        },
        (error: Error) => {
          errors[error.message] = (errors[error.message] ?? 0) + 1
        },
      )
      responses.push(response)
    }
  }
  await Promise.all(responses)
  agent.destroy()
  return { requests: total, milliseconds: percentilesOf(latencies), errors, partial, late: percentilesOf(late) }
}

function get(agent: Agent, port: number, path: string): Promise<{ status: number; isPartial: boolean }> {
  return new Promise((resolve, reject) => {
    const sent = request({ agent, host: '127.0.0.1', port, path, timeout: 30_000 }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('error', reject)
      response.on('end', () => {
        const isPartial = Buffer.concat(parts).includes('"partial":true')
        resolve({ status: response.statusCode!, isPartial })
      })
    })
    sent.on('timeout', () => sent.destroy(new Error('no answer in 30 s')))
    // The server may just have closed a kept-alive connection: try again, as every HTTP client does.
    sent.on('error', (error) => (sent.reusedSocket ? resolve(get(agent, port, path)) : reject(error)))
    sent.end()
  })
}

try {
  // A sender that has to wait for the CPU is late itself.
  setPriority(-10)
} catch {
  // Only root may; `late` shows what it cost.
}
parentPort!.postMessage(await send(workerData as Load))
