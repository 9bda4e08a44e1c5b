import type { Config } from '#config/config.ts'
import { type ListedKey, listKeysAsOwner, mintKeyAsOwner, revokeKeyAsOwner } from '#features/keys/manage.ts'
import { defaultLifeDays, longestName, maxLifeDays, moreScopes, scopesOf } from '#features/keys/schema.ts'
import { cliTranslator } from '#messages/cli.ts'
import { hashOf } from '#platform/crypto.ts'
import { normaliseLineWithin } from '#platform/text/normalise.ts'
import { asOwner, CommandError } from './command-support.ts'

const t = cliTranslator()

const day = 86_400_000

export interface Mint {
  readonly name: string
  readonly days?: number
  /** Commander's form of --no-end. */
  readonly end: boolean
  readonly scope?: readonly string[]
}

export async function mint(config: Config, slug: string, given: Mint): Promise<void> {
  const name = normaliseLineWithin(given.name, longestName)
  if (!name || [...name].length > longestName) {
    throw new CommandError(t('cli.key.bad_name', { most: longestName }))
  }
  if (given.days !== undefined && !(given.days >= 1 && given.days <= maxLifeDays)) {
    throw new CommandError(t('cli.key.bad_days', { most: maxLifeDays, flag: '--no-end' }))
  }
  const unknownScope = given.scope?.find((scope) => !moreScopes.some((one) => one === scope))
  if (unknownScope !== undefined) {
    throw new CommandError(
      t('cli.key.unknown_scope', { scope: unknownScope, scopes: t.list(moreScopes, 'disjunction') }),
    )
  }
  const expires = given.end ? new Date(Date.now() + (given.days ?? defaultLifeDays) * day) : null
  const minted = await asOwner(config, (owner) =>
    mintKeyAsOwner(owner, slug, name, expires, scopesOf(given.scope ?? [])),
  )
  if (!minted) throw new CommandError(t('cli.writer.unknown', { slug, command: 'standfirst writer list' }))
  console.log(minted.key)
  console.error(t('cli.key.shown_once'))
}

export async function list(config: Config, slug: string | undefined): Promise<void> {
  const keys = await asOwner(config, (owner) => listKeysAsOwner(owner, slug ?? null))
  if (keys.length === 0)
    console.log(t('cli.key.none', { command: 'standfirst key mint <writer> --name "What it is for"' }))
  for (const key of keys)
    console.log(
      [key.id, key.writer, `${key.head}…${key.tail}`, key.name, key.scopes.join(' '), stateOf(key)].join('\t'),
    )
}

export async function revoke(config: Config, which: string): Promise<void> {
  const found = await asOwner(config, (owner) => revokeKeyAsOwner(owner, which, hashOf(which)))
  if (found === 0) throw new CommandError(t('cli.key.not_found', { command: 'standfirst key list' }))
  if (found > 1) throw new CommandError(t('cli.key.ambiguous', { count: found, command: 'standfirst key list' }))
  console.log(t('cli.key.revoked'))
}

function stateOf({ revoked_at: revoked, expires_at: expires, last_used_at: used }: ListedKey): string {
  if (revoked) return t('cli.key.state_revoked', { day: onDay(revoked) })
  if (expires && expires.getTime() <= Date.now()) return t('cli.key.state_expired', { day: onDay(expires) })
  const use = used ? t('cli.key.state_used', { day: onDay(used) }) : t('cli.key.state_unused')
  return expires ? `${use}, ${t('cli.key.state_expires', { day: onDay(expires) })}` : use
}

const onDay = (time: Date): string => time.toISOString().slice(0, 10)
