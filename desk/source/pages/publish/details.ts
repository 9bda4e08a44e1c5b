import { useEffect, useRef, useState } from 'react'
import type { DeskPiece, DeskPieceFound } from '../../../../server/features/pieces/desk-schema.ts'
import type { DeskEditBody, DraftMeta } from '../../../../server/features/pieces/draft-schema.ts'
import { type MetaMember, metaMembers } from '../../../../server/features/pieces/page-meta.ts'
import { ApiError, callApi } from '../../api/client.ts'
import { useAttempt } from '../../components/form.tsx'

/** What the sheet can change of a piece. */
type Changes = Pick<DeskEditBody, 'category' | 'tags' | 'cover'> & { readonly meta?: DraftMeta }

export interface Details {
  /** With the changes that are not saved yet. */
  readonly piece: DeskPiece
  readonly change: (changes: Changes) => void
  /** Readers would not get what the sheet shows yet, so nothing can be published. */
  readonly isUnsaved: boolean
  readonly error: unknown
  readonly tryAgain: () => void
}

interface Options {
  readonly piece: DeskPiece
  /** Shows the saved piece, and a preview of it with its nonce. */
  readonly onSaved: (piece: DeskPiece) => Promise<unknown>
  /** Another device has saved: resolves with the piece as it is now. */
  readonly onStale: () => Promise<DeskPiece | undefined>
}

/** Milliseconds of rest before a change is saved: each save draws another preview. */
const rest = 500

const patch = ({ id, revision }: DeskPiece, body: Changes) =>
  callApi<DeskPieceFound>('PATCH', `/pieces/${id}`, body, { ifMatch: `"${revision}"` })

const membersOf = (changes: Changes) => Object.keys(changes) as (keyof Changes)[]

/** Those members that are not as they were sent. */
const without = (changes: Changes, isDone: (member: keyof Changes) => boolean): Changes =>
  Object.fromEntries(membersOf(changes).flatMap((member) => (isDone(member) ? [] : [[member, changes[member]]])))

/** Saves what is changed on the sheet, as the editor does: based on the revision that is shown. */
export function useDetails({ piece, onSaved, onStale }: Options): Details {
  const [changes, setChanges] = useState<Changes>({})
  const attempt = useAttempt()
  /** Is not sent again by itself. */
  const failed = useRef<Changes>(undefined)
  const waiting = useRef<{ readonly piece: DeskPiece; readonly changes: Changes }>(undefined)

  const save = attempt.handler(async () => {
    waiting.current = undefined
    failed.current = changes
    try {
      const saved = await patch(piece, changes)
      failed.current = undefined
      await onSaved(saved.piece)
      setChanges((now) => without(now, (member) => now[member] === changes[member]))
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 412)) throw error
      failed.current = undefined
      const now = await onStale()
      // What only this sheet has changed is saved after all.
      const isTheirs = (member: keyof Changes) => JSON.stringify(now?.[member]) !== JSON.stringify(piece[member])
      setChanges(({ meta, ...before }) => ({
        ...without(before, isTheirs),
        ...(meta && now ? mergedMeta(piece.meta, meta, now.meta) : {}),
      }))
    }
  })

  const isEmpty = membersOf(changes).length === 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: saves what is changed now, on the revision shown now.
  useEffect(() => {
    if (isEmpty || attempt.isBusy || failed.current === changes) return
    waiting.current = { piece, changes }
    const timer = setTimeout(() => void save(), rest)
    return () => clearTimeout(timer)
  }, [changes, attempt.isBusy, piece.revision])
  // Who leaves has not changed their mind.
  useEffect(
    () => () => {
      if (waiting.current) void patch(waiting.current.piece, waiting.current.changes).catch(() => undefined)
    },
    [],
  )

  return {
    piece: shown(piece, changes),
    change: (more) => setChanges((before) => ({ ...before, ...more })),
    isUnsaved: !isEmpty || attempt.isBusy,
    error: attempt.error,
    tryAgain: () => void save(),
  }
}

/** Each text on its own; nothing if the other device has changed all that this one has. */
function mergedMeta(base: DraftMeta | null, ours: DraftMeta, theirs: DraftMeta | null): Changes {
  const isTheirs = (member: MetaMember) => (theirs?.[member] ?? null) !== (base?.[member] ?? null)
  const mine = metaMembers.filter((member) => !isTheirs(member) && ours[member] !== (base?.[member] ?? null))
  if (mine.length === 0) return {}
  const merged = metaMembers.map((member) => [member, (mine.includes(member) ? ours : theirs)?.[member] ?? null])
  return { meta: Object.fromEntries(merged) as DraftMeta }
}

const shown = (piece: DeskPiece, { category, tags, cover, meta }: Changes): DeskPiece => ({
  ...piece,
  ...(category === undefined ? {} : { category, is_category_chosen: true }),
  ...(tags === undefined ? {} : { tags }),
  ...(meta === undefined ? {} : { meta }),
  ...(cover === undefined
    ? {}
    : { cover: cover && ({ caption: null, credit: null, focus: { x: 50, y: 50 }, ...cover } as DeskPiece['cover']) }),
})
