import { createHmac, timingSafeEqual } from 'node:crypto'
import { isAboutAddress } from '#features/emails/transport.ts'
import { jsonIn, notTheirs, type Provider, type ProviderReport, partOf, requireRecent, textAt } from './provider.ts'

/**
 * Mailgun signs a time and a token (HMAC-SHA256 with the webhook signing key), not the event beside them: a token counts once,
 * so nobody can send another event with it. Events of a subaccount are signed by the main account too.
 */
export const mailgun =
  (key: string): Provider =>
  async ({ body }) => {
    const sent = jsonIn(body.toString())
    const signature = partOf(sent, 'signature')
    const [timestamp = '', token = ''] = [textAt(signature, 'timestamp'), textAt(signature, 'token')]
    const expected = createHmac('sha256', key)
      .update(timestamp + token)
      .digest()
    const isSigned = ['signature', 'parent-signature'].some((name) => {
      const given = Buffer.from(textAt(signature, name) ?? '', 'hex')
      return given.length === expected.length && timingSafeEqual(given, expected)
    })
    if (token === '' || !isSigned) throw notTheirs()
    requireRecent(Number(timestamp) * 1000)
    const event = partOf(sent, 'event-data')
    const kind = kindOf(event)
    const headers = partOf(partOf(event, 'message'), 'headers')
    return kind === undefined
      ? []
      : [
          {
            id: token,
            kind,
            marks: [textAt(partOf(event, 'envelope'), 'sender'), textAt(headers, 'message-id')],
          },
        ]
  }

function kindOf(event: object): ProviderReport['kind'] | undefined {
  const [name, reason] = [textAt(event, 'event'), textAt(event, 'reason')]
  if (name === 'complained' || reason === 'suppress-complaint') return 'complained'
  // Mailgun tries again after what is temporary.
  if (name !== 'failed' || textAt(event, 'severity') !== 'permanent') return undefined
  const status = textAt(partOf(event, 'delivery-status'), 'enhanced-code') || undefined
  const isAbout = reason === 'suppress-bounce' || (reason === 'bounce' && isAboutAddress(status))
  return isAbout ? 'bounced' : 'temporary'
}
