import type { DeskContext } from '#features/context.ts'
import { hashOf } from '#platform/crypto.ts'
import { hostOf, type Incoming, readActivity } from './activities.ts'
import { parsed, type RemoteActor, type RemoteActors } from './remote-actors.ts'
import { isSignedBy, readSignature, type SignedRequest } from './verify.ts'
import { acceptActivity } from './vocabulary.ts'

/**
 * What other servers send. What concerns nobody here is dropped before anything is fetched or verified; the rest is refused unless
 * the account that acts has signed it with a key that its own server shows.
 */

export interface InboxContext extends DeskContext {
  readonly actors: RemoteActors
}

/** `accepted` also means that there was nothing to do: servers try again what is refused. */
export type Received = 'accepted' | 'malformed' | 'unsigned' | 'blocked' | 'limit' | 'busy'

export async function receiveActivity(
  context: InboxContext,
  request: SignedRequest,
  network: string,
): Promise<Received> {
  const given = parsed(request.body)
  if (!given) return 'malformed'
  const activity = readActivity(given, context.urls)
  if (!activity) return 'accepted'
  const signature = readSignature(request)
  const server = activity === 'refused' ? undefined : hostOf(activity.actor)
  if (activity === 'refused' || !signature || hostOf(signature.keyId) !== server) return 'unsigned'

  const admitted = await admit(context, activity, server, network)
  if (admitted === 'blocked') return 'blocked'
  if (admitted === 'network' || admitted === 'server') return 'limit'
  if (admitted !== 'new') return 'accepted'

  const as = 'target' in activity.act ? activity.act.target : undefined
  let fetched = await context.actors.get(activity.actor, as)
  const isSigned = ({ keys }: RemoteActor) => isSignedBy(request, signature, activity.actor, keys)
  if (typeof fetched === 'object' && fetched.isKept && !(await isSigned(fetched.actor)))
    // Its key may be a new one.
    fetched = await context.actors.get(activity.actor, as, true)
  if (fetched === 'busy') return 'busy'
  // Nobody can sign any more for an account that was deleted, but its server says so itself.
  if (fetched === 'gone' && activity.act.kind === 'delete_actor') return receive(context, activity, server)
  if (typeof fetched !== 'object' || !(await isSigned(fetched.actor))) return 'unsigned'
  return receive(context, activity, server, fetched.actor)
}

async function admit(
  { db }: InboxContext,
  { id, actor, act }: Incoming,
  server: string,
  network: string,
): Promise<'new' | 'known' | 'nobody' | 'blocked' | 'network' | 'server'> {
  const [row] = await db.run<{ outcome: Awaited<ReturnType<typeof admit>> }>({
    text: 'select app.admit_fediverse_activity($1, $2, $3, $4, $5) as outcome',
    values: [server, network, hashOf(id), hashOf(actor), act.kind],
  })
  return row!.outcome
}

async function receive(
  { db, urls }: InboxContext,
  { id, actor, act }: Incoming,
  server: string,
  from?: RemoteActor,
): Promise<Received> {
  const target = 'target' in act ? act.target : 'piece' in act ? act.piece : null
  // The activity's own id is given when it is ordered.
  const { id: _, ...accept } =
    act.kind === 'follow' ? acceptActivity({ id: '', actor: act.target }, { id, follower: actor }, urls) : { id: '' }
  const [row] = await db.run<{ outcome: 'received' | 'known' | 'nobody' | 'blocked' | 'server' }>({
    text: 'select app.receive_fediverse_activity($1, $2, $3, $4, $5, $6, $7, $8, $9) as outcome',
    values: [
      hashOf(id),
      server,
      act.kind,
      actor,
      target,
      'object' in act ? hashOf(act.object) : null,
      from?.inbox ?? null,
      from?.sharedInbox ?? null,
      act.kind === 'follow' ? JSON.stringify(accept) : null,
    ],
  })
  const { outcome } = row!
  if (outcome === 'server') return 'limit'
  return outcome === 'blocked' ? 'blocked' : 'accepted'
}
