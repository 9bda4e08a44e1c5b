import { accountSecrets } from '#features/accounts/context.ts'
import { resealPasskeys } from '#features/accounts/passkey-seals.ts'
import type { Config } from '#platform/config.ts'
import { asOwner } from './as-owner.ts'

/** After a new AUTH_SECRET: the passkeys that the old one vouched for go on working. */
export async function reseal(config: Config): Promise<void> {
  const count = await asOwner(config, (owner) => resealPasskeys(owner, accountSecrets(config.AUTH_SECRET)))
  console.log(`${count} passkeys answer to this AUTH_SECRET. Give every process the same one.`)
}
