import { Gauge } from 'prom-client'

/**
 * Figures of the whole site, from a query by a worker in this process: one for all gauges that are scraped together. If
 * the database is down the other metrics remain; that these are missing says enough.
 */
export function siteFigures<T>() {
  let query: (() => Promise<T>) | undefined
  let answer: Promise<T | undefined> | undefined
  const read = (): Promise<T | undefined> => {
    answer ??= (query?.() ?? Promise.resolve(undefined))
      .catch(() => undefined)
      .finally(() => {
        answer = undefined
      })
    return answer
  }
  return {
    read,
    watch(ask: typeof query): void {
      query = ask
    },
    gauge: (name: string, help: string, value: (figures: T) => number) =>
      new Gauge({
        name,
        help,
        registers: [],
        async collect() {
          const figures = await read()
          if (figures === undefined) this.remove({})
          else this.set(value(figures))
        },
      }),
  }
}
