import type { Config } from '#config/config.ts'
import { accountSecrets } from '#features/accounts/context.ts'
import { resealPasskeys } from '#features/accounts/passkeys.ts'
import { type KeyUse, keyUse, resealNext } from '#features/webhooks/secrets.ts'
import { createSealer } from '#platform/crypto.ts'
import { asOwner } from './command-support.ts'

/** `standfirst secrets reseal`: encrypts everything with the first key, so that former keys can be removed. */
export async function resealSecrets(config: Config): Promise<void> {
  const sealer = createSealer(config.SECRETS_KEY)
  const before = await asOwner(config, (owner) => keyUse(owner, sealer))
  let after: string | undefined = '00000000-0000-0000-0000-000000000000'
  while (after !== undefined) {
    const from: string = after
    // One transaction each, so that no webhook waits for all others.
    after = await asOwner(config, (owner) => resealNext(owner, sealer, from))
  }
  printResult(before, await asOwner(config, (owner) => keyUse(owner, sealer)))
}

function printResult(before: KeyUse, now: KeyUse): void {
  const formerly = (use: KeyUse): number => use.byKey.slice(1).reduce((total, count) => total + count, 0)
  console.log(`${formerly(before) - formerly(now)} secrets re-sealed. ${now.byKey[0]} are sealed with the first key.`)
  if (now.byOthers > 0)
    console.error(
      `${now.byOthers} were sealed with a key that is not in SECRETS_KEY. Add that key at the end and run this again; if it is lost, their writers must make new secrets.`,
    )
  if (formerly(now) > 0)
    console.error(
      `${formerly(now)} are still sealed with a former key: damaged, or made meanwhile by a process that has another first key. Restart all with this SECRETS_KEY and run this again.`,
    )
  else if (now.byKey.length > 1)
    console.log(
      'The former keys seal nothing any more. When every process has the first one in front, take them out and restart. Keep them as long as backups from before.',
    )
  if (now.byOthers + formerly(now) > 0) process.exitCode = 1
}

/** After a change of AUTH_SECRET: keeps existing passkeys working. */
export async function resealAllPasskeys(config: Config): Promise<void> {
  const count = await asOwner(config, (owner) => resealPasskeys(owner, accountSecrets(config.AUTH_SECRET)))
  console.log(`${count} passkeys answer to this AUTH_SECRET. Give every process the same one.`)
}
