import type { Status } from '#features/pieces/draft-schema.ts'
import type { ReviewPage } from './schema.ts'

export interface ReviewRow {
  readonly id: string
  readonly headline: string
  readonly sub: string | null
  readonly category: string
  readonly editor_status: Status
  readonly revision: number
  readonly updated_at: Date
  readonly writer_slug: string
  readonly writer_name: string
}

export interface WholeReviewRow extends ReviewRow {
  readonly tags: string[]
  readonly body_md: string
  readonly account_id: string | null
}

export const presentReview = (row: ReviewRow): ReviewPage['pieces'][number] => ({
  id: row.id,
  headline: row.headline,
  sub: row.sub,
  category: row.category,
  status: row.editor_status,
  revision: row.revision,
  updated_at: row.updated_at.toISOString(),
  writer: { slug: row.writer_slug, name: row.writer_name },
})
