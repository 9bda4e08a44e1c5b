import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { after, test } from 'node:test'
import { createFederation, generateCryptoKeyPair, MemoryKvStore } from '@fedify/fedify'
import {
  Accept,
  type Activity,
  Announce,
  Create,
  Delete,
  Endpoints,
  Follow,
  isActor,
  Person,
  Undo,
  Update,
} from '@fedify/fedify/vocab'
import { makePiece, publish, unpublish } from '../../testkit/factories.ts'
import { openFediverseSite, untilSent } from '../../testkit/fediverse-site.ts'
import { freePort } from '../../testkit/network.ts'
import { until } from '../../testkit/waiting.ts'

/** A server made with Fedify follows an author: what Ghost and others run, with nothing of ours. */

const port = await freePort()
const otherBase = `http://127.0.0.1:${port}`
const received: Activity[] = []
const keys = await generateCryptoKeyPair('RSASSA-PKCS1-v1_5')
const federation = createFederation<void>({ kv: new MemoryKvStore(), allowPrivateAddress: true })
federation
  .setActorDispatcher('/users/{identifier}', async (context, identifier) => {
    const [pair] = await context.getActorKeyPairs(identifier)
    return new Person({
      id: context.getActorUri(identifier),
      preferredUsername: identifier,
      inbox: context.getInboxUri(identifier),
      endpoints: new Endpoints({ sharedInbox: context.getInboxUri() }),
      publicKey: pair!.cryptographicKey,
    })
  })
  .setKeyPairsDispatcher(async () => [keys])
const take = async (_context: unknown, activity: Activity) => void received.push(activity)
federation
  .setInboxListeners('/users/{identifier}/inbox', '/inbox')
  .on(Accept, take)
  .on(Announce, take)
  .on(Create, take)
  .on(Update, take)
  .on(Delete, take)

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as [string, string])
  const answer = await federation.fetch(
    new Request(otherBase + request.url, {
      method: request.method!,
      headers,
      ...(request.method === 'POST' ? { body: new Uint8Array(Buffer.concat(chunks)) } : {}),
    }),
    { contextData: undefined },
  )
  response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(Buffer.from(await answer.arrayBuffer()))
}).listen(port, '127.0.0.1')
after(() => {
  server.closeAllConnections()
  server.close()
})

const site = await openFediverseSite(1, [`127.0.0.1:${port}`])
const { admin, ada, actor, base } = site
await site.work()

const types = () => received.map((activity) => activity.constructor.name)

test('a server made with Fedify finds an author, follows, gets each piece, its change and its end, and unfollows', async () => {
  const context = federation.createContext(new URL(otherBase), undefined)
  const author = await context.lookupObject(`${base}/fediverse/actors/${actor}`)
  assert.ok(isActor(author!))
  assert.equal(author.preferredUsername, 'ada')
  const follow = new Follow({
    id: new URL(`${otherBase}/follows/${randomUUID()}`),
    actor: context.getActorUri('bo'),
    object: author.id,
  })
  const send = (activity: Activity) => context.sendActivity({ identifier: 'bo' }, author, activity, { immediate: true })
  await send(follow)
  await until(() => received.length === 1, 'the follow is accepted')
  assert.equal(received[0]!.objectId?.href, follow.id?.href)

  const piece = await makePiece(admin, ada, { headline: 'For Bo' })
  await until(() => received.length === 2, 'the piece has arrived')
  assert.equal((await received[1]!.getObject())?.name, 'For Bo')
  await site.update(piece, { headline: 'For Bo, changed' })
  await until(() => received.length === 3, 'the change has arrived')
  await unpublish(admin, ada, piece)
  await until(() => received.length === 4, 'the end has arrived')
  await publish(admin, ada, piece)
  await until(() => received.length === 5, 'it is back')
  assert.deepEqual(types(), ['Accept', 'Create', 'Update', 'Delete', 'Create'])
  assert.notEqual(received[4]!.objectId?.href, received[1]!.objectId?.href)

  await send(new Undo({ id: new URL(`${follow.id}#undo`), actor: context.getActorUri('bo'), object: follow }))
  const followers = async () =>
    (await admin.query('select from app.fediverse_followers where actor_id = $1', [actor])).rowCount
  await until(async () => (await followers()) === 0, 'nobody follows')
  await makePiece(admin, ada)
  await untilSent(admin)
  assert.equal(received.length, 5)
})
