import type { Problem } from '../../api/client.ts'
import type { Manuscript } from './manuscript.ts'

/** The save status of a text. */
export type SaveStatus =
  /** The server has every character. `at` is when; null if nothing was written. */
  | { readonly kind: 'saved'; readonly at: number | null }
  /** Changed; saved when the writer pauses. */
  | { readonly kind: 'changed' }
  | { readonly kind: 'saving' }
  /** A piece without text stays on the device: the server accepts none. */
  | { readonly kind: 'textless' }
  /** The server did not answer; it is retried. */
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'signed_out' }
  /** The server refused it; retried after the next change. */
  | { readonly kind: 'refused'; readonly detail: string; readonly problems: readonly Problem[] }
  /** The piece was deleted elsewhere. */
  | { readonly kind: 'gone' }
  /** Another device or a key changed the same fields: nothing is sent until the writer has chosen. */
  | { readonly kind: 'contested'; readonly theirs: Manuscript; readonly etag: string }

/** The result of a save. */
export type SaveOutcome =
  | { readonly kind: 'saved'; readonly at: SavedPiece }
  | { readonly kind: 'stale' }
  | Extract<SaveStatus, { kind: 'unreachable' | 'signed_out' | 'refused' | 'gone' }>

/** A piece as the server has it. */
export interface SavedPiece {
  readonly id: string
  readonly etag: string
  readonly manuscript: Manuscript
}

/** The part of the API the saver needs. */
export interface PieceStore {
  /** If an earlier attempt did arrive, this returns the piece as created then. */
  begin(id: string, manuscript: Manuscript): Promise<SaveOutcome>
  save(id: string, etag: string, before: Manuscript, after: Manuscript): Promise<SaveOutcome>
  read(id: string): Promise<SaveOutcome>
}

/** The save status as a sentence. */
export function saveStatusText(
  status: SaveStatus,
  {
    isOnDevice,
    isOnline,
    isCreated,
  }: { readonly isOnDevice: boolean; readonly isOnline: boolean; readonly isCreated: boolean },
  now: number,
): string {
  const here = isOnDevice ? 'Kept on this device' : 'This browser keeps nothing on the device'
  switch (status.kind) {
    case 'saved':
      if (status.at === null) return isCreated ? 'Saved on the server' : 'Nothing written yet'
      return `Saved ${shortRelativeTime(now - status.at)} on ${isOnDevice ? 'this device and the server' : 'the server'}`
    case 'changed':
    case 'saving':
      return `${here}; saving on the server …`
    case 'textless':
      return `${here}. It goes to the server with its first words of text.`
    case 'unreachable':
      return isOnline
        ? `The server does not answer. ${here}; we try again by ourselves.`
        : `You are offline. ${here}; we save it when you are back.`
    case 'signed_out':
      return `You were signed out. ${here}; sign in and it is saved.`
    case 'refused':
      return `${status.detail} ${here}.`
    case 'gone':
      return `This piece was deleted elsewhere. ${here}.`
    case 'contested':
      return `Changed elsewhere too. ${here}; choose below.`
  }
}

function shortRelativeTime(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000)
  if (seconds < 2) return 'just now'
  if (seconds < 60) return `${seconds} s ago`
  const minutes = Math.round(seconds / 60)
  return minutes < 60 ? `${minutes} min ago` : `${Math.round(minutes / 60)} h ago`
}
