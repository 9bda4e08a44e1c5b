import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Organization, Person } from '@fedify/fedify/vocab'
import { testSite } from '../../testkit/app.ts'
import { deskOf, makeModerator } from '../../testkit/desk.ts'
import { makePiece, makeWriter } from '../../testkit/factories.ts'

/** What other servers read of us: WebFinger, actors, outboxes and pieces. */

const { admin, app } = await testSite({ SITE_NAME: 'The Site' })
const base = 'https://site.test'
const json = { accept: 'application/activity+json' }
const ask = (path: string, headers: Record<string, string> = json) =>
  app.inject({ url: path.replace(base, ''), headers })

const ada = await makeWriter(admin, { slug: 'ada', name: 'Ada Okafor', bio: 'Of tea.' })
const bo = await makeWriter(admin, { slug: 'bo', name: 'Bo' })
const piece = await makePiece(admin, ada, { headline: 'On tea', body_md: 'A cup of *tea*.', tags: ['Slow tea'] })
const ofBo = await makePiece(admin, bo, { headline: 'Of another' })
const desk = deskOf(app, ada)
const moderator = deskOf(app, await makeModerator(admin))

const switchOn = async (is_on = true) => {
  const answer = await desk.ask('PUT', 'fediverse', { is_on })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}
const finger = (resource: string) => ask(`/.well-known/webfinger?resource=${encodeURIComponent(resource)}`)
const actorOf = async (name: string): Promise<string> => {
  const answer = await finger(`acct:${name}@site.test`)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json().links[0].href
}
const loaders = {
  documentLoader: async (url: string): Promise<never> => {
    throw new Error(`fetches ${url}`)
  },
}

test('nobody is in the fediverse before they switch it on, and a page says nothing of it', async () => {
  assert.equal((await finger('acct:ada@site.test')).statusCode, 404)
  assert.equal((await ask(`/fediverse/pieces/${piece}`)).statusCode, 404)
  assert.doesNotMatch((await ask('/author/ada', { accept: 'text/html' })).body, /activity\+json/)
  assert.deepEqual((await desk.ask('GET', 'fediverse')).json(), {
    ok: true,
    address: 'ada@site.test',
    is_on: false,
    followers: 0,
  })
})

test('an author who switched it on is found by address and page, and read with the key', async () => {
  assert.equal((await switchOn()).is_on, true)
  const found = await finger('acct:ada@site.test')
  assert.match(String(found.headers['content-type']), /^application\/jrd\+json/)
  assert.equal(found.headers['access-control-allow-origin'], '*')
  const { subject, aliases } = found.json()
  assert.equal(subject, 'acct:ada@site.test')
  for (const other of ['ada@site.test', '@ada@SITE.test', ...aliases])
    assert.equal((await finger(other)).json().subject, subject, other)
  for (const other of [
    'acct:ada@other.test',
    'acct:eve@site.test',
    'https://site.test/author/eve',
    'x',
    `${aliases[0]}0`,
  ])
    assert.equal((await finger(other)).statusCode, 404, other)
  assert.equal((await ask('/.well-known/webfinger')).statusCode, 400)

  const actor = await actorOf('ada')
  const answer = await ask(actor)
  assert.match(String(answer.headers['content-type']), /^application\/activity\+json/)
  assert.match(String(answer.headers['surrogate-key']), /author-ada byline-ada/)
  const read = await Person.fromJsonLd(answer.json(), loaders)
  assert.equal(read.preferredUsername, 'ada')
  assert.equal((await read.getPublicKey(loaders))?.ownerId?.href, actor)
  assert.equal((await ask(`${actor}/followers`)).json().totalItems, 0)
})

test('a browser is sent to the page, which names what it is of in the fediverse', async () => {
  const actor = await actorOf('ada')
  const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
  const answer = await ask(actor, html)
  assert.deepEqual([answer.statusCode, answer.headers['location']], [303, `${base}/author/ada`])
  assert.match(String(answer.headers['vary']), /Accept/)
  const page = await ask('/author/ada', html)
  assert.ok(page.body.includes(`<link rel="alternate" type="application/activity+json" href="${actor}">`))
  const object = `${base}/fediverse/pieces/${piece}`
  const { headers, statusCode } = await ask(object, html)
  assert.equal(statusCode, 303)
  const piecePage = await ask(String(headers['location']), html)
  assert.ok(piecePage.body.includes(`<link rel="alternate" type="application/activity+json" href="${object}">`))
  assert.match(String(piecePage.headers['link']), /rel="alternate"; type="application\/activity\+json"/)
})

