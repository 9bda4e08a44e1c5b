import { isEmailAddress } from '#features/emails/mailer.ts'
import { message } from '#messages/message.ts'
import { ServiceError } from '#platform/errors.ts'
import { csvRows } from '#platform/text/csv.ts'
import { normalise } from '#platform/text/normalise.ts'
import { longestList } from './desk-schema.ts'
import { type Frequency, isFrequency } from './schema.ts'

/** A list of followers as a CSV file: our own export, those of Substack, Ghost and Mailchimp, and any with such columns. */

export interface ListedFollower {
  readonly address: string
  readonly frequency: Frequency
  /** When they agreed; undefined if the file does not say. */
  readonly consentedAt: Date | undefined
  /** To what or where they agreed, if the file says. No address is in it. */
  readonly consent: string
}

export interface FollowerFile {
  readonly followers: readonly ListedFollower[]
  /** Rows with anything in them. */
  readonly rows: number
  readonly malformed: number
  readonly repeated: number
  /** Those that the file itself has as unsubscribed or no longer there. */
  readonly ended: number
}

/** Names of columns in lower case, those that say it best first. */
const columns = {
  address: ['email', 'email address', 'email_address', 'e-mail', 'address', 'subscriber email'],
  // Ours has the time of consent in asked_at; Mailchimp's confirmation is the reader's own click.
  date: [
    ...['consented_at', 'consent date', 'consent_date', 'asked_at', 'confirm_time', 'optin_time', 'opt_in_time'],
    ...['subscribed_at', 'subscription date', 'start date', 'created_at', 'created at', 'date'],
  ],
  consent: ['consent', 'consent text', 'consent_text', 'text', 'source', 'subscription source'],
  frequency: ['frequency'],
  /** Substack and Ghost: whether they get emails. */
  wanted: ['subscribed_to_emails', 'subscribed'],
  unwanted: ['email_disabled', 'unsubscribed'],
  /** Times at which it ended. */
  ended: ['deleted_at', 'unsubscribed_at', 'unsub_time', 'clean_time'],
}
type Column = keyof typeof columns

const mostColumns = 200

/** Throws for what is no such file. */
export function readFollowerFile(bytes: Buffer): FollowerFile {
  const text = textOf(bytes)
  const rows = csvRows(text, separatorOf(text))
  const { value: names = [] }: { value?: string[] } = rows.next()
  const head = names.map((name) => name.trim().toLowerCase())
  const places = Object.entries(columns).map(([column, names]) => [
    column,
    names.map((name) => head.indexOf(name)).filter((at) => at >= 0),
  ])
  const placesOf: Readonly<Record<Column, readonly number[]>> = Object.fromEntries(places)
  if (placesOf.address.length === 0 || head.length > mostColumns) throw problem('no_addresses')

  const followers = new Map<string, ListedFollower>()
  const counts = { rows: 0, malformed: 0, repeated: 0, ended: 0 }
  for (const row of rows) {
    if (row.every((cell) => cell.trim() === '')) continue
    counts.rows += 1
    if (counts.rows > longestList) throw tooMany()
    const cell = (column: Column): string =>
      placesOf[column].map((at) => plainCell(row[at] ?? '')).find((one) => one !== '') ?? ''
    const address = normalise(cell('address')).trim()
    const known = followers.has(address.toLowerCase())
    if (!isEmailAddress(address) || address.length > 254) counts.malformed += 1
    else if (known) counts.repeated += 1
    else if (/^(?:false|no|0)$/i.test(cell('wanted')) || /^(?:true|yes|1)$/i.test(cell('unwanted')) || cell('ended'))
      counts.ended += 1
    else followers.set(address.toLowerCase(), { address, ...consentIn(cell) })
  }
  if (counts.rows === 0) throw problem('no_rows')
  return { followers: [...followers.values()], ...counts }
}

function consentIn(cell: (column: Column) => string): Omit<ListedFollower, 'address'> {
  const frequency = cell('frequency')
  return {
    frequency: isFrequency(frequency) ? frequency : 'each',
    consentedAt: dateIn(cell('date')),
    consent: [...normalise(cell('consent')).replace(/\S+@\S+/g, '…')].slice(0, longestConsent).join(''),
  }
}

const longestConsent = 500

/** Our export has an apostrophe before what a spreadsheet would run as a formula. */
const plainCell = (cell: string): string => cell.trim().replace(/^'(?=[=+\-@\t\r])/, '')

/**
 * Only what everyone reads alike: 03/04/2024 is two days. Mailchimp's times have no zone and are those of UTC, within a day.
 */
function dateIn(cell: string): Date | undefined {
  const [, year, month, day, time = '00:00', zone = 'Z'] =
    /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(Z|UTC|[+-]\d\d:?\d\d)?)?$/.exec(cell) ?? []
  const at = new Date(`${year}-${month}-${day}T${time}${zone.replace('UTC', 'Z').replace(/(\d\d)(\d\d)$/, '$1:$2')}`)
  const isReal = new Date(`${year}-${month}-${day}T00:00Z`).getUTCDate() === Number(day)
  return isReal && at >= earliest && at.getTime() <= Date.now() ? at : undefined
}

/** Before there were lists by email. */
const earliest = new Date('1990-01-01')

/** UTF-8 or UTF-16, which spreadsheets call Unicode; anything else is read as they write it in Western Europe. */
function textOf(bytes: Buffer): string {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return decoded(bytes, 'utf-16le')
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return decoded(bytes, 'utf-16be')
  try {
    return decoded(bytes, 'utf-8')
  } catch {
    return decoded(bytes, 'windows-1252')
  }
}

function decoded(bytes: Buffer, encoding: string): string {
  const text = new TextDecoder(encoding, { fatal: encoding === 'utf-8' }).decode(bytes)
  if (text.includes('\0')) throw problem('no_addresses')
  return text
}

/** What is most often in the first line. */
function separatorOf(text: string): ',' | ';' | '\t' {
  const line = /^.*/.exec(text)![0].slice(0, 10_000)
  const count = (separator: string): number => line.split(separator).length
  return ([',', ';', '\t'] as const).reduce((best, one) => (count(one) > count(best) ? one : best))
}

const problem = (what: 'no_addresses' | 'no_rows') =>
  new ServiceError(400, 'validation_failed', message(`error.follower_import.${what}`))

const tooMany = () =>
  new ServiceError(400, 'validation_failed', message('error.follower_import.too_many_rows', { limit: longestList }))
