import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHmac, generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { mailgun } from '../../server/features/followers/providers/mailgun.ts'
import type { Provider, ProviderRequest } from '../../server/features/followers/providers/provider.ts'
import { sendgrid } from '../../server/features/followers/providers/sendgrid.ts'
import { ses } from '../../server/features/followers/providers/ses.ts'
import { ServiceError } from '../../server/platform/errors.ts'
import { testSite } from '../../testkit/app.ts'
import { makePiece, makeWriter } from '../../testkit/factories.ts'
import { temporaryFolder } from '../../testkit/files.ts'
import { followSite, makeFollower, readerKeys } from '../../testkit/followers.ts'

/** Webhooks of providers about emails that came back, signed as their documentation says. */

const login = 'standfirst:a-password-that-postmark-has'
const signingKey = 'key-of-mailgun-for-webhooks'
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const verification = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
const { url, admin, app } = await testSite({
  BOUNCE_POSTMARK_PASSWORD: login,
  BOUNCE_MAILGUN_KEY: signingKey,
  BOUNCE_SENDGRID_VERIFICATION: verification,
})
const site = followSite({ url, admin })
const ada = await makeWriter(admin, { slug: 'ada' })
await makePiece(admin, ada)

let count = 0

/** A reader and an email to them, with the marks it had. */
async function sent() {
  const reader = await makeFollower(site, `reader@domain-${++count}.test`, 'author/ada')
  const { rows } = await admin.query<{ id: string }>('select id from app.reader_emails where reader_id = $1', [reader])
  const { id } = rows[0]!
  return {
    id,
    token: readerKeys.returnToken(id),
    returnPath: `bounces+${readerKeys.returnToken(id)}@mail.site.test`,
    messageId: `${id}@site.test`,
    async suppressed(): Promise<string | null> {
      const found = await admin.query('select suppressed_for, bounces from app.readers where id = $1', [reader])
      return found.rows[0].suppressed_for ?? (found.rows[0].bounces > 0 ? `temporary ${found.rows[0].bounces}` : null)
    },
  }
}

const now = () => String(Math.floor(Date.now() / 1000))

const post = (provider: string, body: string | object, headers: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url: `/desk/bounces/${provider}`,
    headers: { 'content-type': 'application/json', ...headers },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  })

const basic = (of = login) => ({ authorization: `Basic ${Buffer.from(of).toString('base64')}` })
const postmarkEvent = (token: string, given: object = {}) => ({
  RecordType: 'Bounce',
  ID: ++count,
  Type: 'HardBounce',
  TypeCode: 1,
  MessageID: randomUUID(),
  Metadata: { email: token },
  Email: 'somebody@elsewhere.test',
  ...given,
})

const mailgunEvent = (
  event: object,
  { at = now(), token = randomBytes(25).toString('hex'), key = signingKey } = {},
) => ({
  signature: {
    timestamp: at,
    token,
    signature: createHmac('sha256', key)
      .update(at + token)
      .digest('hex'),
  },
  'event-data': event,
})
const failed = (sender: string, given: object = {}) => ({
  event: 'failed',
  severity: 'permanent',
  reason: 'bounce',
  'delivery-status': { code: 550, 'enhanced-code': '5.1.1' },
  envelope: { sender },
  message: { headers: { 'message-id': 'x@y.test' } },
  ...given,
})

const signedBySendgrid = (body: string, at = now(), key = privateKey) => ({
  'x-twilio-email-event-webhook-timestamp': at,
  'x-twilio-email-event-webhook-signature': sign('sha256', Buffer.from(at + body), key).toString('base64'),
})
const sendgridEvent = (messageId: string, given: object = {}) => ({
  email: 'somebody@elsewhere.test',
  timestamp: Number(now()),
  'smtp-id': `<${messageId}>`,
  event: 'bounce',
  type: 'bounce',
  status: '5.1.1',
  sg_event_id: randomUUID(),
  ...given,
})

