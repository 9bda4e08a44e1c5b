import type { StoredManuscript } from '#features/pieces/normalize-input.ts'
import type { Urls } from '#platform/urls.ts'

/** A piece as it is taken along. */

export interface ExportedRow extends StoredManuscript {
  readonly id: string
  readonly editor_status: string
  readonly revision: number
  readonly slug: string | null
  readonly author_slug: string
  readonly created_at: Date
  readonly updated_at: Date
  readonly first_published_at: Date | null
  readonly has_past: boolean
}

/** The day it was published, or begun, and what it is called. */
export const fileNameOf = ({ id, slug, created_at, first_published_at }: ExportedRow): string =>
  `${(first_published_at ?? created_at).toISOString().slice(0, 10)}-${slug ?? id}`

export const factsOf = (row: ExportedRow, urls: Urls) => ({
  id: row.id,
  headline: row.headline,
  standfirst: row.sub,
  status: row.editor_status,
  url: row.editor_status === 'approved' && row.slug ? urls.piece(row.author_slug, row.slug) : null,
  category: row.category,
  tags: row.tags,
  frame: row.frame,
  style: row.style,
  locale: row.locale,
  external_url: row.fields.external_url ?? null,
  revision: row.revision,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  published_at: row.first_published_at?.toISOString() ?? null,
})

/** Front matter in YAML, of which JSON is a part; the text byte for byte as its writer has it. */
export const asMarkdown = (row: ExportedRow, urls: Urls): string => {
  const lines = Object.entries(factsOf(row, urls)).map(([name, value]) => `${name}: ${yaml(value)}`)
  return `---\n${lines.join('\n')}\n---\n\n${row.body_md}`
}

/** JSON may hold these as they are; YAML would end the line. */
const yaml = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

export const asJson = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
