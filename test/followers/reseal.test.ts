import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createReaderKeys } from '../../server/features/followers/keys.ts'
import { standfirst } from '../../testkit/cli.ts'
import { testDatabase } from '../../testkit/database.ts'
import { makePiece, makeWriter } from '../../testkit/factories.ts'
import { followSite, makeFollower, secretsKey, sendFollowForm } from '../../testkit/followers.ts'
import { testWorker } from '../../testkit/jobs.ts'
import { startMailbox } from '../../testkit/mailbox.ts'

const newKey = 'b1JqZ0pXc2t5d0RrUmFhVnhTbU5nTGZp'

test('a rotated SECRETS_KEY loses no reader: addresses, hashes and what waits belong to the new key alone', async () => {
  const { url, admin } = await testDatabase()
  const site = followSite({ url, admin })
  const [waiting, later] = ['reader@one.test', 'reader@two.test']
  const reader = await makeFollower(site, later, 'site')
  await sendFollowForm(site, waiting, 'site')
  const as = (SECRETS_KEY: string) => ({ DATABASE_URL: url, BASE_URL: 'http://localhost:8080', SECRETS_KEY })
  const { code, out } = await standfirst(as(`${newKey},${secretsKey}`), 'secrets', 'reseal')
  assert.equal(code, 0)
  assert.match(out, /^5 secrets re-encrypted\. The first key now encrypts 5 secrets\.\nThe old keys are no longer used/)
  const again = await standfirst(as(newKey), 'secrets', 'reseal')
  assert.match(again.out, /^0 secrets re-encrypted\. The first key now encrypts 5 secrets\.\n$/)

  const keys = createReaderKeys([newKey])
  const { rows } = await admin.query('select * from app.readers where id = $1', [reader])
  assert.deepEqual(rows[0].address_hash, keys.addressHashes(later)[0])
  assert.deepEqual(rows[0].domain_hash, keys.domainHash(later))
  const follow = (
    await admin.query('select asked_from, confirmed_from from app.follows where reader_id = $1', [reader])
  ).rows[0]
  assert.match(keys.openNetwork(follow.asked_from)!, /^[\da-f-]{36}$/)
  assert.equal(keys.openNetwork(follow.confirmed_from), later)

  const mailbox = await startMailbox()
  await testWorker(url, { SECRETS_KEY: newKey, SMTP_URL: mailbox.url })
  await mailbox.waitForEmail(waiting)
  await makePiece(admin, await makeWriter(admin), { headline: 'After the rotation' })
  await mailbox.waitForEmail(later, /After the rotation/)
})