describe('Postmark', () => {
  test('a hard bounce and a complaint end it at once, by the metadata of the email alone', async () => {
    const [gone, cross, other] = [await sent(), await sent(), await sent()]
    assert.equal((await post('postmark', postmarkEvent(gone.token), basic())).statusCode, 200)
    const complaint = { RecordType: 'SpamComplaint', Type: 'SpamComplaint' }
    assert.equal((await post('postmark', postmarkEvent(cross.token, complaint), basic())).statusCode, 200)
    await post('postmark', postmarkEvent('', { Email: 'reader@domain-3.test', MessageID: other.id }), basic())
    assert.deepEqual(
      [await gone.suppressed(), await cross.suppressed(), await other.suppressed()],
      ['bounced', 'complained', null],
    )
  })

  test('another login, none, and answers that are no bounce change nothing', async () => {
    const email = await sent()
    for (const headers of [{}, basic('standfirst:other'), basic(''), { authorization: login }])
      assert.equal((await post('postmark', postmarkEvent(email.token), headers)).statusCode, 403)
    for (const Type of ['AutoResponder', 'Blocked', 'constructor', 1])
      assert.equal((await post('postmark', postmarkEvent(email.token, { Type }), basic())).statusCode, 200)
    assert.equal(await email.suppressed(), null)
  })

  test('a temporary failure that is sent again counts once', async () => {
    const email = await sent()
    const event = postmarkEvent(email.token, { Type: 'SoftBounce' })
    for (let times = 0; times < 3; times += 1) await post('postmark', event, basic())
    assert.equal(await email.suppressed(), 'temporary 1')
    await post('postmark', { ...event, ID: ++count }, basic())
    assert.equal(await email.suppressed(), 'temporary 2')
  })
})

describe('Mailgun', () => {
  test('is known by its signature, in time, and names an email by its return path or Message-ID', async () => {
    const [one, two, three] = [await sent(), await sent(), await sent()]
    assert.equal((await post('mailgun', mailgunEvent(failed(one.returnPath)))).statusCode, 200)
    const byId = { message: { headers: { 'message-id': two.messageId } } }
    await post('mailgun', mailgunEvent(failed('', { ...byId, event: 'complained' })))
    const elsewhere = { message: { headers: { 'message-id': `${three.id}@elsewhere.test` } } }
    await post('mailgun', mailgunEvent(failed('', elsewhere)))
    assert.deepEqual(
      [await one.suppressed(), await two.suppressed(), await three.suppressed()],
      ['bounced', 'complained', null],
    )
  })

  test('a token counts once, whatever is sent with it; another key, an old signature and none are refused', async () => {
    const [one, two] = [await sent(), await sent()]
    const token = randomBytes(25).toString('hex')
    await post('mailgun', mailgunEvent(failed(one.returnPath, { reason: 'old' }), { token }))
    assert.equal((await post('mailgun', mailgunEvent(failed(two.returnPath), { token }))).statusCode, 200)
    const old = String(Number(now()) - 90_000)
    for (const event of [
      mailgunEvent(failed(two.returnPath), { key: 'another key of somebody' }),
      mailgunEvent(failed(two.returnPath), { at: old }),
      mailgunEvent(failed(two.returnPath), { at: 'soon' }),
      { 'event-data': failed(two.returnPath) },
      { signature: [], 'event-data': failed(two.returnPath) },
    ])
      assert.equal((await post('mailgun', event)).statusCode, 403)
    assert.deepEqual([await one.suppressed(), await two.suppressed()], ['temporary 1', null])
  })

  test('a refusal by a policy is about us, and that of a subaccount is signed by the main account', async () => {
    const request = (event: object): ProviderRequest => ({
      body: Buffer.from(JSON.stringify(event)),
      header: () => undefined,
    })
    const kindsOf = async (event: object) => (await mailgun(signingKey)(request(event))).map(({ kind }) => kind)
    const policy = { 'delivery-status': { code: 550, 'enhanced-code': '5.7.1' } }
    assert.deepEqual(await kindsOf(mailgunEvent(failed('', policy))), ['temporary'])
    assert.deepEqual(await kindsOf(mailgunEvent(failed('', { reason: 'old' }))), ['temporary'])
    assert.deepEqual(await kindsOf(mailgunEvent(failed('', { reason: 'suppress-bounce' }))), ['bounced'])
    assert.deepEqual(await kindsOf(mailgunEvent({ event: 'delivered' })), [])
    assert.deepEqual(await kindsOf(mailgunEvent(failed('', { severity: 'temporary' }))), [])
    const { signature, ...event } = mailgunEvent(failed(''))
    const parent = { ...signature, signature: 'aa', 'parent-signature': signature.signature }
    assert.deepEqual(await kindsOf({ signature: parent, ...event }), ['bounced'])
  })
})

