import type { DeskPiece, DeskPieceFound } from '../../../../server/features/pieces/desk-schema.ts'
import type { DeskEditBody } from '../../../../server/features/pieces/draft-schema.ts'
import { ApiError, callApiWithTag, type Method } from '../../api/client.ts'
import { keptAnswer } from '../../api/kept-answers.ts'
import { changedMembers, chosenMembers, manuscriptOf, toApiBody } from './manuscript.ts'
import type { PieceStore, SavedPiece, SaveOutcome } from './save-status.ts'

/** The saver's API client. Errors do not open the sign-in dialog; the status line shows them. */

/** Request timeout in milliseconds, … */
const baseTimeout = 15_000
/** … plus one millisecond for so many characters, for slow connections. */
const charactersPerMs = 8

async function toOutcome(act: () => Promise<SavedPiece>): Promise<SaveOutcome> {
  try {
    return { kind: 'saved', at: await act() }
  } catch (error) {
    // Whatever it was, the text is still here and is sent again.
    if (!(error instanceof ApiError)) return { kind: 'unreachable' }
    const { status, detail, errors: problems } = error
    if (status === 401) return { kind: 'signed_out' }
    if (status === 404) return { kind: 'gone' }
    if (status === 412) return { kind: 'stale' }
    if (status === 0 || status === 408 || status === 429 || status >= 500) return { kind: 'unreachable' }
    return { kind: 'refused', detail, problems }
  }
}

interface DevicePieceStore extends PieceStore {
  /** As this device saw it last, to be opened without a network. Never to be merged: it may be older than the journal. */
  readKept(id: string): Promise<SaveOutcome>
}

/** The pieces of one writer, even if another account signs in meanwhile. `onPiece` gets the piece of each answer. */
export function openPieceStore(writer: string, onPiece: (piece: DeskPiece) => void): DevicePieceStore {
  const savedFrom = ({ piece }: DeskPieceFound, tag: string | null): SavedPiece => {
    onPiece(piece)
    return { id: piece.id, etag: tag ?? `"${piece.revision}"`, manuscript: manuscriptOf(piece) }
  }
  const asked = (method: Method, path: string, body?: DeskEditBody, ifMatch?: string): Promise<SaveOutcome> =>
    toOutcome(async () => {
      const signal = AbortSignal.timeout(baseTimeout + (body?.body_md?.length ?? 0) / charactersPerMs)
      const options = { skipReauth: true, isFresh: true, writer, signal, ...(ifMatch ? { ifMatch } : {}) }
      const { answer, tag } = await callApiWithTag<DeskPieceFound>(method, path, body, options)
      return savedFrom(answer, tag)
    })
  return {
    begin: (id, manuscript) => asked('POST', `/pieces?id=${id}`, toApiBody(manuscript, chosenMembers(manuscript))),
    save: (id, etag, before, after) =>
      asked('PATCH', `/pieces/${id}`, toApiBody(after, changedMembers(before, after)), etag),
    read: (id) => asked('GET', `/pieces/${id}`),
    readKept: async (id) => {
      const kept = await keptAnswer(`/pieces/${id}`)
      if (!kept) return { kind: 'unreachable' }
      return { kind: 'saved', at: savedFrom(kept.answer as DeskPieceFound, kept.tag) }
    },
  }
}
