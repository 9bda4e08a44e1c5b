import { readdir, readFile, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { isAboutAddress } from '#features/emails/transport.ts'
import type { Database } from '#platform/db/database.ts'
import type { ReaderKeys } from './keys.ts'

/**
 * Emails that came back (RFC 3464), and complaints about spam (RFC 5965). Anyone can write such a message, so it counts only
 * with a token that went out with the email: in the address it came back to, or in the headers it returns.
 */

export interface Bounce {
  readonly email: string
  readonly kind: 'bounced' | 'temporary' | 'complained'
}

/** What a report is about is in its first part; it may have a whole email after it. */
const mostRead = 2 ** 20

export async function readBounce(raw: Buffer, keys: ReaderKeys): Promise<Bounce | undefined> {
  const message = await PostalMime.parse(raw.subarray(0, mostRead), {
    forceRfc822Attachments: true,
    attachmentEncoding: 'utf8',
  }).catch(() => undefined)
  if (message === undefined) return undefined
  const part = (type: RegExp): string | undefined =>
    message.attachments.find(({ mimeType }) => type.test(mimeType))?.content as string | undefined

  const kind = part(/^message\/feedback-report$/)
    ? complaintIn(part(/^message\/feedback-report$/)!)
    : failureIn(part(/^message\/(?:global-)?delivery-status$/) ?? '')
  if (kind === undefined) return undefined
  const addresses = message.headers.filter(({ key }) => recipientHeaders.includes(key)).map(({ value }) => value)
  const [returned] = groupsOf(part(/^(?:message\/(?:rfc822|global)|(?:text\/rfc822|message\/global)-headers)$/) ?? '')
  const email =
    returnTokenIn([...addresses, returned?.get('return-path') ?? ''], keys) ??
    keys.emailOf(/\/([\w-]+)>/.exec(returned?.get('list-unsubscribe') ?? '')?.[1] ?? '')
  return email === undefined ? undefined : { email, kind }
}

const recipientHeaders = ['to', 'delivered-to', 'x-original-to', 'envelope-to']

function returnTokenIn(addresses: readonly string[], keys: ReaderKeys): string | undefined {
  const tokens = addresses.flatMap((address) => [...address.matchAll(/\+([0-9a-f]{48})@/gi)].map(([, token]) => token!))
  return tokens.map((token) => keys.emailOfReturn(token)).find((email) => email !== undefined)
}

/** Other kinds of feedback, such as `not-spam`, are no complaint. */
function complaintIn(report: string): Bounce['kind'] | undefined {
  const [fields] = groupsOf(report)
  return ['abuse', 'fraud', 'virus', 'opt-out'].includes(fields?.get('feedback-type') ?? '') ? 'complained' : undefined
}

const statuses = /\b[245]\.\d{1,3}\.\d{1,3}\b/

/** After the first group, which is about the message, there is one for each recipient. Ours have one. */
function failureIn(report: string): Bounce['kind'] | undefined {
  const failed = groupsOf(report).find((fields) => fields.get('action') === 'failed')
  if (failed === undefined) return undefined
  const [status = '4.0.0'] = statuses.exec(failed.get('status') ?? '') ?? []
  // Exim says no more than 5.0.0, and quotes the server.
  const [exact = status] = status === '5.0.0' ? (statuses.exec(failed.get('diagnostic-code') ?? '') ?? []) : []
  return isAboutAddress(exact) ? 'bounced' : 'temporary'
}

/** Fields by name, in lower case, in the groups that empty lines make. */
const groupsOf = (text: string): ReadonlyMap<string, string>[] =>
  text
    .replace(/\r\n/g, '\n')
    .replace(/\n[ \t]+/g, ' ')
    .split(/\n{2,}/)
    .map((group) => {
      const fields = [...group.matchAll(/^([\w-]+):[ \t]*(.*?)[ \t]*$/gm)]
      return new Map(fields.map(([, name, value]) => [name!.toLowerCase(), fieldValue(name!, value!)]))
    })
    .filter(({ size }) => size > 0)

/** Keywords are the same in any case, and comments may follow; of tokens the case matters. */
const fieldValue = (name: string, value: string): string =>
  /^(?:action|feedback-type)$/i.test(name) ? value.replace(/\s.*/, '').toLowerCase() : value

/** Notes a message that came back. Undefined for anything but a report on an email of ours that failed. */
export async function noteReport(db: Database, keys: ReaderKeys, raw: Buffer): Promise<Bounce | undefined> {
  const bounce = await readBounce(raw, keys)
  if (bounce) await db.run({ text: 'select app.note_bounce($1, $2)', values: [bounce.email, bounce.kind] })
  return bounce
}

/**
 * Takes the new messages of a Maildir. Reports on our emails are noted and deleted; everything else goes to `cur`, where a
 * person finds it. Returns what was noted.
 */
export async function takeReports(db: Database, keys: ReaderKeys, folder: string): Promise<Bounce[]> {
  const taken: Bounce[] = []
  for (const name of await readdir(join(folder, 'new'))) {
    const path = join(folder, 'new', name)
    try {
      const bounce = await noteReport(db, keys, await readFile(path))
      if (bounce) taken.push(bounce)
      await (bounce ? unlink(path) : rename(path, join(folder, 'cur', `${name}:2,`)))
    } catch (error) {
      // Another process has taken it.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  return taken
}
