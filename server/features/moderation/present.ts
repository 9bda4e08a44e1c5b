import type { ReviewPage, ReviewShown } from './schema.ts'

interface Row {
  readonly id: string
  readonly headline: string
  readonly sub: string | null
  readonly category: string
  readonly writer_slug: string
  readonly writer_name: string
}

/** A piece that waits for review. */
export interface WaitingRow extends Row {
  readonly revision: number
  readonly submitted_at: Date
}

export interface WholeWaitingRow extends WaitingRow {
  readonly tags: string[]
  readonly body_md: string
  readonly account_id: string | null
}

/** A piece as readers have it. */
export interface PublicRow extends Row {
  readonly tags: string[]
  readonly html: string
  readonly account_id: string | null
}

const presentRow = (row: Row) => ({
  id: row.id,
  headline: row.headline,
  sub: row.sub,
  category: row.category,
  writer: { slug: row.writer_slug, name: row.writer_name },
})

export const presentWaiting = (row: WaitingRow): ReviewPage['pieces'][number] => ({
  ...presentRow(row),
  status: 'pending',
  revision: row.revision,
  submitted_at: row.submitted_at.toISOString(),
})

export const presentWhole = (row: WholeWaitingRow, html: string): ReviewShown['piece'] => ({
  ...presentWaiting(row),
  tags: row.tags,
  body_md: row.body_md,
  html,
})

/** Nothing of the working copy, which may be ahead of it: neither Markdown nor revision. */
export const presentPublic = (row: PublicRow): ReviewShown['piece'] => ({
  ...presentRow(row),
  status: 'approved',
  revision: null,
  submitted_at: null,
  tags: row.tags,
  body_md: null,
  html: row.html,
})
