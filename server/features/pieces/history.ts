import type { Writer } from '#features/accounts/session-user.ts'
import type { DeskContext } from '#platform/context.ts'
import type { Database } from '#platform/db/database.ts'
import { notFound } from '#platform/errors.ts'
import { wholeRow } from './desk.ts'
import type { History, RevisionFound } from './desk-schema.ts'
import type { Status } from './draft-schema.ts'
import { withSession } from './with-session.ts'

interface DeedRow {
  readonly at: Date
  readonly act: string
  readonly revision: number
  readonly from_status: Status
  readonly to_status: Status
  readonly note: string | null
  readonly by_key: boolean
  readonly key_name: string | null
}

interface SavedRow {
  readonly revision: number
  readonly saved_at: Date
  readonly headline: string
  readonly key_name: string | null
  readonly by_key: boolean
  readonly name: string | null
}

/** More than anyone looks through; older ones are asked for by number. */
const mostShown = 500

const saved = `r.revision, r.saved_at, r.headline, r.key_id is not null as by_key, app.key_name(r.key_id) as key_name,
  (select n.name from app.revision_names n where n.piece_id = r.piece_id and n.revision = r.revision) as name`

const noSuchRevision = () => notFound('This piece has no such revision. Its history lists those it has.')

export const handOf = ({ by_key, key_name }: Pick<SavedRow, 'by_key' | 'key_name'>) => ({
  kind: by_key ? ('key' as const) : ('person' as const),
  key: key_name,
})

const presentSaved = (row: SavedRow) => ({
  revision: row.revision,
  saved_at: row.saved_at.toISOString(),
  headline: row.headline,
  by: handOf(row),
  name: row.name,
})

/** What happened to a piece, and the saves of it that are kept, newest first. */
export async function pieceHistory({ db }: DeskContext, writer: Writer, id: string): Promise<History> {
  return withSession(db, writer, async (tx) => {
    await wholeRow(tx, writer, id)
    const deeds = await tx.query<DeedRow>(
      `select at, act, revision, from_status, to_status, note, key_id is not null as by_key,
              app.key_name(key_id) as key_name
         from app.audit where piece_id = $1 order by id desc limit $2`,
      [id, mostShown],
    )
    const revisions = await tx.query<SavedRow>(
      `select ${saved} from app.revisions r where r.piece_id = $1 order by r.revision desc limit $2`,
      [id, mostShown],
    )
    return {
      ok: true,
      deeds: deeds.rows.map((row) => ({
        at: row.at.toISOString(),
        act: row.act,
        by: handOf(row),
        revision: row.revision,
        from: row.from_status,
        to: row.to_status,
        note: row.note,
      })),
      revisions: revisions.rows.map(presentSaved),
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
    await wholeRow(tx, writer, id)
    const { rows } = await tx.query<
      SavedRow & { sub: string | null; body_md: string; category: string; tags: string[] }
    >(
      `select ${saved}, r.sub, r.body_md, r.category, r.tags from app.revisions r
        where r.piece_id = $1 and r.revision = $2`,
      [id, revision],
    )
    const row = rows[0]
    if (!row) throw noSuchRevision()
    const { sub, body_md, category, tags } = row
    return { ok: true, revision: { ...presentSaved(row), sub, body_md, category, tags } }
  })
}

/** A revision that has a name is kept for good. */
export async function nameRevision(
  { db }: DeskContext,
  writer: Writer,
  id: string,
  revision: number,
  name: string | null,
): Promise<void> {
  await withSession(db, writer, async (tx) => {
    await wholeRow(tx, writer, id)
    const { rows } = await tx.query<{ named: boolean }>('select app.name_revision($1, $2, $3) as named', [
      id,
      revision,
      name,
    ])
    if (!rows[0]!.named) throw noSuchRevision()
  })
}

/** In one transaction: some tenths of a second, which is as long as giving a name waits. */
const packedAtOnce = 100

/** Of saves older than a day the last of each ten minutes is kept, and they are packed together (`app.pack_history`). */
export async function packHistory(db: Database, signal: AbortSignal): Promise<void> {
  for (let packed = packedAtOnce; packed === packedAtOnce && !signal.aborted; ) {
    const [row] = await db.run<{ packed: number }>({
      text: 'select app.pack_history($1) as packed',
      values: [packedAtOnce],
    })
    packed = row!.packed
  }
}
