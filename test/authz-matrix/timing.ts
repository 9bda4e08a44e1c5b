import { randomInt } from 'node:crypto'
import { Agent, get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { deskOf } from '../../testkit/desk.ts'
import { welch } from '../../testkit/measure.ts'
import { listen } from '../../testkit/network.ts'
import type { SiteUnderProof } from './honest-site.ts'
import { sameId } from './site.ts'

/**
 * Whether response times leak what the bytes do not. Two requests are sent in random order over real connections; a
 * Welch's t above 4.5, the usual threshold for cryptographic timing tests, would mean that they differ.
 */

interface Compared {
  readonly name: string
  readonly pairs: number
  readonly t: number
  readonly sameBytes: boolean
}

interface Answer {
  readonly status: number | undefined
  readonly micros: number
  readonly shown: string
}

export async function compareAnswers(under: SiteUnderProof, pairs: number): Promise<Compared[]> {
  const warmUp = Math.min(pairs, 200)
  const { port } = await listen(under.app)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = (path: string, headers: Readonly<Record<string, string>>): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const started = process.hrtime.bigint()
      get({ host: '127.0.0.1', port, path, headers: { ...headers, ...sameId }, agent }, (answer) => {
        let body = ''
        answer.setEncoding('utf8').on('data', (part) => {
          body += part
        })
        answer.on('end', () => {
          const micros = Number(process.hrtime.bigint() - started) / 1000
          // Headers that depend on time and connection.
          const { date, ratelimit, connection, 'keep-alive': kept, ...rest } = answer.headers
          resolve({ status: answer.statusCode, micros, shown: JSON.stringify([answer.statusCode, rest, body]) })
        })
      }).on('error', reject)
    })

  /** A busy site sheds both requests alike; 503 answers are not compared. */
  const askPatiently = async (path: string, headers: Readonly<Record<string, string>>): Promise<Answer> => {
    for (;;) {
      const answer = await ask(path, headers)
      if (answer.status !== 503) return answer
      await pause(100)
    }
  }

  const { never, draft, hidden, theirs } = await furnish(under)
  const key = under.site.headers['valid key']
  const questions: [string, string, string, Readonly<Record<string, string>>][] = [
    ['public: never was, draft', `/api/public/pieces/${never}`, `/api/public/pieces/${draft}`, {}],
    ['public: never was, unpublished', `/api/public/pieces/${never}`, `/api/public/pieces/${hidden}`, {}],
    ['pixel: never was, draft', `/r/${never}.gif`, `/r/${draft}.gif`, { 'user-agent': 'Mozilla/5.0 (a reader)' }],
    ["key: never was, another's draft", `/api/v1/pieces/${never}`, `/api/v1/pieces/${theirs}`, key],
  ]
  const results: Compared[] = []
  for (const [name, one, other, headers] of questions) {
    const times: [number[], number[]] = [[], []]
    let sameBytes = true
    for (let pair = 0; pair < pairs + warmUp; pair += 1) {
      const first = randomInt(2)
      const answers: Answer[] = []
      for (const which of [first, 1 - first]) answers[which] = await askPatiently(which === 0 ? one : other, headers)
      if (answers[0]!.shown !== answers[1]!.shown) sameBytes = false
      // The first requests warm caches and the JIT.
      if (pair >= warmUp) for (const which of [0, 1] as const) times[which].push(answers[which]!.micros)
    }
    results.push({ name, pairs, t: welch(trimmed(times[0]), trimmed(times[1])), sameBytes })
  }
  agent.destroy()
  return results
}

async function furnish({ app, site }: SiteUnderProof) {
  await site.furnish()
  const mine = deskOf(app, site.me)
  const draft = await mine.begin()
  const hidden = await mine.begin()
  await mine.act('publish', hidden)
  await mine.act('unpublish', hidden)
  const theirs = await deskOf(app, site.other).begin()
  return { never: '7c9e6679-7425-40de-944b-e07fc1f90ae7', draft, hidden, theirs }
}

/** Without the slowest 5 %, which are pauses of the machine. */
const trimmed = (times: readonly number[]): number[] =>
  [...times].sort((a, b) => a - b).slice(0, Math.ceil(times.length * 0.95))
