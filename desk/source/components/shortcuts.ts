import { useEffect, useSyncExternalStore } from 'react'

/** One thing the keyboard does on this page, for the list behind `?`. */
export interface Shortcut {
  /** As it is pressed, such as "Ctrl+S". */
  readonly keys: string
  readonly does: string
}

let named: readonly (readonly Shortcut[])[] = []
let all: readonly Shortcut[] = []
const listeners = new Set<() => void>()

function set(next: readonly (readonly Shortcut[])[]): void {
  named = next
  all = named.flat()
  for (const listener of listeners) listener()
}

/** A room names its shortcuts while it is shown; the list is a constant of its module. It listens for the keys itself. */
export function useNamedShortcuts(shortcuts: readonly Shortcut[]): void {
  useEffect(() => {
    set([...named, shortcuts])
    return () => set(named.filter((one) => one !== shortcuts))
  }, [shortcuts])
}

export const useShortcuts = (): readonly Shortcut[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => all,
  )

/** Ctrl, or ⌘ where the keyboard has one. */
export const modifier: string = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl+'
