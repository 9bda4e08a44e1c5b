/** What this takes, in milliseconds of work, where the limits of the tests were set. */
const usual = 50

/** A fixed piece of work of the kind the site does: text taken apart and put together. */
function work(): number {
  const before = process.cpuUsage()
  const words = Array.from({ length: 30_000 }, (_, number) => `word-${(number * 7919) % 10_007}`)
  const counts = new Map<string, number>()
  for (const word of JSON.parse(JSON.stringify(words)) as string[]) {
    const name = word.replace(/(\d)/g, '<$1>').toUpperCase()
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  ;[...counts].sort(([one], [other]) => (one < other ? -1 : 1))
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** How many times slower this machine is just now; 1 where it is as fast. Limits in milliseconds are meant times this. */
export const slowness = (): number => Math.max(1, Math.min(...Array.from({ length: 7 }, work)) / usual)
