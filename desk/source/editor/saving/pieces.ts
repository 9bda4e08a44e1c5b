import type { DeskPiece, DeskPieceFound } from '../../../../server/features/pieces/desk-schema.ts'
import type { EditPieceBody } from '../../../../server/features/pieces/draft-schema.ts'
import { Refusal } from '../../api/api-error.ts'
import { askWithTag, type Method } from '../../api/client.ts'
import { changed, manuscriptOf, wireOf } from './manuscript.ts'
import type { Outcome, PieceStore, Saved } from './status.ts'

/** The saver's side of the desk's API. It asks quietly: whoever was signed out reads so in the status line. */

/** How long an answer is waited for, … */
const patience = 15_000
/** … and how many characters a slow line takes with it in each further millisecond. */
const slowest = 8

async function outcomeOf(act: () => Promise<Saved>): Promise<Outcome> {
  try {
    return { kind: 'saved', at: await act() }
  } catch (error) {
    // Whatever it was, the text is still here: it is tried again.
    if (!(error instanceof Refusal)) return { kind: 'unreachable' }
    const { status, detail, errors: problems } = error
    if (status === 401) return { kind: 'signed_out' }
    if (status === 404) return { kind: 'gone' }
    if (status === 412) return { kind: 'stale' }
    if (status === 0 || status === 408 || status === 429 || status >= 500) return { kind: 'unreachable' }
    return { kind: 'refused', detail, problems }
  }
}

/**
 * The pieces of one writer, whoever else signs in meanwhile. `onPiece` is told of the piece as each answer has it: its
 * state, and what may be done with it.
 */
export function openPieces(writer: string, onPiece: (piece: DeskPiece) => void): PieceStore {
  const asked = (method: Method, path: string, body?: EditPieceBody, ifMatch?: string): Promise<Outcome> =>
    outcomeOf(async () => {
      const signal = AbortSignal.timeout(patience + (body?.body_md?.length ?? 0) / slowest)
      const options = { isQuiet: true, writer, signal, ...(ifMatch ? { ifMatch } : {}) }
      const { answer, tag } = await askWithTag<DeskPieceFound>(method, path, body, options)
      onPiece(answer.piece)
      const { id, revision } = answer.piece
      return { id, etag: tag ?? `"${revision}"`, manuscript: manuscriptOf(answer.piece) }
    })
  return {
    begin: (id, manuscript) => asked('POST', `/pieces?id=${id}`, wireOf(manuscript)),
    save: (id, etag, before, after) => asked('PATCH', `/pieces/${id}`, wireOf(after, changed(before, after)), etag),
    read: (id) => asked('GET', `/pieces/${id}`),
  }
}
