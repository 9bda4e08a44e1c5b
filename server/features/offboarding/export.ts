import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Person } from '#features/accounts/session-user.ts'
import type { DeskContext } from '#platform/context.ts'
import type { Database, Transaction } from '#platform/db/database.ts'
import { ServiceError } from '#platform/errors.ts'
import type { MediaStore } from '#platform/media/store.ts'
import { largestZip, zip } from '#platform/zip.ts'
import { entriesOf } from './export-files.ts'

/** What an export needs: connections of its own, since one is held for as long as somebody downloads. */
export interface ExportContext extends DeskContext {
  readonly exportDb: Database
  readonly store: MediaStore | undefined
}

export interface Export {
  readonly archive: Readable
  /** Before it is packed; an estimate, for a bar that fills. */
  readonly totalBytes: number
}

/** Milliseconds: 4 GB at seven megabytes a second. There are two connections for all, and others wait. */
export const longestExport = 600_000

/** Everything of a person as one archive, written while it is read, from one moment's view of the site. */
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
      await pipeline(Readable.from(zip(whole(tx, person, { urls, store }))), archive, { signal })
    })
    // Before it began, a refusal; after that, a download that breaks off.
    writing.catch((error: Error) => {
      archive.destroy(error)
      reject(error)
    })
  })
}

/** To a session that ended meanwhile the rest would look like nothing: then the archive breaks off instead of ending. */
async function* whole(...[tx, person, taking]: Parameters<typeof entriesOf>): ReturnType<typeof entriesOf> {
  yield* entriesOf(tx, person, taking)
  await tx.query('select app.account_of($1)', [person.sessionHash])
}

/** Each text stands in two files, with some lines about it. */
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
  throw new ServiceError(
    409,
    'limit_reached',
    'All of it together is more than 4 GB, which is the most one archive holds. Write to the site: an operator exports it for you.',
  )
}
