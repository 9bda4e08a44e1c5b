import { createPublicKey, verify } from 'node:crypto'
import { isAboutAddress } from '#features/emails/transport.ts'
import { jsonIn, notTheirs, type Provider, type ProviderReport, requireRecent, textAt } from './provider.ts'

/** SendGrid signs the time and the body (ECDSA, P-256 and SHA-256). `key` is the verification key as it shows it. */
export const sendgrid = (key: string): Provider => {
  const publicKey = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' })
  return async ({ body, header }) => {
    const timestamp = header('x-twilio-email-event-webhook-timestamp') ?? ''
    const signature = Buffer.from(header('x-twilio-email-event-webhook-signature') ?? '', 'base64')
    const signed = Buffer.concat([Buffer.from(timestamp), body])
    if (timestamp === '' || !verify('sha256', signed, publicKey, signature)) throw notTheirs()
    requireRecent(Number(timestamp) * 1000)
    const events = jsonIn(body.toString())
    return (Array.isArray(events) ? events : []).flatMap((event: unknown) => {
      const [kind, id] = [kindOf(event), textAt(event, 'sg_event_id')]
      // The Message-ID that we gave it.
      return kind === undefined || id === undefined ? [] : [{ id, kind, marks: [textAt(event, 'smtp-id')] }]
    })
  }
}

function kindOf(event: unknown): ProviderReport['kind'] | undefined {
  const [name, type, reason = ''] = [textAt(event, 'event'), textAt(event, 'type'), textAt(event, 'reason')]
  if (name === 'spamreport' || (name === 'dropped' && /^spam reporting address$/i.test(reason))) return 'complained'
  if (name === 'dropped') return /^(?:bounced address|invalid)$/i.test(reason) ? 'bounced' : undefined
  if (name !== 'bounce') return undefined
  // What is blocked is about us.
  return type !== 'blocked' && isAboutAddress(textAt(event, 'status') || undefined) ? 'bounced' : 'temporary'
}
