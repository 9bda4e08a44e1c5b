/** The one of these names that somebody may have meant; none where it would be a guess. */
export function closestTo(name: string, names: readonly string[]): string | undefined {
  if (name.length > longest) return undefined
  const given = bare(name)
  const [nearest] = names
    .map((one) => ({ one, slips: slipsBetween(given, bare(one)) }))
    .filter(({ slips }) => slips <= given.length / 3)
    .sort((a, b) => a.slips - b.slips)
  return nearest?.one
}

const longest = 40

/** `bodyMd`, `body-md` and `body_md` are spelt alike. */
const bare = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/** How many letters are wrong, too many or missing (Levenshtein); a name that was only begun has one slip. */
function slipsBetween(a: string, b: string): number {
  if (a !== b && (a.startsWith(b) || b.startsWith(a))) return 1
  let above = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let row = 1; row <= a.length; row++) {
    const line = [row]
    for (let at = 1; at <= b.length; at++) {
      const swapped = above[at - 1]! + (a[row - 1] === b[at - 1] ? 0 : 1)
      line.push(Math.min(swapped, above[at]! + 1, line[at - 1]! + 1))
    }
    above = line
  }
  return above[b.length]!
}
