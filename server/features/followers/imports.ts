import { createHash, randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type pg from 'pg'
import { requireSession, type Writer, withSession } from '#features/accounts/sessions.ts'
import { enqueue } from '#features/jobs.ts'
import type { Translator } from '#messages/translator.ts'
import type { Database, Transaction } from '#platform/db/database.ts'
import type { FollowerImport, ImportPreview } from './desk-schema.ts'
import type { FollowContext } from './follow.ts'
import { type ListedFollower, readFollowerFile } from './import-file.ts'

/** Followers from elsewhere: a file is read and previewed; once its writer states that these readers agreed, a job adds them. */

/** Rows that are sealed without a pause, some 20 ms. */
const sealedAtOnce = 500

/** Nobody is added yet. */
export async function uploadFollowers(
  { db, keys }: FollowContext,
  writer: Writer,
  file: Buffer,
  t: Translator,
): Promise<ImportPreview> {
  const { followers, rows, malformed, repeated, ended } = readFollowerFile(file)
  const statement = t('desk.followers.import_statement')
  const sealed: object[][] = []
  for (let from = 0; from < followers.length; from += sealedAtOnce) {
    sealed.push(followers.slice(from, from + sealedAtOnce).map((one, at) => sealedRow(one, from + at)))
    await setImmediate()
  }

  function sealedRow({ address, frequency, consentedAt, consent }: ListedFollower, position: number): object {
    const reader = randomUUID()
    return {
      position,
      reader,
      hashes: keys.addressHashes(address).map((hash) => hash.toString('hex')),
      sealed: keys.sealAddress(address, reader).toString('hex'),
      domain: keys.domainHash(address).toString('hex'),
      frequency,
      consented_at: consentedAt,
      consent: consent || statement,
    }
  }

  return withSession(db, writer, async (tx) => {
    await requireSession(tx)
    const hash = createHash('sha256').update(file).digest()
    const { rows: begun } = await tx.query<{ id: string }>(
      'select app.begin_follower_import($1, $2, $3, $4, $5, $6) as id',
      [hash, statement, rows, malformed, repeated, ended],
    )
    const { id } = begun[0]!
    for (const batch of sealed)
      await tx.query('select app.add_follower_import_rows($1, $2)', [id, JSON.stringify(batch)])
    const { rows: counted } = await tx.query<Pick<ImportPreview, 'added' | 'asked' | 'known' | 'ended'>>(
      'select added, asked, known, ended from app.preview_follower_import($1)',
      [id],
    )
    return { ok: true, id, statement, rows, malformed, repeated, ...counted[0]! }
  })
}

/** The writer agrees to the statement of the preview; a second time is the same. */
export async function agreeToImport(
  { db, keys }: FollowContext,
  writer: Writer,
  id: string,
  network: string,
): Promise<FollowerImport[]> {
  return withSession(db, writer, async (tx) => {
    await requireSession(tx)
    const { rows } = await tx.query<{ is_new: boolean }>('select app.agree_to_follower_import($1, $2, $3) as is_new', [
      id,
      network,
      keys.sealNetwork(network),
    ])
    if (rows[0]!.is_new) {
      const params = { at: new Date().toISOString() }
      await enqueue(tx, 'followers.import', { import: id })
      await enqueue(tx, 'mail', { to: { account: writer.accountId }, template: 'followers-imported', params })
    }
    return importsOf(tx, 1)
  })
}

/** Rows of a transaction of the job: some 100 ms. */
const rowsAtOnce = 200

/** The job. Goes on where it was interrupted. */
export async function applyImport(db: Database, { import: id }: { readonly import: string }, signal: AbortSignal) {
  for (let isLeft = true; isLeft; ) {
    signal.throwIfAborted()
    const [row] = await db.run<{ is_left: boolean }>({
      text: 'select app.apply_follower_import($1, $2) as is_left',
      values: [id, rowsAtOnce],
    })
    isLeft = row!.is_left
  }
}

/** Of the signed-in writer, the newest first. */
export async function importsOf(tx: Transaction, most: number): Promise<FollowerImport[]> {
  const { rows } = await tx.query<FollowerImport & { readonly agreed_at: Date }>(
    `select id, agreed_at, row_count as rows, added, asked, known, ended, malformed, repeated, over_limit, is_finished, is_stopped
       from app.follower_imports_of_writer($1)`,
    [most],
  )
  return rows.map((row) => ({ ...row, agreed_at: row.agreed_at.toISOString() }))
}

/** The record of what the writer agreed to, for their export. */
export async function importRecords(tx: Transaction): Promise<readonly object[]> {
  const { rows } = await tx.query<object>('select * from app.follower_imports_of_writer(null)')
  return rows
}

/**
 * For the operator: a writer's imported readers get emails again, and what comes back is counted from zero. False if they were
 * not stopped, undefined if there is no such writer.
 */
export async function resumeImports(owner: pg.ClientBase, slug: string): Promise<boolean | undefined> {
  const { rows } = await owner.query<{ id: string }>('select id from app.writers where slug = $1', [slug])
  if (!rows[0]) return undefined
  const { rowCount } = await owner.query(
    `update app.follower_imports set stopped_at = null, bounced = 0, complained = 0
      where writer_id = $1 and stopped_at is not null`,
    [rows[0].id],
  )
  return rowCount! > 0
}
