import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { ApiError } from '../../api/client.ts'
import { type Attempt, useAttempt } from '../../components/form.tsx'
import { replaceUrl } from '../../components/router.ts'
import {
  afterAction,
  afterSaving,
  initialState,
  isUnsaved,
  type ListingState,
  type ListingValues,
  type SavedListing,
} from './listing-form.ts'
import { invalidateShop, readListing, saveListing } from './queries.ts'

/** The form of a listing: values, saved version and conflicts. */
export interface ListingForm extends ListingState {
  readonly isUnsaved: boolean
  readonly saving: Attempt
  readonly change: (change: Partial<ListingValues>) => void
  /** Resolves with the saved version; undefined if the save failed. Saving the same values twice is one request. */
  readonly save: () => Promise<SavedListing | undefined>
  /** Applies the answer of an action; unsaved values stay. */
  readonly applyAnswer: (now: SavedListing) => void
  readonly keepMine: () => Promise<SavedListing | undefined>
  readonly takeTheirs: () => void
}

interface PendingSave {
  readonly values: ListingValues
  readonly saved: Promise<SavedListing | undefined>
}

export function useListingForm(id: string, first: SavedListing | undefined, currency: string): ListingForm {
  const [state, setState] = useState(() => initialState(first, currency))
  const { values, saved, theirs } = state
  const pendingSave = useRef<PendingSave>(undefined)
  const saving = useAttempt()

  useEffect(() => {
    if (saving.error) document.querySelector<HTMLElement>('form [aria-invalid]')?.focus()
  }, [saving.error])

  const saveOver = async (version: SavedListing | undefined) => {
    let saved: SavedListing | undefined
    await saving.handler(async () => {
      try {
        saved = await saveListing(id, values, version?.tag)
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 412)) throw error
        const theirs = await readListing(id)
        return setState((latest) => ({ ...latest, theirs }))
      }
      const now = saved
      // Synchronously: a shortcut pressed before the next render would use the old tag.
      flushSync(() => setState((latest) => afterSaving(latest, values, now)))
      if (!version) replaceUrl(`/desk/shop/${id}`)
      void invalidateShop()
    })()
    return saved
  }
  /** One at a time: two saves with the same tag would conflict. */
  const saveInTurn = (version: SavedListing | undefined): Promise<SavedListing | undefined> => {
    const before = pendingSave.current
    if (before?.values === values) return before.saved
    const saved = before ? before.saved.then((now) => now && saveOver(now)) : saveOver(version)
    const pending = { values, saved }
    pendingSave.current = pending
    void saved.finally(() => {
      if (pendingSave.current === pending) pendingSave.current = undefined
    })
    return saved
  }
  return {
    ...state,
    isUnsaved: isUnsaved(state),
    saving,
    change: (change) => setState((latest) => ({ ...latest, values: { ...latest.values, ...change } })),
    save: async () => (saved && !pendingSave.current && !isUnsaved(state) ? saved : saveInTurn(saved)),
    applyAnswer: (now) => {
      setState((latest) => afterAction(latest, now))
      void invalidateShop()
    },
    keepMine: () => saveInTurn(theirs),
    takeTheirs: () => theirs && setState(initialState(theirs, currency)),
  }
}
