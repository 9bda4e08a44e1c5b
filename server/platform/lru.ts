/** What was used lately, up to a weight; what has not been asked for the longest goes first. */
export interface Recent<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value, weight: number): void
}

export function createLru<Value>(room: number): Recent<Value> {
  /** In the order of use. */
  const kept = new Map<string, { value: Value; weight: number }>()
  let used = 0
  const drop = (key: string): void => {
    used -= kept.get(key)?.weight ?? 0
    kept.delete(key)
  }
  return {
    get(key) {
      const known = kept.get(key)
      if (!known) return undefined
      kept.delete(key)
      kept.set(key, known)
      return known.value
    },
    set(key, value, weight) {
      drop(key)
      // One that takes the place of many is not worth it.
      if (weight > room / 16) return
      kept.set(key, { value, weight })
      used += weight
      for (const oldest of kept.keys()) {
        if (used <= room) break
        drop(oldest)
      }
    },
  }
}
