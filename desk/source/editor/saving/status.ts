import type { Problem } from '../../api/api-error.ts'
import type { Manuscript } from './manuscript.ts'

/** Where a text stands between the writer's fingers and the server. */
export type Standing =
  /** The server has every character. `at`: since when; null while nothing was written. */
  | { readonly kind: 'saved'; readonly at: number | null }
  /** Changed a moment ago; it goes out when the writer pauses. */
  | { readonly kind: 'changed' }
  | { readonly kind: 'saving' }
  /** A piece without text is kept on the device only: the server takes none. */
  | { readonly kind: 'textless' }
  /** The server did not answer. It is asked again by itself. */
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'signed_out' }
  /** The server said no, and why. It is asked again after the next change. */
  | { readonly kind: 'refused'; readonly detail: string; readonly problems: readonly Problem[] }
  /** The piece was deleted elsewhere. */
  | { readonly kind: 'gone' }
  /** Somebody else, a key or another device, changed the same words: nothing is sent until the writer has chosen. */
  | { readonly kind: 'contested'; readonly theirs: Manuscript; readonly etag: string }

/** What an attempt to save came to. */
export type Outcome =
  | { readonly kind: 'saved'; readonly at: Saved }
  | { readonly kind: 'stale' }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'signed_out' }
  | { readonly kind: 'refused'; readonly detail: string; readonly problems: readonly Problem[] }
  | { readonly kind: 'gone' }

/** A piece as the server has it. */
export interface Saved {
  readonly id: string
  readonly etag: string
  readonly manuscript: Manuscript
}

/** The pieces of the desk's API, as the saver needs them. */
export interface PieceStore {
  /** Where an earlier attempt has arrived after all, it answers with the piece as that one made it. */
  begin(id: string, manuscript: Manuscript): Promise<Outcome>
  save(id: string, etag: string, before: Manuscript, after: Manuscript): Promise<Outcome>
  read(id: string): Promise<Outcome>
}
