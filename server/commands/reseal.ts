import type pg from 'pg'
import type { Config } from '#config/config.ts'
import { accountSecrets } from '#features/accounts/context.ts'
import { resealPasskeys } from '#features/accounts/passkeys.ts'
import { resealActors } from '#features/fediverse/reseal.ts'
import { createReaderKeys } from '#features/followers/keys.ts'
import { keyUse, resealReaders } from '#features/followers/reseal.ts'
import { type KeyUse, resealNext } from '#features/webhooks/secrets.ts'
import { resealSubscribers } from '#features/websub/reseal.ts'
import { cliTranslator } from '#messages/cli.ts'
import { createSealer } from '#platform/crypto.ts'
import { asOwner } from './command-support.ts'

const t = cliTranslator()

/** `standfirst secrets reseal`: encrypts everything with the first key, so that former keys can be removed. */
export async function resealSecrets(config: Config): Promise<void> {
  const sealer = createSealer(config.SECRETS_KEY)
  const before = await asOwner(config, (owner) => keyUse(owner, sealer))
  const keys = createReaderKeys(config.SECRETS_KEY)
  await inBatches(config, (owner, after) => resealNext(owner, sealer, after))
  await inBatches(config, (owner, after) => resealReaders(owner, keys, after))
  for (const table of ['feed_verifications', 'feed_subscriptions'] as const)
    await inBatches(config, (owner, after) => resealSubscribers(owner, sealer, table, after))
  await inBatches(config, (owner, after) => resealActors(owner, sealer, after))
  printResult(before, await asOwner(config, (owner) => keyUse(owner, sealer)))
}

/** One transaction each, so that nothing waits for all others. */
async function inBatches(
  config: Config,
  next: (owner: pg.Client, after: string) => Promise<string | undefined>,
): Promise<void> {
  let after: string | undefined = '00000000-0000-0000-0000-000000000000'
  while (after !== undefined) {
    const from: string = after
    after = await asOwner(config, (owner) => next(owner, from))
  }
}

function printResult(before: KeyUse, now: KeyUse): void {
  const formerly = (use: KeyUse): number => use.byKey.slice(1).reduce((total, count) => total + count, 0)
  console.log(t('cli.secrets.resealed', { count: formerly(before) - formerly(now), total: now.byKey[0]! }))
  if (now.byOthers > 0) console.error(t('cli.secrets.unknown_key', { count: now.byOthers }))
  if (formerly(now) > 0) console.error(t('cli.secrets.old_key_left', { count: formerly(now) }))
  else if (now.byKey.length > 1) console.log(t('cli.secrets.old_keys_unused'))
  if (now.byOthers + formerly(now) > 0) process.exitCode = 1
}

/** After a change of AUTH_SECRET: keeps existing passkeys working. */
export async function resealAllPasskeys(config: Config): Promise<void> {
  const count = await asOwner(config, (owner) => resealPasskeys(owner, accountSecrets(config.AUTH_SECRET)))
  console.log(t('cli.passkeys.resealed', { count }))
}
