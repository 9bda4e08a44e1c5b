import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ServiceError } from '../../platform/errors.ts'
import { readFollowerFile } from './import-file.ts'

/** Lists of followers as services and spreadsheets write them. */

const read = (text: string | Buffer) => readFollowerFile(Buffer.from(text as string))
const addresses = (text: string | Buffer) => read(text).followers.map(({ address }) => address)
const counts = (text: string) => {
  const { followers, ...counted } = read(text)
  return { ...counted, left: followers.length }
}
const dateOf = (cell: string) =>
  read(`email,consent date\na@b.test,${cell}\n`).followers[0]!.consentedAt?.toISOString() ?? null

test('our own export is read as it was written, with the time of consent and without the apostrophe', () => {
  const { followers } = read(
    `email,frequency,confirmed_at,asked_at,consent\r\n'+two@list.test,weekly,2026-02-03T04:05:06.000Z,2026-02-01T00:00:00.000Z,"'=1+1, ""yes""\nand more"\r\n`,
  )
  assert.deepEqual(followers, [
    {
      address: '+two@list.test',
      frequency: 'weekly',
      consentedAt: new Date('2026-02-01T00:00:00Z'),
      consent: '=1+1, "yes"\nand more',
    },
  ])
})

test('exports of Substack, Ghost and Mailchimp are known by their columns, and who unsubscribed there is left out', () => {
  const substack =
    'email,active_subscription,expiry,plan,email_disabled,created_at,first_payment_at\none@a.test,false,,other,false,2023-05-06T07:08:09.123Z,\ntwo@a.test,false,,other,true,2023-05-06T07:08:09.123Z,\n'
  assert.equal(read(substack).followers[0]!.consentedAt?.toISOString(), '2023-05-06T07:08:09.123Z')
  const ghost =
    'id,email,name,note,subscribed_to_emails,complimentary_plan,stripe_customer_id,created_at,deleted_at,labels,tiers\n1,one@a.test,One,,true,,,2023-05-06T07:08:09.000Z,,,\n2,two@a.test,Two,,false,,,2023-05-06T07:08:09.000Z,,,\n3,three@a.test,,,true,,,2023-05-06T07:08:09.000Z,2024-01-01T00:00:00.000Z,,\n'
  assert.equal(read(ghost).followers[0]!.consentedAt?.toISOString(), '2023-05-06T07:08:09.000Z')
  const mailchimp =
    '"Email Address","First Name",MEMBER_RATING,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,UNSUB_TIME\none@a.test,One,2,,,"2023-05-06 07:08:09",\ntwo@a.test,Two,2,"2023-05-06 07:08:09",192.0.2.1,,\nthree@a.test,Three,2,,,"2023-05-06 07:08:09","2024-01-01 00:00:00"\n'
  assert.deepEqual(
    read(mailchimp).followers.map(({ consentedAt }) => consentedAt?.toISOString()),
    ['2023-05-06T07:08:09.000Z', '2023-05-06T07:08:09.000Z'],
  )
  for (const [text, ended] of [
    [substack, 1],
    [ghost, 2],
    [mailchimp, 1],
  ] as const)
    assert.equal(read(text).ended, ended)
})

test('encodings and separators of spreadsheets make no difference', () => {
  const text = 'E-Mail;Text\r\nzoë@käse.test;Grüße\r\n'
  const utf16 = Buffer.from(text, 'utf16le')
  for (const bytes of [
    Buffer.from(text),
    Buffer.from(`\uFEFF${text}`),
    Buffer.from(text, 'latin1'),
    utf16,
    Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]),
    Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(utf16).swap16()]),
    Buffer.from(text.replaceAll(';', '\t')),
    Buffer.from(text.replaceAll(';', ',')),
  ]) {
    const [one] = read(bytes).followers
    assert.deepEqual([one?.address, one?.consent], ['zoë@käse.test', 'Grüße'])
  }
})

test('rows are counted by what is wrong with them', () => {
  assert.deepEqual(
    counts(
      'email\na@b.test\nA@B.test\nnobody\n"two@b.test, three@b.test"\n\n  \nfour @b.test\n<script>@b.test\nc@b.test\n',
    ),
    { rows: 7, malformed: 4, repeated: 1, ended: 0, left: 2 },
  )
  assert.deepEqual(addresses(`email\n${'x'.repeat(65)}@b.test\n${'x'.repeat(60)}@${'b'.repeat(200)}.test\n`), [])
})

test('only dates that everyone reads alike are a date of consent', () => {
  assert.equal(dateOf('2024-02-29'), '2024-02-29T00:00:00.000Z')
  assert.equal(dateOf('2024-02-29T23:30:00+05:30'), '2024-02-29T18:00:00.000Z')
  assert.equal(dateOf('2024-02-29 23:30:00 +0530'), '2024-02-29T18:00:00.000Z')
  assert.equal(dateOf('2024-02-29 23:30:00 UTC'), '2024-02-29T23:30:00.000Z')
  for (const cell of ['', '03/04/2024', '2023-02-29', '2024-13-01', '9999-01-01', '1970-01-01', 'yes', '0000-00-00'])
    assert.equal(dateOf(cell), null, cell)
})

test('an address in the words of consent is not kept', () => {
  assert.equal(
    read('email,consent\na@b.test,signed up as a@b.test on the site\n').followers[0]!.consent,
    'signed up as … on the site',
  )
})

test('a file that is no list says what to do', () => {
  const problemOf = (bytes: string | Buffer) => {
    try {
      read(bytes)
    } catch (error) {
      assert.ok(error instanceof ServiceError)
      assert.equal(error.status, 400)
      return error.message
    }
    return undefined
  }
  for (const bytes of ['', '\n\n', 'name,date\nAda,2024-01-01\n', Buffer.from('504b0304\0\0\0zip', 'latin1')])
    assert.match(problemOf(bytes) ?? '', /no column with email addresses/)
  assert.match(problemOf('email\n\n,\n') ?? '', /no addresses in this file/)
  assert.match(problemOf(`email\n${'a@b.test\n'.repeat(10_001)}`) ?? '', /at most 10,000 rows/)
  assert.match(problemOf(`email${','.repeat(300_000)}\na@b.test\n`) ?? '', /no column/)
})
