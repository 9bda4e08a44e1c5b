import { useSyncExternalStore } from 'react'

/** A value outside of React; components that use it render again when it is set. */
export interface Store<Value> {
  readonly get: () => Value
  readonly set: (next: Value) => void
  readonly use: () => Value
}

export function createStore<Value>(initial: Value): Store<Value> {
  let value = initial
  const listeners = new Set<() => void>()
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const get = () => value
  return {
    get,
    set(next) {
      value = next
      for (const listener of listeners) listener()
    },
    use: () => useSyncExternalStore(subscribe, get),
  }
}
