import type { Problem } from '../../api/client.ts'
import { t } from '../../messages.ts'
import type { Manuscript, TooLong } from './manuscript.ts'

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
  /** These fields are too long to be sent; everything else is saved. */
  | { readonly kind: 'too_long'; readonly fields: readonly TooLong[] }
  /** The piece was deleted elsewhere. */
  | { readonly kind: 'gone' }
  /** Another device or a key changed the same sentence or field: nothing is sent until the writer has chosen. */
  | {
      readonly kind: 'contested'
      /** What both started from, if it is known. */
      readonly base: Manuscript | null
      /** The text here with their side of each conflict. */
      readonly theirs: Manuscript
      /** As the server has it. */
      readonly saved: SavedPiece
    }

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

interface SaveContext {
  /** Whether this device has a copy; no text may say so otherwise. */
  readonly isOnDevice: boolean
  readonly isOnline: boolean
  /** Whether the server has the piece. */
  readonly isCreated: boolean
}

/** The save status, to be read at a glance. */
export function saveStatusText(status: SaveStatus, { isOnDevice, isOnline, isCreated }: SaveContext): string {
  const kept = isOnDevice ? 'yes' : 'no'
  switch (status.kind) {
    case 'saved':
      return t(isCreated || status.at !== null ? 'desk.editor.save.saved' : 'desk.editor.save.empty')
    case 'changed':
    case 'saving':
      return t('desk.editor.save.saving', { kept })
    case 'textless':
      return t('desk.editor.save.needs_text', { kept })
    case 'unreachable':
      return t(isOnline ? 'desk.editor.save.unreachable' : 'desk.editor.save.offline', { kept })
    case 'signed_out':
      return t('desk.editor.save.signed_out', { kept })
    case 'refused':
      return t('desk.editor.save.refused', { reason: status.detail })
    case 'too_long':
      return status.fields
        .map(({ member, over }) => t(`desk.editor.save.too_long_${member}`, { count: over }))
        .join(' ')
    case 'gone':
      return t('desk.editor.save.deleted', { kept })
    case 'contested':
      return t('desk.editor.save.conflict', { kept })
  }
}
