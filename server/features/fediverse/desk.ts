import { randomUUID } from 'node:crypto'
import { domainToASCII } from 'node:url'
import { type Person, type Writer, withSession } from '#features/accounts/sessions.ts'
import { purgedWithAuthor, tagsOfSiteActor } from '#features/cache-tags.ts'
import type { DeskContext } from '#features/context.ts'
import { enqueue } from '#features/jobs.ts'
import type { Sealer } from '#platform/crypto.ts'
import type { Transaction } from '#platform/db/database.ts'
import { invalid } from '#platform/errors.ts'
import { hasVisible, normalise } from '#platform/text/normalise.ts'
import type { OwnFediverse, SiteFediverse } from './desk-schema.ts'
import { actorKeyContext, makeActorKeys } from './keys.ts'
import { handleOf, siteUsername } from './reads.ts'

/** Writers switch their actor on and off, and moderators that of the site; moderators block servers. */

export interface FediverseDeskContext extends DeskContext {
  readonly sealer: Sealer
}

type State = Omit<OwnFediverse, 'ok'>

export const ownFediverse = ({ db, urls }: DeskContext, writer: Writer): Promise<OwnFediverse> =>
  withSession(db, writer, async (tx) => ({
    ok: true,
    ...(await stateOf(tx, false, handleOf(writer.writer.slug, urls))),
  }))

export async function switchOwn(context: FediverseDeskContext, writer: Writer, isOn: boolean): Promise<OwnFediverse> {
  await switchActor(context, writer, { isSite: false, isOn, tags: purgedWithAuthor(writer.writer.slug) })
  return ownFediverse(context, writer)
}

export const siteFediverse = ({ db, urls }: DeskContext, moderator: Person): Promise<SiteFediverse> =>
  withSession(db, moderator, async (tx) => {
    const site = await stateOf(tx, true, handleOf(siteUsername(urls), urls))
    const { rows } = await tx.query<{ host: string; reason: string | null; blocked_at: Date }>(
      'select host, reason, blocked_at from app.servers_blocked()',
    )
    const blocked = rows.map(({ blocked_at, ...row }) => ({ ...row, blocked_at: blocked_at.toISOString() }))
    return { ok: true, site, blocked }
  })

export const switchSite = (context: FediverseDeskContext, moderator: Person, isOn: boolean): Promise<void> =>
  switchActor(context, moderator, { isSite: true, isOn, tags: tagsOfSiteActor })

async function stateOf(tx: Transaction, isSite: boolean, address: string): Promise<State> {
  const { rows } = await tx.query<{ is_on: boolean; followers: number }>(
    'select is_on, followers from app.fediverse_of($1)',
    [isSite],
  )
  return { address, is_on: rows[0]?.is_on ?? false, followers: rows[0]?.followers ?? 0 }
}

async function switchActor(
  { db, sealer }: FediverseDeskContext,
  person: Person,
  { isSite, isOn, tags }: { readonly isSite: boolean; readonly isOn: boolean; readonly tags: readonly string[] },
): Promise<void> {
  const change = (made?: { readonly id: string; readonly publicKey: string; readonly sealed: Buffer }) =>
    withSession(db, person, async (tx) => {
      const { rows } = await tx.query<{ id: string | null }>('select app.set_fediverse($1, $2, $3, $4, $5) as id', [
        isSite,
        isOn,
        made?.id ?? null,
        made?.publicKey ?? null,
        made?.sealed ?? null,
      ])
      await enqueue(tx, 'cache.purge', { tags: [...tags] })
      return rows[0]!.id !== null
    })
  if ((await change()) || !isOn) return
  // Made outside of the transaction, and only once for each actor.
  const { publicKey, privateKey } = await makeActorKeys()
  const id = randomUUID()
  await change({ id, publicKey, sealed: sealer.seal(privateKey, actorKeyContext(id)) })
}

export async function blockServer(
  { db, urls }: DeskContext,
  moderator: Person,
  given: string,
  reason: string | null,
): Promise<void> {
  const host = readHost(given)
  const own = new URL(urls.base).hostname
  if (own === host || own.endsWith(`.${host}`)) throw invalid([{ ...hostProblem, detail: 'must not be this site' }])
  const words = reason !== null && hasVisible(reason) ? normalise(reason).trim() : null
  await withSession(db, moderator, (tx) => tx.query('select app.block_server($1, $2)', [host, words]))
}

export async function unblockServer({ db }: DeskContext, moderator: Person, given: string): Promise<void> {
  const host = readHost(given)
  await withSession(db, moderator, (tx) => tx.query('select app.unblock_server($1)', [host]))
}

const hostProblem = {
  pointer: '/host',
  code: 'malformed',
  detail: 'must be the name of a server, such as social.example, without https:// and port',
} as const

/** In ASCII, as addresses have it. */
function readHost(given: string): string {
  const host = domainToASCII(given.trim().toLowerCase().replace(/^@/, '').replace(/\.$/, ''))
  if (!/^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(host))
    throw invalid([hostProblem])
  return host
}
