import { verify, X509Certificate } from 'node:crypto'
import { isAboutAddress } from '#features/emails/transport.ts'
import { createLru } from '#platform/lru.ts'
import type { Outbound } from '#platform/outbound/outbound.ts'
import {
  jsonIn,
  listAt,
  notTheirs,
  type Provider,
  type ProviderReport,
  partOf,
  requireRecent,
  textAt,
} from './provider.ts'

/**
 * Amazon SES reports by a topic of Amazon SNS, which signs each message (RSA) and names the address of its certificate. Only our
 * topic counts, and only a certificate of SNS in the region of that topic. A subscription is confirmed by visiting a link.
 */

const signedFields: ReadonlyMap<string, readonly string[]> = new Map([
  ['Notification', ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']],
  ['SubscriptionConfirmation', ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']],
  ['UnsubscribeConfirmation', ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type']],
])

/** By SignatureVersion. */
const algorithms: ReadonlyMap<string, string> = new Map([
  ['1', 'RSA-SHA1'],
  ['2', 'RSA-SHA256'],
])

/** More than a certificate has. */
const longestCertificate = 16_384

export const ses = (topic: string, outbound: Pick<Outbound, 'call'>): Provider => {
  const host = hostOf(topic)
  const certificates = createLru<X509Certificate>(160)
  const certificateAt = async (url: string): Promise<X509Certificate> => {
    const isTheirs = URL.canParse(url) && new URL(url).href.startsWith(`https://${host}/SimpleNotificationService-`)
    if (!isTheirs || !/\/SimpleNotificationService-[0-9a-f]+\.pem$/.test(url)) throw notTheirs()
    const known = certificates.get(url)
    if (known) return known
    const { status, head } = await outbound.call(url, { keep: longestCertificate })
    if (status !== 200) throw new Error(`the certificate of Amazon SNS was answered with ${status}`)
    const certificate = new X509Certificate(head)
    certificates.set(url, certificate, 10)
    return certificate
  }

  return async ({ body }) => {
    const message = jsonIn(body.toString())
    const [type = '', version = ''] = [textAt(message, 'Type'), textAt(message, 'SignatureVersion')]
    const [fields, algorithm] = [signedFields.get(type), algorithms.get(version)]
    if (!fields || !algorithm || textAt(message, 'TopicArn') !== topic) throw notTheirs()
    const { publicKey, validFromDate, validToDate } = await certificateAt(textAt(message, 'SigningCertURL') ?? '')
    const signed = fields.flatMap((name) => {
      const value = textAt(message, name)
      return value === undefined ? [] : [`${name}\n${value}\n`]
    })
    const signature = Buffer.from(textAt(message, 'Signature') ?? '', 'base64')
    const isValid = validFromDate.getTime() <= Date.now() && Date.now() <= validToDate.getTime()
    if (!isValid || !verify(algorithm, Buffer.from(signed.join('')), publicKey, signature)) throw notTheirs()
    requireRecent(Date.parse(textAt(message, 'Timestamp') ?? ''))
    if (type === 'SubscriptionConfirmation') await confirm(textAt(message, 'SubscribeURL') ?? '')
    return type === 'Notification' ? reportsIn(textAt(message, 'MessageId')!, textAt(message, 'Message') ?? '') : []
  }

  async function confirm(url: string): Promise<void> {
    if (!URL.canParse(url) || !new URL(url).href.startsWith(`https://${host}/?Action=ConfirmSubscription&`))
      throw notTheirs()
    const { status } = await outbound.call(url)
    if (status !== 200) throw new Error(`the subscription to Amazon SNS was answered with ${status}`)
  }
}

/** In the region of the topic, `arn:aws:sns:eu-west-1:123456789012:bounces`. */
function hostOf(topic: string): string {
  const [, partition, service, region = ''] = topic.split(':')
  if (service !== 'sns' || !/^[a-z0-9-]{5,30}$/.test(region)) throw new Error('not the ARN of an SNS topic')
  return `sns.${region}.amazonaws.com${partition === 'aws-cn' ? '.cn' : ''}`
}

/** `notificationType` of notifications, `eventType` of configuration sets. SES itself greets a new topic with plain text. */
function reportsIn(id: string, text: string): ProviderReport[] {
  if (!text.startsWith('{')) return []
  const event = jsonIn(text)
  const kind = kindOf(textAt(event, 'notificationType') ?? textAt(event, 'eventType'), event)
  const mail = partOf(event, 'mail')
  const headers = listAt(mail, 'headers').filter((header) =>
    /^(?:message-id|list-unsubscribe|return-path)$/i.test(textAt(header, 'name') ?? ''),
  )
  const marks = [textAt(mail, 'source'), ...headers.map((header) => textAt(header, 'value'))]
  return kind === undefined ? [] : [{ id, kind, marks }]
}

function kindOf(type: string | undefined, event: object): ProviderReport['kind'] | undefined {
  if (type === 'Complaint') {
    const feedback = textAt(partOf(event, 'complaint'), 'complaintFeedbackType')
    return feedback === 'not-spam' ? undefined : 'complained'
  }
  if (type !== 'Bounce') return undefined
  const bounce = partOf(event, 'bounce')
  const [recipient] = listAt(bounce, 'bouncedRecipients')
  const isFinal = textAt(bounce, 'bounceType') === 'Permanent' && isAboutAddress(textAt(recipient, 'status'))
  return isFinal ? 'bounced' : 'temporary'
}
