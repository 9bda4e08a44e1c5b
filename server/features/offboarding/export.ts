import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Person } from '#features/accounts/sessions.ts'
import type { DeskContext } from '#features/context.ts'
import { message } from '#messages/message.ts'
import type { Database, Transaction } from '#platform/db/database.ts'
import { ServiceError } from '#platform/errors.ts'
import type { MediaStore } from '#platform/media/store.ts'
import { largestZip, zip } from '#platform/zip.ts'
import { exportFiles } from './export-files.ts'

/** Exports use separate connections, since each occupies one for the whole download. */
export interface ExportContext extends DeskContext {
  readonly exportDb: Database
  readonly store: MediaStore | undefined
}

export interface Export {
  readonly archive: Readable
  /** Estimated size before compression, for a progress bar. */
  readonly totalBytes: number
}

/** Milliseconds: 4 GB at 7 MB/s. There are two connections for all exports, and others wait. */
export const longestExport = 600_000

/** Streams all data of a person as one archive, from a single database snapshot. */
export function exportEverything(
  { exportDb, urls, store }: ExportContext,
  person: Person,
  longest: number = longestExport,
): Promise<Export> {
  const archive = new PassThrough()
  return new Promise((resolve, reject) => {
    const writing = exportDb.transaction({ 'app.session_hash': person.sessionHash }, async (tx) => {
      await tx.query('set transaction isolation level repeatable read, read only')
      const totalBytes = await sizeOf(tx, person)
      resolve({ archive, totalBytes })
      const signal = AbortSignal.timeout(longest)
      await pipeline(Readable.from(zip(withSessionCheck(tx, person, { urls, store }))), archive, { signal })
    })
    // Before the first byte this is an error response; after that, an aborted download.
    writing.catch((error: Error) => {
      archive.destroy(error)
      reject(error)
    })
  })
}

/** If the session ends during the export, row security hides the rest: abort instead of completing a partial archive. */
async function* withSessionCheck(
  ...[tx, person, sources]: Parameters<typeof exportFiles>
): ReturnType<typeof exportFiles> {
  yield* exportFiles(tx, person, sources)
  await tx.query('select app.account_of($1)', [person.sessionHash])
}

/** Each text is in two files, each with some metadata. */
async function sizeOf(tx: Transaction, { sessionHash }: Person): Promise<number> {
  const { rows } = await tx.query<{ bytes: string }>(
    `select 4000 + coalesce((select sum(m.bytes) from app.media_of($1) m), 0)
            + coalesce((select sum(400 + 900 * d.attempts) from app.deliveries d
                         where d.writer_id = (select app.session_writer())), 0)
            + coalesce(sum(2 * octet_length(p.body_md) + 1500 + coalesce(past.bytes, 0)), 0) as bytes
       from app.pieces p left join lateral (
              select sum(octet_length(r.body_md) + 500) as bytes from app.past_revisions r where r.piece_id = p.id
            ) past on true
      where p.writer_id = (select app.session_writer())`,
    [sessionHash],
  )
  const bytes = Number(rows[0]!.bytes)
  if (bytes <= largestZip) return bytes
  throw new ServiceError(409, 'limit_reached', message('error.export_too_large'))
}
