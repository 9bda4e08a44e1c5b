import { keysFor, type ListedKey, mintFor, revokeAny } from '#features/keys/operator.ts'
import { longestName } from '#features/keys/schema.ts'
import type { Config } from '#platform/config.ts'
import { hashOf } from '#platform/secret.ts'
import { normaliseLineWithin } from '#platform/text/normalise.ts'
import { CommandError } from './command-error.ts'
import { asOwner } from './owner.ts'

const day = 86_400_000

export async function mint(config: Config, slug: string, given: { name: string; days?: number }): Promise<void> {
  const name = normaliseLineWithin(given.name, longestName)
  if (!name || [...name].length > longestName) {
    throw new CommandError(`A key has a name of 1 to ${longestName} characters, so that you know it again.`)
  }
  const expires = given.days === undefined ? null : new Date(Date.now() + given.days * day)
  const minted = await asOwner(config, (owner) => mintFor(owner, slug, name, expires))
  if (!minted) throw new CommandError(`No writer has the slug ${slug}. standfirst writer list shows them all.`)
  console.log(minted.key)
  console.error('This is shown once. It makes drafts and cannot publish. Keep it on servers, out of web pages.')
}

export async function list(config: Config, slug: string | undefined): Promise<void> {
  const keys = await asOwner(config, (owner) => keysFor(owner, slug ?? null))
  if (keys.length === 0) console.log('No keys yet. Mint one: standfirst key mint <writer> --name "What it is for"')
  for (const key of keys)
    console.log([key.id, key.writer, `${key.head}…${key.tail}`, key.name, stateOf(key)].join('\t'))
}

export async function revoke(config: Config, which: string): Promise<void> {
  const revoked = await asOwner(config, (owner) => revokeAny(owner, which, hashOf(which)))
  if (revoked === 0) throw new CommandError('No live key is called that. standfirst key list shows them all.')
  console.log(revoked === 1 ? 'Revoked. It stops with its next request.' : `Revoked ${revoked} keys.`)
}

function stateOf({ revoked_at: revoked, expires_at: expires, last_used_at: used }: ListedKey): string {
  if (revoked) return `revoked ${onDay(revoked)}`
  if (expires && expires.getTime() <= Date.now()) return `expired ${onDay(expires)}`
  return used ? `last used ${onDay(used)}` : 'never used'
}

const onDay = (time: Date): string => time.toISOString().slice(0, 10)
