import { type Writer, withSession } from '#features/accounts/sessions.ts'
import type { DeskContext } from '#features/context.ts'
import { message } from '#messages/message.ts'
import type { Database } from '#platform/db/database.ts'
import { notFound } from '#platform/errors.ts'
import { readRow } from './desk.ts'
import type { History, RevisionFound } from './desk-schema.ts'
import type { Status } from './draft-schema.ts'

interface AuditRow {
  readonly at: Date
  readonly act: string
  readonly revision: number
  readonly from_status: Status
  readonly to_status: Status
  readonly note: string | null
  readonly by_key: boolean
  readonly key_name: string | null
}

interface RevisionRow {
  readonly revision: number
  readonly saved_at: Date
  readonly headline: string
  readonly key_name: string | null
  readonly by_key: boolean
  readonly name: string | null
}

/** More than anyone looks through; older revisions are read by number. */
const maxListed = 500

const revisionColumns = `r.revision, r.saved_at, r.headline, r.key_id is not null as by_key, app.key_name(r.key_id) as key_name,
  (select n.name from app.revision_names n where n.piece_id = r.piece_id and n.revision = r.revision) as name`

const noSuchRevision = () => notFound(message('error.revision_not_found'))

export const actorOf = ({ by_key, key_name }: Pick<RevisionRow, 'by_key' | 'key_name'>) => ({
  kind: by_key ? ('key' as const) : ('person' as const),
  key: key_name,
})

const presentRevision = (row: RevisionRow) => ({
  revision: row.revision,
  saved_at: row.saved_at.toISOString(),
  headline: row.headline,
  by: actorOf(row),
  name: row.name,
})

/** A piece's audit entries and stored revisions, newest first. */
export async function pieceHistory({ db }: DeskContext, writer: Writer, id: string): Promise<History> {
  return withSession(db, writer, async (tx) => {
    await readRow(tx, writer, id)
    const audit = await tx.query<AuditRow>(
      `select at, act, revision, from_status, to_status, note, key_id is not null as by_key,
              app.key_name(key_id) as key_name
         from app.audit where piece_id = $1 order by id desc limit $2`,
      [id, maxListed],
    )
    const revisions = await tx.query<RevisionRow>(
      `select ${revisionColumns} from app.revisions r where r.piece_id = $1 order by r.revision desc limit $2`,
      [id, maxListed],
    )
    return {
      ok: true,
      deeds: audit.rows.map((row) => ({
        at: row.at.toISOString(),
        act: row.act,
        by: actorOf(row),
        revision: row.revision,
        from: row.from_status,
        to: row.to_status,
        note: row.note,
      })),
      revisions: revisions.rows.map(presentRevision),
    }
  })
}

export async function pieceRevision(
  { db }: DeskContext,
  writer: Writer,
  id: string,
  revision: number,
): Promise<RevisionFound> {
  return withSession(db, writer, async (tx) => {
    await readRow(tx, writer, id)
    const { rows } = await tx.query<
      RevisionRow & { sub: string | null; body_md: string; category: string; tags: string[] }
    >(
      `select ${revisionColumns}, r.sub, r.body_md, r.category, r.tags from app.revisions r
        where r.piece_id = $1 and r.revision = $2`,
      [id, revision],
    )
    const row = rows[0]
    if (!row) throw noSuchRevision()
    const { sub, body_md, category, tags } = row
    return { ok: true, revision: { ...presentRevision(row), sub, body_md, category, tags } }
  })
}

/** A named revision is never removed. */
export async function nameRevision(
  { db }: DeskContext,
  writer: Writer,
  id: string,
  revision: number,
  name: string | null,
): Promise<void> {
  await withSession(db, writer, async (tx) => {
    await readRow(tx, writer, id)
    const { rows } = await tx.query<{ named: boolean }>('select app.name_revision($1, $2, $3) as named', [
      id,
      revision,
      name,
    ])
    if (!rows[0]!.named) throw noSuchRevision()
  })
}

/** Per transaction. Takes some tenths of a second, for which naming a revision may have to wait. */
const packBatch = 100

/** Of revisions older than a day, keeps the last of each ten minutes and compresses them together (`app.pack_history`). */
export async function packHistory(db: Database, signal: AbortSignal): Promise<void> {
  for (let packed = packBatch; packed === packBatch && !signal.aborted; ) {
    const [row] = await db.run<{ packed: number }>({
      text: 'select app.pack_history($1) as packed',
      values: [packBatch],
    })
    packed = row!.packed
  }
}
