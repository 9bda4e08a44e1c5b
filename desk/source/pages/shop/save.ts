import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Refusal } from '../../api/api-error.ts'
import { type Attempt, useAttempt } from '../../components/form.tsx'
import { rename } from '../../components/router.ts'
import { afterActing, afterSaving, type Held, heldOf, isUnsaved } from './form-state.ts'
import type { Said } from './form-values.ts'
import { type Kept, readListing, saveListing, useShopChanged } from './queries.ts'

/** A listing in a form: what is typed, what the server has of it, and whether somebody else has changed that. */
export interface Keeping extends Held {
  readonly isUnsaved: boolean
  readonly saving: Attempt
  readonly fill: (change: Partial<Said>) => void
  /** What the server then has; undefined where it did not take it. Asked twice for the same words, it is one save. */
  readonly save: () => Promise<Kept | undefined>
  /** For what an act answered; what is typed and not saved stays. */
  readonly take: (now: Kept) => void
  readonly keepMine: () => Promise<Kept | undefined>
  readonly takeTheirs: () => void
}

interface Running {
  readonly said: Said
  readonly saved: Promise<Kept | undefined>
}

export function useKeeping(id: string, first: Kept | undefined, currency: string): Keeping {
  const [held, setHeld] = useState(() => heldOf(first, currency))
  const { said, kept, theirs } = held
  const running = useRef<Running>(undefined)
  const saving = useAttempt()
  const changed = useShopChanged()

  useEffect(() => {
    if (saving.error) document.querySelector<HTMLElement>('form [aria-invalid]')?.focus()
  }, [saving.error])

  const saveOver = async (version: Kept | undefined) => {
    let saved: Kept | undefined
    await saving.by(async () => {
      try {
        saved = await saveListing(id, said, version?.tag)
      } catch (error) {
        if (!(error instanceof Refusal && error.status === 412)) throw error
        const theirs = await readListing(id)
        return setHeld((latest) => ({ ...latest, theirs }))
      }
      const now = saved
      // At once: a key pressed before the page is drawn again would save over the old tag.
      flushSync(() => setHeld((latest) => afterSaving(latest, said, now)))
      if (!version) rename(`/desk/shop/${id}`)
      void changed()
    })()
    return saved
  }
  /** One at a time: two with the same tag would make the second a conflict with the first. */
  const saveInTurn = (version: Kept | undefined): Promise<Kept | undefined> => {
    const before = running.current
    if (before?.said === said) return before.saved
    const saved = before ? before.saved.then((now) => now && saveOver(now)) : saveOver(version)
    const turn = { said, saved }
    running.current = turn
    void saved.finally(() => {
      if (running.current === turn) running.current = undefined
    })
    return saved
  }
  return {
    ...held,
    isUnsaved: isUnsaved(held),
    saving,
    fill: (change) => setHeld((latest) => ({ ...latest, said: { ...latest.said, ...change } })),
    save: async () => (kept && !running.current && !isUnsaved(held) ? kept : saveInTurn(kept)),
    take: (now) => {
      setHeld((latest) => afterActing(latest, now))
      void changed()
    },
    keepMine: () => saveInTurn(theirs),
    takeTheirs: () => theirs && setHeld(heldOf(theirs, currency)),
  }
}