test('the page with the ways to follow shows the address, of an author who has one', async () => {
  const page = await ask('/desk/follow/author/ada', { accept: 'text/html' })
  assert.ok(page.body.includes('<input id="handle" readonly dir="ltr" value="@ada@site.test">'), page.body)
  for (const other of ['author/bo', 'site'])
    assert.doesNotMatch((await ask(`/desk/follow/${other}`, { accept: 'text/html' })).body, /id="handle"/)
})

test('a piece is an article of its author, with the text that feeds have', async () => {
  const article = (await ask(`/fediverse/pieces/${piece}`)).json()
  assert.equal(article.type, 'Article')
  assert.equal(article.attributedTo, await actorOf('ada'))
  assert.equal(article.content, '<p>A cup of <em>tea</em>.</p>\n')
  assert.equal(article.tag[0].name, '#SlowTea')
  assert.equal((await ask(`/fediverse/pieces/${ofBo}`)).statusCode, 404)
})

test('the site has an actor too, which posts what authors without one wrote and shows the rest', async () => {
  assert.equal((await moderator.ask('PUT', 'fediverse/site', { is_on: true })).statusCode, 200)
  assert.equal((await desk.ask('PUT', 'fediverse/site', { is_on: true })).statusCode, 403)
  const site = await actorOf('site.test')
  const read = await Organization.fromJsonLd((await ask(site)).json(), loaders)
  assert.equal(String(read.name), 'The Site')
  assert.equal((await ask(`/fediverse/pieces/${ofBo}`)).json().attributedTo, site)
  const outbox = (await ask(`${site}/outbox`)).json()
  const first = await ask(outbox.first)
  const posted = new Map(
    first.json().orderedItems.map((item: { object: string; type: string }) => [item.object.slice(-36), item.type]),
  )
  assert.deepEqual([posted.get(piece), posted.get(ofBo)], ['Announce', 'Create'])
  const own = (await ask(`${await actorOf('ada')}/outbox?page=true`)).json()
  assert.deepEqual(
    own.orderedItems.map(({ type, object }: { type: string; object: string }) => [type, object]),
    [['Create', `${base}/fediverse/pieces/${piece}`]],
  )
})

test('what is unpublished is gone, and what never was public is not found', async () => {
  const draft = await desk.begin({ headline: 'Only a draft', body_md: 'x' })
  assert.equal((await ask(`/fediverse/pieces/${draft}`)).statusCode, 404)
  const short = await desk.begin({ headline: 'Soon gone', body_md: 'x' })
  assert.equal((await desk.act('publish', short)).statusCode, 200)
  assert.equal((await ask(`/fediverse/pieces/${short}`)).statusCode, 200)
  assert.equal((await desk.act('unpublish', short)).statusCode, 200)
  const answer = await ask(`/fediverse/pieces/${short}`)
  assert.equal(answer.statusCode, 410)
  assert.deepEqual([answer.json().type, answer.json().formerType], ['Tombstone', 'Article'])
  assert.equal(answer.headers['cache-control'], 'no-store')
})

test('a former slug is found and answers with the current one; the actor stays the same', async () => {
  const actor = await actorOf('ada')
  const renamed = await desk.ask('PUT', 'profile/slug', { slug: 'ada-okafor' })
  assert.equal(renamed.statusCode, 200, renamed.body)
  const former = (await finger('acct:ada@site.test')).json()
  assert.equal(former.subject, 'acct:ada-okafor@site.test')
  assert.equal(former.links[0].href, actor)
  assert.equal((await ask(actor)).json().preferredUsername, 'ada-okafor')
})

test('an actor that was switched off is gone, and comes back with its address and key', async () => {
  const actor = await actorOf('ada')
  const { publicKey } = (await ask(actor)).json()
  await switchOn(false)
  for (const path of ['', '/outbox', '/followers']) assert.equal((await ask(actor + path)).statusCode, 410, path)
  assert.equal((await finger('acct:ada@site.test')).statusCode, 404)
  await switchOn()
  assert.deepEqual((await ask(actor)).json().publicKey, publicKey)
})

test('other servers learn which software this is', async () => {
  const [link] = (await ask('/.well-known/nodeinfo')).json().links
  const info = (await ask(link.href)).json()
  assert.deepEqual(info.protocols, ['activitypub'])
  assert.match(info.software.name, /^[a-z0-9-]+$/)
})
