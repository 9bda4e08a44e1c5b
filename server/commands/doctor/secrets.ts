import type pg from 'pg'
import { keyUse } from '#features/webhooks/reseal.ts'
import type { Config } from '#platform/config.ts'
import { createSealer } from '#platform/encryption.ts'
import { bad, type Finding, good, odd } from './finding.ts'

/** Which keys of `SECRETS_KEY` are still needed. */
export async function sealedSecrets(client: pg.Client, { SECRETS_KEY }: Config): Promise<Finding[]> {
  await client.query('begin; set local role svc_owner')
  const { byKey, byOthers } = await keyUse(client, createSealer(SECRETS_KEY))
  await client.query('rollback')
  const [first = 0, ...former] = byKey
  const formerly = former.reduce((total, count) => total + count, 0)
  const unknown = bad(
    `${byOthers} secrets of webhooks were sealed with a key that is not in SECRETS_KEY: nothing is sent there. Add it, after the first and a comma.`,
  )
  if (byOthers > 0) return [unknown]
  if (former.length === 0) return [good('SECRETS_KEY opens every secret of a webhook.')]
  return [
    formerly > 0
      ? odd(
          `${formerly} secrets of webhooks are sealed with a former key of SECRETS_KEY (in its order: ${byKey.join(', ')}). Run: standfirst secrets reseal`,
        )
      : odd(
          `The former keys of SECRETS_KEY seal nothing any more: all ${first} secrets of webhooks are sealed with the first. Take them out.`,
        ),
  ]
}
