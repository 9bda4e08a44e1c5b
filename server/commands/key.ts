import type { Config } from '#config/config.ts'
import { type ListedKey, listKeysAsOwner, mintKeyAsOwner, revokeKeyAsOwner } from '#features/keys/manage.ts'
import { defaultLifeDays, longestName, maxLifeDays, moreScopes, scopesOf } from '#features/keys/schema.ts'
import { hashOf } from '#platform/crypto.ts'
import { normaliseLineWithin } from '#platform/text/normalise.ts'
import { asOwner, CommandError } from './command-support.ts'

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
    throw new CommandError(`A key has a name of 1 to ${longestName} characters, so that you know it again.`)
  }
  if (given.days !== undefined && !(given.days >= 1 && given.days <= maxLifeDays)) {
    throw new CommandError(`A key lives 1 to ${maxLifeDays} days. Say --no-end for one that has no end.`)
  }
  const unknownScope = given.scope?.find((scope) => !moreScopes.some((one) => one === scope))
  if (unknownScope !== undefined) {
    throw new CommandError(`No scope is called "${unknownScope}". There are ${moreScopes.join(', ')}.`)
  }
  const expires = given.end ? new Date(Date.now() + (given.days ?? defaultLifeDays) * day) : null
  const minted = await asOwner(config, (owner) =>
    mintKeyAsOwner(owner, slug, name, expires, scopesOf(given.scope ?? [])),
  )
  if (!minted) throw new CommandError(`No writer has the slug ${slug}. standfirst writer list shows them all.`)
  console.log(minted.key)
  console.error('This is shown once. It makes drafts and cannot publish. Keep it on servers, out of web pages.')
}

export async function list(config: Config, slug: string | undefined): Promise<void> {
  const keys = await asOwner(config, (owner) => listKeysAsOwner(owner, slug ?? null))
  if (keys.length === 0) console.log('No keys yet. Mint one: standfirst key mint <writer> --name "What it is for"')
  for (const key of keys)
    console.log(
      [key.id, key.writer, `${key.head}…${key.tail}`, key.name, key.scopes.join(' '), stateOf(key)].join('\t'),
    )
}

export async function revoke(config: Config, which: string): Promise<void> {
  const found = await asOwner(config, (owner) => revokeKeyAsOwner(owner, which, hashOf(which)))
  if (found === 0) throw new CommandError('No live key is called that. standfirst key list shows them all.')
  if (found > 1) {
    throw new CommandError(`${found} live keys begin like that, and none was revoked. Give an id: standfirst key list.`)
  }
  console.log('Revoked. It stops with its next request.')
}

function stateOf({ revoked_at: revoked, expires_at: expires, last_used_at: used }: ListedKey): string {
  if (revoked) return `revoked ${onDay(revoked)}`
  if (expires && expires.getTime() <= Date.now()) return `expired ${onDay(expires)}`
  const end = expires ? `, expires ${onDay(expires)}` : ''
  return used ? `last used ${onDay(used)}${end}` : `never used${end}`
}

const onDay = (time: Date): string => time.toISOString().slice(0, 10)
