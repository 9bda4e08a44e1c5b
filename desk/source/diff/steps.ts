/** The longest run of steps a comparison takes before it says that two texts are simply different. */
const mostSteps = 1500

export interface Step<T> {
  readonly kind: 'same' | 'removed' | 'added'
  readonly one: T
}

/** What leads from one list to the other with the fewest steps (E. W. Myers, 1986), begun at what both ends share. */
export function steps<T>(before: readonly T[], after: readonly T[]): Step<T>[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1
  let end = 0
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  ) {
    end += 1
  }
  const same = (one: T): Step<T> => ({ kind: 'same', one })
  return [
    ...before.slice(0, start).map(same),
    ...middle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(same),
  ]
}

function middle<T>(before: readonly T[], after: readonly T[]): Step<T>[] {
  const trail = before.length && after.length ? walk(before, after) : undefined
  if (!trail) {
    return [
      ...before.map((one): Step<T> => ({ kind: 'removed', one })),
      ...after.map((one): Step<T> => ({ kind: 'added', one })),
    ]
  }
  const found: Step<T>[] = []
  let x = before.length
  let y = after.length
  for (let depth = trail.length - 1; depth >= 0; depth -= 1) {
    const furthest = trail[depth]!
    const diagonal = x - y
    const isDown = comesDown(furthest, diagonal, depth)
    const from = isDown ? diagonal + 1 : diagonal - 1
    const fromX = depth === 0 ? 0 : furthest.get(from)!
    const fromY = depth === 0 ? 0 : fromX - from
    while (x > fromX && y > fromY && (depth === 0 || x > fromX + (isDown ? 0 : 1) || y > fromY + (isDown ? 1 : 0))) {
      x -= 1
      y -= 1
      found.push({ kind: 'same', one: before[x]! })
    }
    if (depth === 0) break
    if (isDown) found.push({ kind: 'added', one: after[fromY]! })
    else found.push({ kind: 'removed', one: before[fromX]! })
    x = fromX
    y = fromY
  }
  return found.reverse()
}

const comesDown = (furthest: ReadonlyMap<number, number>, diagonal: number, depth: number): boolean =>
  diagonal === -depth || (diagonal !== depth && (furthest.get(diagonal - 1) ?? -1) < (furthest.get(diagonal + 1) ?? -1))

/** How far each diagonal came before each step; undefined where it takes more steps than we go. */
function walk<T>(before: readonly T[], after: readonly T[]): Map<number, number>[] | undefined {
  const trail: Map<number, number>[] = []
  let furthest = new Map<number, number>([[1, 0]])
  for (let depth = 0; depth <= Math.min(before.length + after.length, mostSteps); depth += 1) {
    trail.push(furthest)
    const next = new Map<number, number>()
    for (let diagonal = -depth; diagonal <= depth; diagonal += 2) {
      let x = comesDown(furthest, diagonal, depth) ? furthest.get(diagonal + 1)! : furthest.get(diagonal - 1)! + 1
      let y = x - diagonal
      while (x < before.length && y < after.length && before[x] === after[y]) {
        x += 1
        y += 1
      }
      next.set(diagonal, x)
      if (x >= before.length && y >= after.length) return trail
    }
    furthest = next
  }
  return undefined
}
