import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actorKeyContext } from '../../server/features/fediverse/keys.ts'
import { createReaderKeys } from '../../server/features/followers/keys.ts'
import { secretContext } from '../../server/features/websub/subscribe.ts'
import { createSealer, hashOf } from '../../server/platform/crypto.ts'
import { standfirst } from '../../testkit/cli.ts'
import { testDatabase } from '../../testkit/database.ts'
import { makePiece, makeWriter } from '../../testkit/factories.ts'
import { makeActor } from '../../testkit/fediverse-site.ts'
import { followSite, makeFollower, secretsKey, sendFollowForm } from '../../testkit/followers.ts'
import { testWorker } from '../../testkit/jobs.ts'
import { startMailbox } from '../../testkit/mailbox.ts'

const newKey = 'b1JqZ0pXc2t5d0RrUmFhVnhTbU5nTGZp'

test('a rotated SECRETS_KEY loses no reader, no subscriber of a feed and no actor of the fediverse: addresses, hashes, secrets, keys and what waits belong to the new key alone', async () => {
  const { url, admin } = await testDatabase()
  const site = followSite({ url, admin })
  const [waiting, later] = ['reader@one.test', 'reader@two.test']
  const reader = await makeFollower(site, later, 'site')
  await sendFollowForm(site, waiting, 'site')
  const key = hashOf('a topic and a callback')
  await admin.query(
    `insert into app.feed_subscriptions (key, topic, subject, callback, host, secret, expires_at)
     values ($1, 'https://site.test/feed.json', 'site', 'https://one.test/', 'one.test', $2, now() + interval '1 day')`,
    [key, createSealer([secretsKey]).seal('of a subscriber', secretContext(key))],
  )
  const actor = await makeActor(admin, null)
  const as = (SECRETS_KEY: string) => ({ DATABASE_URL: url, BASE_URL: 'http://localhost:8080', SECRETS_KEY })
  const { code, out } = await standfirst(as(`${newKey},${secretsKey}`), 'secrets', 'reseal')
  assert.equal(code, 0)
  assert.match(out, /^7 secrets re-encrypted\. The first key now encrypts 7 secrets\.\nThe old keys are no longer used/)
  const again = await standfirst(as(newKey), 'secrets', 'reseal')
  assert.match(again.out, /^0 secrets re-encrypted\. The first key now encrypts 7 secrets\.\n$/)
  const subscribed = (await admin.query('select secret from app.feed_subscriptions')).rows[0]
  assert.equal(createSealer([newKey]).open(subscribed.secret, secretContext(key)), 'of a subscriber')
  await admin.query('delete from app.feed_subscriptions')
  const kept = (await admin.query('select private_key from app.fediverse_actors')).rows[0]
  assert.match(createSealer([newKey]).open(kept.private_key, actorKeyContext(actor))!, /^-----BEGIN PRIVATE KEY-----/)

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
