import { createHash } from 'node:crypto'
import { message } from '#messages/message.ts'
import type { Database } from '#platform/db/database.ts'
import { ServiceError } from '#platform/errors.ts'
import type { Bounce } from '../bounces.ts'
import type { ReaderKeys } from '../keys.ts'

/**
 * Bounces and complaints that providers of outgoing email report by webhook. Each provider signs in its own way; what it says
 * counts only if that is right, and only for an email that it can name by something we sent with it.
 */

export interface ProviderRequest {
  readonly body: Buffer
  /** Undefined if it was not sent, or more than once. */
  header(name: string): string | undefined
}

export interface ProviderReport {
  /** The same where the provider sends it again. */
  readonly id: string
  readonly kind: Bounce['kind']
  /** Where a mark of ours can be: the return path, Message-ID, List-Unsubscribe, metadata. */
  readonly marks: readonly (string | undefined)[]
}

/** Throws for what is not of the provider. */
export type Provider = (request: ProviderRequest) => Promise<readonly ProviderReport[]>

export const notTheirs = () => new ServiceError(403, 'forbidden', message('error.bounces.signature'))

/** Milliseconds: providers try again for most of a day, with the signature of the first time. */
const oldest = 24 * 3600_000
const mostAhead = 600_000

/** A signature that is older could be someone's copy. */
export function requireRecent(at: number): void {
  const age = Date.now() - at
  if (!(age < oldest && age > -mostAhead)) throw notTheirs()
}

type Json = Readonly<Record<string, unknown>>

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null

/** Throws for anything but an object or a list of them. */
export function jsonIn(text: string): Json {
  try {
    const value: unknown = JSON.parse(text)
    if (isJson(value)) return value
  } catch {
    // As for any other value.
  }
  throw new ServiceError(400, 'validation_failed', message('error.bounces.not_json'))
}

/** The object at this name, empty if there is none. */
export const partOf = (value: unknown, name: string): Json => {
  const part = isJson(value) ? value[name] : undefined
  return isJson(part) ? part : {}
}

/** The text at this name, also of a number. */
export const textAt = (value: unknown, name: string): string | undefined => {
  const text = isJson(value) ? value[name] : undefined
  return typeof text === 'string' ? text : typeof text === 'number' ? String(text) : undefined
}

export const listAt = (value: unknown, name: string): readonly unknown[] => {
  const list = isJson(value) ? value[name] : undefined
  return Array.isArray(list) ? list : []
}

export interface ProviderContext {
  readonly db: Database
  readonly keys: ReaderKeys
  /** The domain of our Message-IDs. */
  readonly domain: string
}

/** Notes each report once, however often it is sent. Returns what was noted. */
export async function noteReports(
  { db, keys, domain }: ProviderContext,
  name: string,
  reports: readonly ProviderReport[],
): Promise<Bounce[]> {
  const noted: Bounce[] = []
  for (const { id, kind, marks } of reports) {
    const email = marks.map((mark) => (mark === undefined ? undefined : emailIn(mark, keys, domain))).find(Boolean)
    if (email === undefined) continue
    const report = createHash('sha256').update(`${name} ${id}`).digest()
    const [row] = await db.run<{ is_new: boolean }>({
      text: 'select app.note_provider_report($1, $2, $3) as is_new',
      values: [report, email, kind],
    })
    if (row!.is_new) noted.push({ email, kind })
  }
  return noted
}

function emailIn(mark: string, keys: ReaderKeys, domain: string): string | undefined {
  const [, returned = mark] = /\+([0-9a-f]{48})@/i.exec(mark) ?? []
  const [, id, of] = /^<?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@([^>\s]+)>?$/i.exec(mark) ?? []
  return (
    keys.emailOfReturn(returned) ??
    keys.emailOf(/\/([\w-]+)>/.exec(mark)?.[1] ?? '') ??
    (of?.toLowerCase() === domain.toLowerCase() ? id : undefined)
  )
}
