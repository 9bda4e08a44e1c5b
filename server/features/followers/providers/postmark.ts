import { createHash, timingSafeEqual } from 'node:crypto'
import { jsonIn, notTheirs, type Provider, type ProviderReport, partOf, textAt } from './provider.ts'

/**
 * Postmark signs nothing: its webhooks are known by the name and password of basic authentication. It returns the metadata of an
 * email (`X-PM-Metadata-…`), and has a Message-ID of its own.
 */
export const metadataOf = (returnToken: string): Readonly<Record<string, string>> => ({
  'X-PM-Metadata-email': returnToken,
})

/** Other types are delays, answers, tests and policies, which say nothing about the address. */
const kinds: ReadonlyMap<string, ProviderReport['kind']> = new Map([
  ['HardBounce', 'bounced'],
  ['BadEmailAddress', 'bounced'],
  ['SpamComplaint', 'complained'],
  ['SoftBounce', 'temporary'],
])

/** `login` is `name:password`. */
export const postmark =
  (login: string): Provider =>
  async ({ body, header }) => {
    const expected = `Basic ${Buffer.from(login).toString('base64')}`
    if (!timingSafeEqual(digest(header('authorization') ?? ''), digest(expected))) throw notTheirs()
    const event = jsonIn(body.toString())
    const [record, id] = [textAt(event, 'RecordType'), textAt(event, 'ID')]
    const kind = kinds.get(textAt(event, 'Type') ?? '')
    if ((record !== 'Bounce' && record !== 'SpamComplaint') || kind === undefined || id === undefined) return []
    return [{ id: `${record} ${id}`, kind, marks: [textAt(partOf(event, 'Metadata'), 'email')] }]
  }

/** Of one length, to be compared in constant time. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
