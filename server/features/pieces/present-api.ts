import type { Urls } from '#platform/urls.ts'
import type { MyPiece, MyPieceListItem, Status } from './draft-schema.ts'

export interface MyRow {
  readonly id: string
  readonly headline: string
  readonly sub: string | null
  readonly category: string
  readonly editor_status: Status
  readonly locale: string
  readonly tags: string[]
  readonly created_at: Date
}

export interface WholeMyRow extends MyRow {
  readonly updated_at: Date
  readonly frame: string
  readonly style: string
  readonly fields: { readonly external_url?: string }
  readonly revision: number
  readonly body_md: string | null
}

export function presentMine(row: MyRow, urls: Urls): MyPieceListItem {
  return {
    id: row.id,
    headline: row.headline,
    sub: row.sub,
    category: row.category,
    status: row.editor_status,
    locale: row.locale,
    tags: row.tags,
    created_at: row.created_at.toISOString(),
    edit_url: urls.editPiece(row.id),
  }
}

export function presentMyPiece(row: WholeMyRow, urls: Urls): MyPiece {
  return {
    ...presentMine(row, urls),
    body_md: row.body_md,
    frame: row.frame,
    style: row.style,
    external_url: row.fields.external_url ?? null,
    updated_at: row.updated_at.toISOString(),
  }
}
