/** A least-recently-used cache, limited by total weight. */
export interface Lru<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value, weight: number): void
}

export function createLru<Value>(capacity: number): Lru<Value> {
  /** In order of use. */
  const entries = new Map<string, { value: Value; weight: number }>()
  let used = 0
  const drop = (key: string): void => {
    used -= entries.get(key)?.weight ?? 0
    entries.delete(key)
  }
  return {
    get(key) {
      const known = entries.get(key)
      if (!known) return undefined
      entries.delete(key)
      entries.set(key, known)
      return known.value
    },
    set(key, value, weight) {
      drop(key)
      // An entry that would evict many others is not cached.
      if (weight > capacity / 16) return
      entries.set(key, { value, weight })
      used += weight
      for (const oldest of entries.keys()) {
        if (used <= capacity) break
        drop(oldest)
      }
    },
  }
}