describe('SendGrid', () => {
  test('events of one request are noted by Message-ID, each once', async () => {
    const [gone, blocked, cross] = [await sent(), await sent(), await sent()]
    const body = JSON.stringify([
      sendgridEvent(gone.messageId),
      sendgridEvent(blocked.messageId, { type: 'blocked' }),
      sendgridEvent(cross.messageId, { event: 'spamreport', type: undefined }),
      { event: 'open' },
      null,
    ])
    for (let times = 0; times < 2; times += 1)
      assert.equal((await post('sendgrid', body, signedBySendgrid(body))).statusCode, 200)
    assert.deepEqual(
      [await gone.suppressed(), await blocked.suppressed(), await cross.suppressed()],
      ['bounced', 'temporary 1', 'complained'],
    )
  })

  test('a changed body, another key, an old signature and none are refused', async () => {
    const email = await sent()
    const body = JSON.stringify([sendgridEvent(email.messageId)])
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
    for (const headers of [
      {},
      signedBySendgrid(`${body} `),
      signedBySendgrid(body, now(), other),
      signedBySendgrid(body, String(Number(now()) - 90_000)),
      { ...signedBySendgrid(body), 'x-twilio-email-event-webhook-timestamp': String(Number(now()) + 1) },
    ])
      assert.equal((await post('sendgrid', body, headers as Record<string, string>)).statusCode, 403)
    assert.equal(await email.suppressed(), null)
    const broken = '{'
    assert.equal((await post('sendgrid', broken, signedBySendgrid(broken))).statusCode, 400)
    assert.deepEqual(
      await sendgrid(verification)({
        body: Buffer.from('{}'),
        header: (name) => ({ ...signedBySendgrid('{}') })[name as never],
      }),
      [],
    )
  })
})

