import { useSyncExternalStore } from 'react'
import { doUnlessUndone } from './notice.tsx'

/** What is deleted as soon as it can no longer be undone, by its id. It outlives the room: so does the offer to undo. */
let leaving: readonly string[] = []
const listeners = new Set<() => void>()

function set(next: readonly string[]): void {
  leaving = next
  for (const listener of listeners) listener()
}

export const useLeaving = (): readonly string[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => leaving,
  )

/** Hides it at once and deletes it a little later. `remove` ends when the lists are right without it, or with it again. */
export function deleteUnlessUndone(id: string, name: string, remove: () => Promise<void>): void {
  const stay = () => set(leaving.filter((one) => one !== id))
  set([...leaving, id])
  doUnlessUndone(`“${name}” is deleted.`, () => void remove().finally(stay), stay)
}
