import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { createSealer } from '../../server/platform/crypto.ts'
import { standfirst } from '../../testkit/cli.ts'
import { openWebhookSite, type Subscriber, secretsKey } from '../../testkit/webhook-site.ts'

/** An operator rotates SECRETS_KEY without any action by writers. */

const { url, admin, subscribe, work } = await openWebhookSite({ works: false })
const [newKey, lostKey] = ['b1JqZ0pXc2t5d0RrUmFhVnhTbU5nTGZp', 'QmVydGhhIGRyaW5rcyB0ZWEgYXQgc2l4']
const as = (SECRETS_KEY: string) => ({ DATABASE_URL: url, BASE_URL: 'http://localhost:8080', SECRETS_KEY })
const reseal = (keys: string) => standfirst(as(keys), 'secrets', 'reseal')
const doctor = async (keys: string) => (await standfirst(as(keys), 'doctor')).out

/** More than one transaction handles, encrypted with the old key. */
async function manyOthers(count: number): Promise<void> {
  const sealer = createSealer([secretsKey])
  const ids = Array.from({ length: count }, () => randomUUID())
  await admin.query(
    `insert into app.writers (id, slug, name, search_text)
     select id, 'w-' || left(id::text, 30), 'Somebody', 'somebody' from unnest($1::uuid[]) as id`,
    [ids],
  )
  await admin.query(
    `insert into app.webhooks (writer_id, url, secret, secret_hint)
     select *, 'hint' from unnest($1::uuid[], $2::text[], $3::bytea[])`,
    [ids, ids.map(() => 'https://example.org/'), ids.map((id) => sealer.seal(`whsec_${id}`, id))],
  )
}

/** Checks that each secret verifies the newest delivery. */
function believed(one: Subscriber, ...secrets: string[]): boolean[] {
  const { body, headers } = one.received().at(-1)!
  return secrets.map((secret) => {
    try {
      return Boolean(new Webhook(secret).verify(body, headers as Record<string, string>))
    } catch {
      return false
    }
  })
}

test('after reseal the new key alone signs for everybody, with secrets of an overlap too', async () => {
  const worker = await work()
  const [plain, rotated] = [await subscribe(), await subscribe()]
  const second = (await rotated.desk.ask('POST', 'webhook/rotate', {})).json().secret as string
  await worker.stop()
  await manyOthers(1_100)

  assert.match(
    await doctor(`${newKey},${secretsKey}`),
    /! 1,103 secrets are encrypted with an old key in SECRETS_KEY.*reseal/,
  )
  const output = await reseal(`${newKey},${secretsKey}`)
  assert.deepEqual([output.code, output.error], [0, ''])
  assert.match(
    output.out,
    /^1,103 secrets re-encrypted\. The first key now encrypts 1,103 secrets\.\nThe old keys are no longer used/,
  )
  assert.match(await doctor(`${newKey},${secretsKey}`), /! The old keys in SECRETS_KEY are no longer used/)
  assert.match(await doctor(newKey), /✓ SECRETS_KEY decrypts all webhook secrets and followers’ addresses/)
  assert.match(await doctor(secretsKey), /✗ 1,103 secrets are encrypted with a key that is not in SECRETS_KEY/)

  await work({ SECRETS_KEY: newKey })
  for (const one of [plain, rotated]) {
    await one.publish()
    await one.until(({ state }) => state === 'delivered')
  }
  assert.deepEqual(believed(plain, plain.secret, rotated.secret), [true, false])
  assert.deepEqual(believed(rotated, rotated.secret, second), [true, true])
  const again = await reseal(newKey)
  assert.match(again.out, /^0 secrets re-encrypted\. The first key now encrypts 1,103 secrets\.\n$/)
})

test('what no key opens is counted and left as it is, and the command says so by its exit code', async () => {
  const [{ writer_id, secret }] = (
    await admin.query("select writer_id, secret from app.webhooks where url = 'https://example.org/' limit 1")
  ).rows
  const lost = createSealer([lostKey]).seal('whsec_lost', writer_id)
  await admin.query('update app.webhooks set secret = $2 where writer_id = $1', [writer_id, lost])
  const output = await reseal(newKey)
  assert.equal(output.code, 1)
  assert.match(output.error, /^1 secret is encrypted with a key that is not in SECRETS_KEY/)
  const { rows } = await admin.query('select secret from app.webhooks where writer_id = $1', [writer_id])
  assert.deepEqual(rows, [{ secret: lost }])
  assert.equal((await reseal(`${newKey},${lostKey}`)).code, 0)
  assert.notDeepEqual(secret, lost)
})
