import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { spawnCli, standfirst } from '../../../testkit/cli.ts'
import { testDatabase } from '../../../testkit/database.ts'
import { temporaryFolder } from '../../../testkit/files.ts'
import { followSite, readerKeys, readerWith, secretsKey, sendFollowForm } from '../../../testkit/followers.ts'
import { readBounce } from './bounces.ts'

/** Reports in the forms that mail servers and providers send. */

const id = '0198f0a2-7b1c-4c7e-9d2a-3f5b6c7d8e9f'

interface Failed {
  readonly to?: string
  readonly status?: string
  readonly action?: string
  readonly diagnostic?: string
  readonly unsubscribe?: string
}

const returnPath = (email = id) => `bounces+${readerKeys.returnToken(email)}@mail.site.test`

/** As Postfix writes it. */
const dsn = ({ to = returnPath(), status = '5.1.1', action = 'failed', diagnostic, unsubscribe }: Failed = {}) =>
  Buffer.from(
    `Return-Path: <>
Received: by mx.example.org (Postfix)
	id 4F2C81E0; Thu, 19 Nov 2026 03:00:00 +0000 (UTC)
Date: Thu, 19 Nov 2026 03:00:00 +0000 (UTC)
From: MAILER-DAEMON@mx.example.org (Mail Delivery System)
Subject: Undelivered Mail Returned to Sender
To: ${to}
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
	boundary="4F2C81E0.1763521200/mx.example.org"
Message-Id: <20261119030000.4F2C81E0@mx.example.org>

This is a MIME-encapsulated message.

--4F2C81E0.1763521200/mx.example.org
Content-Description: Notification
Content-Type: text/plain; charset=us-ascii

This is the mail system at host mx.example.org.

I'm sorry to have to inform you that your message could not
be delivered to one or more recipients. It's attached below.

--4F2C81E0.1763521200/mx.example.org
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.org
X-Postfix-Queue-ID: 4F2C81E0
Arrival-Date: Thu, 19 Nov 2026 02:59:59 +0000 (UTC)

Final-Recipient: rfc822; reader@example.org
Original-Recipient: rfc822;reader@example.org
Action: ${action}
Status: ${status}
Diagnostic-Code: smtp; ${
      diagnostic ??
      `550 ${status} <reader@example.org>: Recipient address
    rejected: User unknown`
    }

--4F2C81E0.1763521200/mx.example.org
Content-Description: Undelivered Message Headers
Content-Type: text/rfc822-headers

Return-Path: <post@mail.site.test>
From: Ada Okafor <post@mail.site.test>
To: reader@example.org
Subject: On tea
Message-ID: <${id}@mail.site.test>
${unsubscribe ? `List-Unsubscribe: <https://site.test/desk/following/stop/${unsubscribe}>` : 'Precedence: bulk'}

--4F2C81E0.1763521200/mx.example.org--
`.replaceAll('\n', '\r\n'),
  )

/** As a provider's feedback loop sends it, to an address that everybody may know. */
const complaint = (type: string, email = id) =>
  Buffer.from(`From: <feedback@provider.example>
To: <abuse@mail.site.test>
Subject: FW: On tea
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report; boundary="part"

--part
Content-Type: text/plain; charset="US-ASCII"

This is an email abuse report.
--part
Content-Type: message/feedback-report

Feedback-Type: ${type}
User-Agent: SomeGenerator/1.0
Version: 1

--part
Content-Type: message/rfc822
Content-Disposition: inline

Return-Path: <${returnPath(email)}>
From: <post@mail.site.test>
To: <redacted@provider.example>
Subject: On tea
Message-ID: <${email}@mail.site.test>

Tea.
--part--
`)

const read = (raw: Buffer | string) => readBounce(Buffer.from(raw), readerKeys)

describe('a report', () => {
  for (const [given, kind] of [
    [{}, 'bounced'],
    [{ status: '5.2.1' }, 'bounced'],
    [{ status: '5.0.0', diagnostic: '550 no mailbox here by that name' }, 'bounced'],
    [{ status: '5.0.0', diagnostic: '550-5.7.26 Your email has been blocked' }, 'temporary'],
    [{ status: '5.2.2' }, 'temporary'],
    [{ status: '5.7.1' }, 'temporary'],
    [{ status: '4.4.1' }, 'temporary'],
    [{ to: `Standfirst <${returnPath().toUpperCase()}>` }, 'bounced'],
    [{ to: 'post@mail.site.test', unsubscribe: readerKeys.emailToken(id) }, 'bounced'],
  ] as const)
    test(`of a failed delivery is ${kind} with ${JSON.stringify(given).slice(0, 60)}`, async () => {
      assert.deepEqual(await read(dsn(given)), { email: id, kind })
    })

  test('of a delay or a success, or an answer from a person, changes nothing', async () => {
    for (const action of ['delayed', 'delivered', 'relayed']) assert.equal(await read(dsn({ action })), undefined)
    assert.equal(await read(`To: ${returnPath()}\r\nSubject: Re: On tea\r\n\r\nI am on holiday. 5.1.1`), undefined)
    assert.equal(await read(''), undefined)
  })

  test('without a token of ours changes nothing, whatever Message-ID it names', async () => {
    assert.equal(await read(dsn({ to: 'post@mail.site.test' })), undefined)
    assert.equal(await read(dsn({ to: `bounces+${'0'.repeat(48)}@mail.site.test` })), undefined)
    assert.equal(await read(dsn({ to: 'x@y', unsubscribe: 'AZjwonsbTH6dKj9bbH2On0' })), undefined)
  })

  test('of spam is a complaint; of no spam it is none', async () => {
    assert.deepEqual(await read(complaint('abuse')), { email: id, kind: 'complained' })
    assert.equal(await read(complaint('not-spam')), undefined)
  })
})

describe('a reader whose email came back gets none any more', async () => {
  const { url, admin } = await testDatabase()
  const site = followSite({ url, admin })
  const env = { DATABASE_URL: url, BASE_URL: 'http://localhost:8080', SECRETS_KEY: secretsKey }
  const sendTo = async (address: string) => {
    await sendFollowForm(site, address, 'site')
    const reader = (await readerWith(site, address))!
    const { rows } = await admin.query('select id from app.reader_emails where reader_id = $1', [reader])
    const stateNow = async () =>
      (await admin.query('select suppressed_for from app.readers where id = $1', [reader])).rows[0].suppressed_for
    return { email: rows[0].id as string, stateNow }
  }

  test('by a pipe of a mail server, which keeps the message while the database is away', async () => {
    const { email, stateNow } = await sendTo('one@example.org')
    const pipe = async (settings: Readonly<Record<string, string>>) => {
      const child = spawnCli(settings, 'bounces')
      child.stdin!.end(dsn({ to: returnPath(email) }))
      const [code] = await once(child, 'exit')
      return code
    }
    assert.equal(await pipe({ ...env, DATABASE_URL: 'postgres://127.0.0.1:1/none' }), 75)
    assert.equal(await stateNow(), null)
    assert.equal(await pipe(env), 0)
    assert.equal(await stateNow(), 'bounced')
  })

  test('from a Maildir, where other messages are kept', async () => {
    const [gone, full, annoyed] = [await sendTo('two@a.org'), await sendTo('three@b.org'), await sendTo('four@c.org')]
    const folder = temporaryFolder()
    for (const part of ['new', 'cur', 'tmp']) await mkdir(join(folder, part))
    const messages = {
      gone: dsn({ to: returnPath(gone.email) }),
      full: dsn({ to: returnPath(full.email), status: '5.2.2' }),
      annoyed: complaint('abuse', annoyed.email),
      reply: 'From: reader@example.org\nSubject: Re: On tea\n\nThank you.\n',
    }
    for (const [name, content] of Object.entries(messages)) await writeFile(join(folder, 'new', name), content)
    const { code, out } = await standfirst(env, 'bounces', '--maildir', folder)
    assert.deepEqual([code, out], [0, '3 reports noted.\n'])
    assert.deepEqual([await readdir(join(folder, 'new')), await readdir(join(folder, 'cur'))], [[], ['reply:2,']])
    assert.deepEqual(
      [await gone.stateNow(), await full.stateNow(), await annoyed.stateNow()],
      ['bounced', null, 'complained'],
    )
  })
})