describe('Amazon SES', () => {
  const topic = 'arn:aws:sns:eu-west-1:123456789012:bounces'
  const host = 'https://sns.eu-west-1.amazonaws.com'
  const folder = temporaryFolder()
  const [keyFile, certificateFile] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const files = ['-keyout', keyFile, '-out', certificateFile]
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=sns.amazonaws.com', ...files],
    { stdio: 'ignore' },
  )
  const key = readFileSync(keyFile, 'utf8')

  /** What was asked for, answered as SNS does. */
  const asked: string[] = []
  const call = async (address: string) => {
    asked.push(address)
    return { status: 200, head: readFileSync(certificateFile) } as never
  }
  const provider: Provider = ses(topic, { call })

  const event = (given: object = {}, mail: object = {}) => ({
    notificationType: 'Bounce',
    bounce: { bounceType: 'Permanent', bounceSubType: 'General', bouncedRecipients: [{ status: '5.1.1' }] },
    mail: { source: `bounces+${readerKeys.returnToken(randomUUID())}@mail.site.test`, ...mail },
    ...given,
  })

  function message(given: Record<string, string> = {}, version: '1' | '2' = '2'): Record<string, string> {
    const fields: Record<string, string> = {
      Type: 'Notification',
      MessageId: randomUUID(),
      TopicArn: topic,
      Message: JSON.stringify(event()),
      Timestamp: new Date().toISOString(),
      ...given,
    }
    const signed = Object.keys(fields)
      .filter((name) => name !== 'SigningCertURL')
      .sort()
      .map((name) => `${name}\n${fields[name]}\n`)
      .join('')
    const algorithm = version === '1' ? 'RSA-SHA1' : 'RSA-SHA256'
    return {
      SigningCertURL: `${host}/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem`,
      ...fields,
      SignatureVersion: version,
      Signature: sign(algorithm, Buffer.from(signed), key).toString('base64'),
    }
  }
  const receive = (sentMessage: object) =>
    provider({ body: Buffer.from(JSON.stringify(sentMessage)), header: () => undefined })
  const kindOf = async (content: object) => (await receive(message({ Message: JSON.stringify(content) })))[0]?.kind

  test('both versions of the signature are known, and the certificate is fetched once', async () => {
    for (const version of ['1', '2'] as const) {
      const [report] = await receive(message({}, version))
      assert.equal(report?.kind, 'bounced')
      assert.match(report?.marks[0] ?? '', /^bounces\+[0-9a-f]{48}@/)
    }
    assert.equal((await receive(message({ Subject: 'Amazon SES' })))[0]?.kind, 'bounced')
    assert.deepEqual(asked, [`${host}/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem`])
    assert.deepEqual(await receive(message({ Message: 'Successfully validated SNS topic' })), [])
  })

  test('what is about the address ends it, policies and full mailboxes do not, complaints do', async () => {
    const bounce = (bounceType: string, status?: string) => ({
      bounce: { bounceType, bouncedRecipients: [status ? { status } : {}] },
    })
    assert.equal(await kindOf(event(bounce('Permanent'))), 'bounced')
    assert.equal(await kindOf(event(bounce('Permanent', '5.7.1'))), 'temporary')
    assert.equal(await kindOf(event(bounce('Transient', '5.1.1'))), 'temporary')
    assert.equal(
      await kindOf(event({ notificationType: undefined, eventType: 'Complaint', complaint: {} })),
      'complained',
    )
    const notSpam = { notificationType: 'Complaint', complaint: { complaintFeedbackType: 'not-spam' } }
    assert.equal(await kindOf(event(notSpam)), undefined)
    assert.equal(await kindOf(event({ notificationType: 'Delivery' })), undefined)
  })

  test('a subscription is confirmed at SNS alone', async () => {
    const confirmation = (SubscribeURL: string) =>
      message({ Type: 'SubscriptionConfirmation', Token: 'a token', SubscribeURL })
    const link = `${host}/?Action=ConfirmSubscription&TopicArn=${topic}&Token=a`
    assert.deepEqual(await receive(confirmation(link)), [])
    assert.equal(asked.at(-1), link)
    for (const address of [
      'https://evil.test/?Action=ConfirmSubscription&',
      `${host}:444/?Action=ConfirmSubscription&`,
      '',
    ])
      await assert.rejects(receive(confirmation(address)), ServiceError)
    assert.equal(asked.at(-1), link)
  })

  test('another topic, certificate, signature or time is refused, and nothing is fetched from anywhere else', async () => {
    const before = asked.length
    const pem = 'SimpleNotificationService-0123456789abcdef0123456789abcdef.pem'
    const changed = { ...message(), Message: JSON.stringify(event({ x: 1 })) }
    for (const one of [
      changed,
      message({ TopicArn: `${topic}2` }),
      message({ Timestamp: new Date(Date.now() - 90_000_000).toISOString() }),
      message({ Timestamp: 'soon' }),
      { ...message(), SignatureVersion: '3' },
      { ...message(), Signature: '' },
      message({ Type: 'Other' }),
      ...[
        `http://sns.eu-west-1.amazonaws.com/${pem}`,
        `https://sns.us-east-1.amazonaws.com/${pem}`,
        `https://sns.eu-west-1.amazonaws.com.evil.test/${pem}`,
        `https://sns.eu-west-1.amazonaws.com@evil.test/${pem}`,
        `https://evil.test/sns.eu-west-1.amazonaws.com/${pem}`,
        `${host}/other/${pem}`,
        `${host}/SimpleNotificationService-0.pem?x=.pem`,
        'file:///etc/passwd',
        '',
      ].map((SigningCertURL) => message({ SigningCertURL })),
    ])
      await assert.rejects(receive(one), (error: ServiceError) => error.status === 403)
    assert.equal(asked.length, before)
    await assert.rejects(provider({ body: Buffer.from('no json'), header: () => undefined }), ServiceError)
  })
})

test('a provider that is not set up has no address, and a cookie changes nothing', async () => {
  assert.equal((await post('ses', {})).statusCode, 404)
  const headers = { cookie: `__Host-desk=${ada.sessionToken}`, 'sec-fetch-site': 'same-origin' }
  for (const name of ['postmark', 'mailgun', 'sendgrid']) assert.equal((await post(name, {}, headers)).statusCode, 403)
  const { statusCode } = await post('postmark', 'x'.repeat(2 ** 20 + 1), basic())
  assert.equal(statusCode, 413)
})
