import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { type Figures, figuresOf } from './figures.ts'

/** Requests at a fixed rate, each sent when its time has come, whether or not those before it were answered. */
export interface Stream {
  readonly port: number
  readonly paths: readonly string[]
  readonly aSecond: number
  readonly seconds: number
}

export interface Streamed {
  readonly requests: number
  /** Milliseconds from when a request was due until its answer was there whole, errors not counted. */
  readonly milliseconds: Figures
  /** Answers other than 200, and none at all, by what they were. */
  readonly errors: Readonly<Record<string, number>>
  /** Answers that said they were partial. */
  readonly partial: number
  /** Milliseconds the sender itself was late: what it adds to the figures above. */
  readonly late: Figures
}

const tick = 1

export async function send({ port, paths, aSecond, seconds }: Stream): Promise<Streamed> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  const whole = aSecond * seconds
  const taken: number[] = []
  const late: number[] = []
  const errors: Record<string, number> = {}
  let partial = 0
  const answers: Promise<void>[] = []
  const began = performance.now()
  for (let sent = 0; sent < whole; await pause(tick)) {
    const now = performance.now()
    for (; sent < whole && began + (sent * 1000) / aSecond <= now; sent += 1) {
      const due = began + (sent * 1000) / aSecond
      late.push(now - due)
      const answer = ask(agent, port, paths[sent % paths.length]!).then(
        ({ status, isPartial }) => {
          if (status !== 200) errors[status] = (errors[status] ?? 0) + 1
          else taken.push(performance.now() - due)
          if (isPartial) partial += 1
        },
        (error: Error) => {
          errors[error.message] = (errors[error.message] ?? 0) + 1
        },
      )
      answers.push(answer)
    }
  }
  await Promise.all(answers)
  agent.destroy()
  return { requests: whole, milliseconds: figuresOf(taken), errors, partial, late: figuresOf(late) }
}

function ask(agent: Agent, port: number, path: string): Promise<{ status: number; isPartial: boolean }> {
  return new Promise((resolve, reject) => {
    const sent = request({ agent, host: '127.0.0.1', port, path, timeout: 30_000 }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('error', reject)
      answer.on('end', () => {
        const isPartial = Buffer.concat(parts).includes('"partial":true')
        resolve({ status: answer.statusCode!, isPartial })
      })
    })
    sent.on('timeout', () => sent.destroy(new Error('no answer in 30 s')))
    // A connection that the server was just closing is none: asked again, as every client does.
    sent.on('error', (error) => (sent.reusedSocket ? resolve(ask(agent, port, path)) : reject(error)))
    sent.end()
  })
}
