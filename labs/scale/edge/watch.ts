import { Agent, get } from 'node:http'

/** Reads one address at an even pace, whatever the answers, and remembers when each status was last asked for. */
export interface Watch {
  /** When the last request began that was answered so; -Infinity where none was. */
  lastOf(status: number): number
  readonly asked: number
  readonly failures: readonly string[]
  stop(): Promise<void>
}

export function watch(url: string, aSecond: number): Watch {
  const agent = new Agent({ keepAlive: true, maxSockets: 50 })
  const last = new Map<number, number>()
  const failures: string[] = []
  const under = new Set<Promise<void>>()
  let asked = 0

  function ask(): Promise<void> {
    const began = performance.now()
    asked += 1
    return new Promise((resolve) => {
      get(url, { agent }, (answer) => {
        answer.resume()
        const { statusCode = 0 } = answer
        last.set(statusCode, Math.max(last.get(statusCode) ?? Number.NEGATIVE_INFINITY, began))
        answer.once('close', resolve)
      }).once('error', (error) => {
        failures.push(error.message)
        resolve()
      })
    })
  }

  const begin = performance.now()
  const timer = setInterval(() => {
    for (const due = ((performance.now() - begin) * aSecond) / 1000; asked < due; ) {
      const one = ask()
      under.add(one)
      void one.finally(() => under.delete(one))
    }
  }, 2)
  return {
    lastOf: (status) => last.get(status) ?? Number.NEGATIVE_INFINITY,
    get asked() {
      return asked
    },
    failures,
    stop: async () => {
      clearInterval(timer)
      await Promise.all(under)
      agent.destroy()
    },
  }
}
