import { requireSession, type Writer, withSession } from '#features/accounts/sessions.ts'
import type { DeskContext } from '#features/context.ts'
import type { Transaction } from '#platform/db/database.ts'
import { invalid } from '#platform/errors.ts'
import { hasVisible, lengthOf, normalise } from '#platform/text/normalise.ts'
import { type DeskFollowers, longestWelcome } from './desk-schema.ts'
import type { FollowContext } from './follow.ts'
import { importsOf } from './imports.ts'

/** Who follows a writer, for that writer: as numbers, and as a list of addresses that is only ever downloaded. */

const shownDays = 90
const shownImports = 10

export function deskFollowers({ db }: DeskContext, writer: Writer): Promise<DeskFollowers> {
  return withSession(db, writer, async (tx) => {
    await requireSession(tx)
    const days = await followerDays(tx, shownDays)
    const imports = await importsOf(tx, shownImports)
    return { ok: true, total: days.at(-1)!.total, days, welcome: await welcomeOf(tx), imports }
  })
}

/** The last days of the signed-in writer, today last. */
export async function followerDays(tx: Transaction, count: number): Promise<DeskFollowers['days']> {
  const { rows } = await tx.query<DeskFollowers['days'][number]>(
    'select day::text, gained, lost, total from app.followers_by_day($1) order by 1',
    [count],
  )
  return rows
}

export async function welcomeOf(tx: Transaction): Promise<string | null> {
  const { rows } = await tx.query<{ text: string | null }>('select app.welcome_text() as text')
  return rows[0]!.text
}

/** Null or nothing visible removes it. Returns what is kept. */
export async function saveWelcome({ db }: DeskContext, writer: Writer, given: string | null): Promise<string | null> {
  const text = given !== null && hasVisible(given) ? normalise(given).trim() : null
  // A few characters become two when they are normalised.
  const actual = lengthOf(text ?? '')
  if (actual > longestWelcome) {
    const detail = `must have at most ${longestWelcome} characters`
    throw invalid([{ pointer: '/text', code: 'too_long', detail, limit: longestWelcome, actual }])
  }
  await withSession(db, writer, async (tx) => {
    await requireSession(tx)
    await tx.query('select app.set_welcome($1)', [text])
  })
  return text
}

interface FollowerRow {
  readonly reader_id: string
  readonly sealed_address: Buffer
  readonly frequency: string
  readonly confirmed_at: Date
  readonly asked_at: Date
  readonly consent: string
}

export interface FollowerList {
  /** RFC 4180. */
  readonly csv: string
  /** How many addresses were sealed with a key that is no longer set. */
  readonly unopened: number
}

const batch = 1000

/** Those who have confirmed, first one first. The database asks for a recent sign-in, and records it. */
export function exportFollowers({ db, keys }: FollowContext, writer: Writer): Promise<FollowerList> {
  return withSession(db, writer, async (tx) => {
    const lines = [csvLine(['email', 'frequency', 'confirmed_at', 'asked_at', 'consent'])]
    let unopened = 0
    await tx.query('declare followers no scroll cursor for select * from app.export_followers()')
    for (let count = batch; count === batch; ) {
      const { rows } = await tx.query<FollowerRow>(`fetch ${batch} from followers`)
      for (const { reader_id, sealed_address, frequency, confirmed_at, asked_at, consent } of rows) {
        const address = keys.openAddress(sealed_address, reader_id)
        if (address === undefined) unopened += 1
        else lines.push(csvLine([address, frequency, confirmed_at.toISOString(), asked_at.toISOString(), consent]))
      }
      count = rows.length
    }
    return { csv: lines.join(''), unopened }
  })
}

const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`

/** Spreadsheets run a cell that begins like a formula, unless an apostrophe is before it. */
function csvCell(text: string): string {
  const cell = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
