import type { Transaction } from '#platform/db/database.ts'
import { ServiceError } from '#platform/errors.ts'
import type { EditPieceBody } from './draft-schema.ts'
import { changesOf } from './normalize-input.ts'

/** Saving over what somebody else may have saved meanwhile. */

export const etagOf = (revision: number): string => `"${revision}"`
/** Of a draft that was just made. */
export const firstTag: string = etagOf(1)
export const revisionOf = (etag: string): number => Number(etag.slice(1, -1))

/** Refuses a change that was made from another revision than the one there is. */
export function demandRevision(ifMatch: string | undefined, revision: number, what = 'piece'): void {
  if (ifMatch === undefined) {
    throw new ServiceError(
      428,
      'precondition_required',
      `Send If-Match with the ETag of the ${what} as you read it, so that nobody else’s change is lost.`,
    )
  }
  // A proxy that packs answers makes their tags weak. The revision it names is the same.
  const tags = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  if (tags.includes('*') || tags.includes(etagOf(revision))) return
  throw new ServiceError(
    412,
    'precondition_failed',
    `The ${what} has changed since: it is at revision ${revision}. Read it again, then repeat your change.`,
    { headers: { etag: etagOf(revision) } },
  )
}

/** The database counts the revision and keeps it. False where it found no row to save: the credential ended a moment ago. */
export async function saveChanges(tx: Transaction, id: string, changes: EditPieceBody): Promise<boolean> {
  const columns = Object.entries(changesOf(changes))
  if (columns.length === 0) return true
  // Names of columns come from manuscript.ts, never from the request.
  const set = columns.map(([name], index) => `${name} = $${index + 2}`).join(', ')
  const { rowCount } = await tx.query(`update app.pieces set ${set} where id = $1`, [
    id,
    ...columns.map(([, value]) => value),
  ])
  return rowCount === 1
}

/** Into the trash; the database notes by whom. Answers with the revision that was deleted, or null as in saving. */
export async function deleteRow(tx: Transaction, id: string): Promise<number | null> {
  const { rows } = await tx.query<{ deleted: number | null }>('select app.delete_piece($1) as deleted', [id])
  return rows[0]!.deleted
}
