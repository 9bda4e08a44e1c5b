import type { ReaderEmailBacklog } from '#features/metrics.ts'
import type { Database } from '#platform/db/database.ts'

/** The queue of emails to readers in PostgreSQL: ordering what an announcement means, claiming what is due, recording results. */

export interface ClaimedEmail {
  readonly id: string
  readonly lease_token: string
  readonly reader_id: string
  readonly sealed_address: Buffer
  /** In which the reader sent the form. */
  readonly language: string
  readonly kind: 'confirm' | 'welcome' | 'piece' | 'daily' | 'weekly'
  /** Of an email about a new piece. */
  readonly piece_id: string | null
  /** Of a welcome. */
  readonly writer_id: string | null
  readonly attempts: number
  /** Seconds between when it was due and when it was claimed. */
  readonly late: number
}

/** What became of an email. The meaning of each outcome is in app.settle_reader_emails. */
export interface EmailResult {
  readonly id: string
  readonly token: string
  readonly outcome: 'sent' | 'later' | 'interrupted' | 'unsent' | 'refused' | 'cancelled' | 'failed'
  /** Seconds until an email that was not taken now is tried again; null to give up. */
  readonly wait: number | null
}

/** Readers for whom one statement orders emails: some 50 ms. */
const batch = 1000

/** Orders the next emails that new pieces mean. False if there are none to order. */
export async function expandAnnouncements(db: Database): Promise<boolean> {
  const [row] = await db.run<{ readers: number | null }>({
    text: 'select app.expand_announcements($1) as readers',
    values: [batch],
  })
  return row!.readers !== null
}

export const claimEmails = (db: Database, most: number): Promise<ClaimedEmail[]> =>
  db.run<ClaimedEmail>({ text: 'select * from app.claim_reader_emails($1)', values: [most] })

export async function settleEmails(db: Database, results: readonly EmailResult[]): Promise<void> {
  await db.run({ text: 'select app.settle_reader_emails($1)', values: [JSON.stringify(results)] })
}

export async function sweepReaders(db: Database): Promise<void> {
  await db.run({ text: 'select app.sweep_readers()' })
}

/** For metrics. */
export async function readerEmailFigures(db: Database): Promise<ReaderEmailBacklog> {
  const [row] = await db.run<ReaderEmailBacklog>({
    text: 'select waiting::integer, domains_ready::integer, announcements::integer from app.reader_email_figures()',
  })
  return row!
}
