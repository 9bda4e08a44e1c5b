import { randomUUID } from 'node:crypto'
import type { DeskContext } from '#features/context.ts'
import { isEmailAddress } from '#features/emails/mailer.ts'
import { type FieldProblem, invalid } from '#platform/errors.ts'
import { normalise } from '#platform/text/normalise.ts'
import type { ReaderKeys } from './keys.ts'
import { type Follow, type FollowForm, type Frequency, isFrequency, type Subject } from './schema.ts'
import { subjectsOf } from './subjects.ts'

/** Following by email, without an account: nothing is followed before the address has confirmed it. */

export interface FollowContext extends DeskContext {
  readonly keys: ReaderKeys
}

/** Where a form was sent from: the page, the network, and the words and language it was shown in. */
export interface Asked {
  readonly page: string
  readonly network: string
  readonly consent: string
  readonly language: string
}

/** Throws all problems at once. */
export function readFollowForm({ email, frequency }: FollowForm): { email: string; frequency: Frequency } {
  const address = normalise(email).trim()
  const problems: FieldProblem[] = []
  if (!isEmailAddress(address) || address.length > 254) {
    problems.push({
      pointer: '/email',
      code: address === '' ? 'missing' : 'malformed',
      detail: 'must be an email address',
    })
  }
  if (!isFrequency(frequency)) {
    problems.push({ pointer: '/frequency', code: 'missing', detail: 'must be one of the choices' })
  }
  if (problems.length > 0) throw invalid(problems)
  return { email: address, frequency: frequency as Frequency }
}

/** Sends an email with a link that confirms, if the address may get one. Says nothing about the address. */
export async function askToFollow(
  { db, keys }: FollowContext,
  subject: Subject,
  { email, frequency }: { readonly email: string; readonly frequency: Frequency },
  { page, network, consent, language }: Asked,
): Promise<void> {
  const id = randomUUID()
  await db.run({
    text: 'select app.ask_to_follow($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)',
    values: [
      id,
      keys.addressHashes(email),
      keys.sealAddress(email, id),
      keys.domainHash(email),
      language,
      subject.key,
      frequency,
      page.slice(0, 500),
      consent,
      network,
      keys.sealNetwork(network),
    ],
  })
}

interface FollowRow {
  readonly subject: string
  readonly frequency: Frequency
  readonly confirmed_at: Date | null
}

/** What a reader follows, and what waits for their confirmation; without what is no longer public. */
export async function followsOf(context: Pick<FollowContext, 'db' | 'urls'>, reader: string): Promise<Follow[]> {
  const rows = await context.db.run<FollowRow>({ text: 'select * from app.follows_of($1)', values: [reader] })
  const subjects = await subjectsOf(
    context,
    rows.map(({ subject }) => subject),
  )
  const rowOf = new Map(rows.map((row) => [row.subject, row]))
  return subjects.map((subject) => {
    const { frequency, confirmed_at } = rowOf.get(subject.key)!
    return { subject, frequency, isConfirmed: confirmed_at !== null }
  })
}

/** Also whether that is something that is not public now. */
export async function followsAnything({ db }: Pick<FollowContext, 'db'>, reader: string): Promise<boolean> {
  return (await db.run({ text: 'select from app.follows_of($1) limit 1', values: [reader] })).length > 0
}

export async function confirmFollows({ db, keys }: FollowContext, reader: string, network: string): Promise<void> {
  await db.run({ text: 'select app.confirm_follows($1, $2)', values: [reader, keys.sealNetwork(network)] })
}

export async function setFrequency(
  { db }: FollowContext,
  reader: string,
  key: string,
  frequency: Frequency,
): Promise<void> {
  await db.run({ text: 'select app.set_follow_frequency($1, $2, $3)', values: [reader, key, frequency] })
}

/** Stops following one thing, or everything. */
export async function stopFollowing({ db }: FollowContext, reader: string, key?: string): Promise<void> {
  await db.run({
    text: 'select app.stop_following($1, $2)',
    values: [reader, key === undefined ? null : [key]],
  })
}

/** Stops following what an email was sent for. False if the email is not known any more. */
export async function stopEmail({ db }: FollowContext, email: string): Promise<boolean> {
  const [row] = await db.run<{ is_known: boolean }>({ text: 'select app.stop_email($1) as is_known', values: [email] })
  return row!.is_known
}
