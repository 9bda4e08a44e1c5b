import type { Person } from '#features/accounts/sessions.ts'
import type { DeskContext } from '#features/context.ts'
import { cutRows, readCursor } from '#platform/cursor.ts'
import { type AuditLogPage, type AuditLogQuery, auditLogLimits } from './schema.ts'

interface AuditRow {
  /** pg returns bigint as text. */
  readonly id: string
  readonly micros: string
  readonly at: Date
  readonly act: string
  readonly moderator: string | null
  readonly piece_id: string | null
  /** The public headline, or the last public one when it was decided. */
  readonly headline: string | null
  readonly is_public: boolean
  readonly writer_slug: string | null
  readonly writer_name: string | null
  readonly note: string | null
  /** The slug of a listing. */
  readonly listing: string | null
}

/** In microseconds like PostgreSQL's timestamps: two entries could have the same millisecond. */
type AuditCursor = readonly [micros: number, id: number]
/** After any possible entry. */
const end: AuditCursor = [253_370_764_800_000_000, Number.MAX_SAFE_INTEGER]

/** Acts of moderators, newest first. */
export async function readAuditLog(
  { db }: DeskContext,
  { sessionHash }: Person,
  { limit = auditLogLimits.default, cursor }: AuditLogQuery,
): Promise<AuditLogPage> {
  const [micros, id] = cursor === undefined ? end : readCursor<AuditCursor>('deeds', cursor, isAuditCursor)
  const rows = await db.run<AuditRow>({
    text: `select *, (extract(epoch from at) * 1000000)::bigint as micros
             from app.deeds_for_review($1, 'epoch'::timestamptz + $2::bigint * interval '1 microsecond', $3, $4)`,
    values: [sessionHash, micros, id, limit + 1],
  })
  const { page, next_cursor } = cutRows('deeds', rows, limit, (last) => [Number(last.micros), Number(last.id)])
  return { ok: true, count: page.length, deeds: page.map(presentEntry), next_cursor }
}

const isAuditCursor = (parts: readonly unknown[]): boolean =>
  parts.length === 2 && parts.every((part) => Number.isSafeInteger(part) && (part as number) >= 0)

const presentEntry = (row: AuditRow): AuditLogPage['deeds'][number] => ({
  at: row.at.toISOString(),
  act: row.act,
  moderator: row.moderator,
  writer: row.writer_slug && row.writer_name ? { slug: row.writer_slug, name: row.writer_name } : null,
  piece: row.piece_id ? { id: row.piece_id, headline: row.headline, is_public: row.is_public } : null,
  listing: row.listing,
  note: row.note,
})
