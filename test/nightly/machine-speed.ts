/** CPU milliseconds of this work on the machine where the tests' limits were set. */
const usual = 50

/** A fixed workload like the site's: splitting and joining text. */
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

/** How many times slower this machine is now; 1 if equally fast. Multiply limits in milliseconds by this. */
export const slowness = (): number => Math.max(1, Math.min(...Array.from({ length: 7 }, work)) / usual)
