import { useSyncExternalStore } from 'react'
import { ask } from '../api/ask.ts'
import { wordsOf } from '../api/refusal.ts'
import { doUnlessUndone, tell } from '../ui/notice.tsx'
import { type DeskListItem, usePiecesChanged } from './asking.ts'

/** Drafts that are deleted as soon as it can no longer be undone. They outlive the room: so does the offer to undo. */
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

export function useDeletion(): (piece: DeskListItem) => void {
  const changed = usePiecesChanged()
  return ({ id, headline }) => {
    const stay = () => set(leaving.filter((one) => one !== id))
    set([...leaving, id])
    const remove = async () => {
      try {
        await ask('DELETE', `/pieces/${id}`, undefined, { keepalive: true })
      } catch (error) {
        tell(`“${headline}” is still there. ${wordsOf(error)}`)
      }
      await changed()
      stay()
    }
    doUnlessUndone(`“${headline}” is deleted.`, remove, stay)
  }
}
