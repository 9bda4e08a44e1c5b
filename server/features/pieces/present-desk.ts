import { countWords } from '#platform/text/words.ts'
import type { Urls } from '#platform/urls.ts'
import type { DeskListItem, DeskPiece } from './desk-schema.ts'
import type { Status } from './draft-schema.ts'
import { actsOn } from './states.ts'

export interface DeskRow {
  readonly id: string
  readonly headline: string
  readonly sub: string | null
  readonly category: string
  readonly tags: string[]
  readonly editor_status: Status
  readonly revision: number
  readonly created_at: Date
  readonly updated_at: Date
  readonly slug: string | null
  readonly author_slug: string
  readonly has_unpublished_changes: boolean
  readonly key_name: string | null
  readonly body_md: string
}

export interface WholeDeskRow extends DeskRow {
  readonly frame: string
  readonly style: string
  readonly locale: string
  readonly fields: { readonly external_url?: string }
  readonly first_published_at: Date | null
  readonly review_required: boolean
  readonly note: string | null
  readonly by_key: DeskPiece['by_key']
}

/** Characters: enough to recognise a piece by. */
const longestOpening = 400

/** How a text begins, as it is written. */
export const openingOf = (body: string): string =>
  [...body.slice(0, 2 * longestOpening)].slice(0, longestOpening).join('')

export const presentDeskItem = (row: DeskRow, urls: Urls): DeskListItem => ({
  ...presentShown(row, urls),
  opening: openingOf(row.body_md),
})

function presentShown(row: DeskRow, urls: Urls): Omit<DeskListItem, 'opening'> {
  return {
    id: row.id,
    headline: row.headline,
    sub: row.sub,
    category: row.category,
    tags: row.tags,
    status: row.editor_status,
    revision: row.revision,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    url: row.editor_status === 'approved' && row.slug ? urls.piece(row.author_slug, row.slug) : null,
    has_unpublished_changes: row.has_unpublished_changes,
    key: row.key_name,
    words: countWords(row.body_md),
  }
}

/** `reviewed`: a moderator stands between the piece and its readers. */
export function presentDeskPiece(row: WholeDeskRow, reviewed: boolean, urls: Urls): DeskPiece {
  return {
    ...presentShown(row, urls),
    body_md: row.body_md,
    frame: row.frame,
    style: row.style,
    locale: row.locale,
    external_url: row.fields.external_url ?? null,
    published_at: row.first_published_at?.toISOString() ?? null,
    review_required: reviewed,
    acts: actsOn(row.editor_status, 'writer', reviewed),
    note: row.editor_status === 'changes_requested' || row.editor_status === 'rejected' ? row.note : null,
    by_key: row.by_key,
  }
}
