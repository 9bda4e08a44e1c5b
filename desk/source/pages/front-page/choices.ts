import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FrontPageChoices, PiecesToPin } from '../../../../server/features/front-page/schema.ts'
import { ApiError, callApi } from '../../api/client.ts'
import { withQuery } from '../../api/pages.ts'
import { queries } from '../../api/queries.ts'
import { toLocal } from '../../components/local-time.ts'
import { showToast } from '../../components/notice.tsx'
import { t } from '../../messages.ts'

export type { FrontPageChoices }
export type Pin = FrontPageChoices['pins'][number]
type PieceToPin = PiecesToPin['pieces'][number]

/** As the database enforces (server/config/policy.ts). */
export const maxPins = 7
export const longestNote = 280
const day = 86_400_000
const longest = 30 * day
const usual = 3 * day

const key = ['front-page'] as const

/** Read once: what is changed here is kept until it is saved, and a save tells of changes by others. */
export const useSavedChoices = () =>
  useQuery({
    queryKey: [...key, 'choices'],
    queryFn: () => callApi<FrontPageChoices>('GET', '/front-page'),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

export const usePiecesToPin = (q: string) =>
  useQuery({
    queryKey: [...key, 'pieces', q],
    queryFn: async () => (await callApi<PiecesToPin>('GET', withQuery('/front-page/pieces', { q }))).pieces,
    placeholderData: (before) => before,
  })

/** What is on the page and not saved yet. The note is empty if there is none. */
export interface Edited {
  readonly pins: readonly Pin[]
  readonly note: string
  readonly noteEnds: string
}

const editedFrom = ({ pins, note }: FrontPageChoices): Edited => ({
  pins,
  note: note?.text ?? '',
  noteEnds: note?.ends_at ?? inDays(usual),
})

const bodyOf = ({ pins, note, noteEnds }: Edited) => ({
  pins: pins.map(({ id, ends_at }) => ({ id, ends_at })),
  note: note.trim() ? { text: note.trim(), ends_at: noteEnds } : null,
})

const inDays = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString()

export const pinOf = (piece: PieceToPin): Pin => ({ ...piece, ends_at: inDays(usual) })

export function useChoices(first: FrontPageChoices) {
  const [saved, setSaved] = useState(first)
  const [edited, setEdited] = useState(() => editedFrom(first))
  /** What another moderator saved meanwhile. */
  const [newer, setNewer] = useState<FrontPageChoices>()
  /** What was changed while a save was under way stays. */
  const take = (choices: FrontPageChoices) => {
    setSaved(choices)
    setEdited((latest) => (latest === edited ? editedFrom(choices) : latest))
    setNewer(undefined)
    queries.setQueryData([...key, 'choices'], choices)
  }
  return {
    saved,
    edited,
    newer,
    isUnsaved: JSON.stringify(bodyOf(edited)) !== JSON.stringify(bodyOf(editedFrom(saved))),
    change: (changes: Partial<Edited>) => setEdited((before) => ({ ...before, ...changes })),
    takeTheirs: () => {
      if (newer) take(newer)
    },
    keepMine: () => {
      if (newer) setSaved(newer)
      setNewer(undefined)
    },
    save: async () => {
      try {
        const body = { version: saved.version, ...bodyOf(edited) }
        const choices = await callApi<FrontPageChoices>('PUT', '/front-page', body)
        const left = edited.pins.length - choices.pins.length
        take(choices)
        showToast(left > 0 ? t('desk.front-page.saved_without', { count: left }) : t('desk.front-page.saved'))
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 409 && error.current)) throw error
        setNewer(error.current as FrontPageChoices)
      }
    },
  }
}

export const earliestEnd = (): string => toLocal(inDays(0))
export const latestEnd = (): string => toLocal(inDays(longest))
