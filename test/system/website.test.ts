import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { testSite } from '../../testkit/app.ts'
import { type Desk, deskOf } from '../../testkit/desk.ts'
import { type MadeWriter, makePiece, makeWriter } from '../../testkit/factories.ts'
import { testWorker } from '../../testkit/jobs.ts'
import { serve } from '../../testkit/network.ts'
import { until } from '../../testkit/waiting.ts'
import { runInNamespace } from '../netns/namespace.ts'
import type { Looked } from '../netns/websites.ts'

/** A website is verified by a rel="me" link back or by a meta tag. */

type Answer = string | ((response: ServerResponse) => void)
const pages = new Map<string, Answer>()
const server = await serve(({ url: path = '' }, response) => {
  const page = pages.get(path)
  if (typeof page === 'function') return page(response)
  response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
})
const { port } = server
const site = `http://127.0.0.1:${port}`

const { url, admin, app } = await testSite()
await testWorker(url, { OUTBOUND_ALLOW: `127.0.0.1:${port}` })

const profileOf = async (desk: Desk) => (await desk.ask('GET', 'profile')).json().profile

/** As if half a minute had passed since it was last fetched. */
async function checked(desk: Desk) {
  await admin.query(
    "update app.website_checks set asked_at = asked_at - interval '30 seconds' where state <> 'waiting'",
  )
  const asked = await desk.ask('POST', 'profile/website/check')
  assert.equal(asked.statusCode, 202, asked.body)
  return until(async () => {
    const { website_check: check } = await profileOf(desk)
    return check.state !== 'waiting' && check
  }, 'the website was checked')
}

interface Owner {
  readonly writer: MadeWriter
  readonly desk: Desk
  readonly token: string
  readonly profile: string
}

let count = 0
/** A writer whose website answers with the given page. */
async function ownerOf(answer: (owner: Owner) => Answer): Promise<Owner & { path: string }> {
  count += 1
  const path = `/page-${count}`
  const writer = await makeWriter(admin, { website: `${site}${path}` })
  const desk = deskOf(app, writer)
  const { website_token: token, urls } = await profileOf(desk)
  const owner = { writer, desk, token, profile: urls.profile, path }
  pages.set(path, answer(owner))
  return owner
}

const isVerified = async ({ slug }: MadeWriter): Promise<boolean> =>
  (await app.inject(`/api/public/authors/${slug}`)).json().author.website_verified

describe('a proof is found', () => {
  const proofs: Record<string, [method: string, answer: (owner: Owner) => Answer]> = {
    'in a link': ['rel_me', ({ profile }) => `<p>Hello <a rel="me" href="${profile}">me</a>`],
    'among other words of rel, in any case and order': [
      'rel_me',
      ({ profile }) => `<A HREF='${profile}/' class=x REL='noopener ME'>`,
    ],
    'in a link of the head': ['rel_me', ({ profile }) => `<link rel=me href=${profile}?from=site#top>`],
    'with references for signs': [
      'rel_me',
      ({ profile }) => `<a rel="me" href="${profile.replaceAll('/', '&#x2F;').replace(':', '&colon;')}">`,
    ],
    'in a tag': ['meta', ({ token }) => `<meta name="standfirst-verification" content="${token}">`],
    'after a redirect within the website': [
      'meta',
      ({ token }) => {
        pages.set('/elsewhere-here', `<meta content=${token} name=Standfirst-Verification>`)
        return (response) => response.writeHead(301, { location: '/elsewhere-here' }).end()
      },
    ],
    'on a page that is broken in every other way': [
      'rel_me',
      ({ profile }) => `<<p < a="<!--" b='>'><!-- > --><a title="a > b" rel="me" href="${profile}"`,
    ],
  }
  for (const [where, [method, answer]] of Object.entries(proofs)) {
    test(where, async () => {
      const { desk, writer } = await ownerOf(answer)
      const check = await checked(desk)
      assert.deepEqual([check.state, check.method], ['proven', method], check.evidence)
      assert.match(check.evidence, /^http:\/\/127\.0\.0\.1/)
      assert.ok(check.checked_at && check.proven_at)
      assert.equal(await isVerified(writer), true)
    })
  }
})

describe('no proof is found', () => {
  const html = { 'content-type': 'text/html' }
  const failures: Record<string, [state: string, answer: (owner: Owner) => Answer]> = {
    'on a page without one': ['not_found', () => '<p>Hello'],
    'in a link that does not say me': ['not_found', ({ profile }) => `<a rel="friend meh" href="${profile}">`],
    'in a link to somebody else': ['not_found', ({ profile }) => `<a rel="me" href="${profile}-2">`],
    'in a link to the same path elsewhere': [
      'not_found',
      ({ profile }) => `<a rel="me" href="${profile.replace('site.test', 'evil.test')}">`,
    ],
    'in a comment': ['not_found', ({ profile }) => `<!-- <a rel="me" href="${profile}"> -->`],
    'in a script': ['not_found', ({ profile }) => `<script>'<a rel="me" href="${profile}">'</script>`],
    'in a text field': ['not_found', ({ profile }) => `<textarea><a rel="me" href="${profile}"></textarea>`],
    'in words': ['not_found', ({ profile }) => `&lt;a rel="me" href="${profile}"&gt; ${profile}`],
    'in a value': ['not_found', ({ profile }) => `<img alt='<a rel="me" href="${profile}">'>`],
    'in a tag with another’s token': ['not_found', () => '<meta name="standfirst-verification" content="x">'],
    'on a page that is gone': ['not_found', () => (response) => response.writeHead(410).end()],
    'in what is no page': [
      'not_found',
      ({ profile }) =>
        (response) =>
          response.writeHead(200, { 'content-type': 'text/plain' }).end(`<a rel="me" href="${profile}">`),
    ],
    'behind half a megabyte': [
      'not_found',
      ({ profile }) => `${'<p>Words.'.repeat(80_000)}<a rel="me" href="${profile}">`,
    ],
    'at another website that it leads to': [
      'not_found',
      () => (response) => response.writeHead(302, { location: 'https://bank.example/' }).end(),
    ],
    'where it leads on for ever': [
      'unreachable',
      () => (response) => response.writeHead(302, { location: `/${Math.random()}`, ...html }).end(),
    ],
    'where the server fails': ['unreachable', () => (response) => response.writeHead(500).end()],
    'where nobody answers': ['unreachable', () => (response) => response.destroy()],
  }
  for (const [where, [state, answer]] of Object.entries(failures)) {
    test(where, async () => {
      const { desk, writer, path } = await ownerOf(answer)
      if (where.includes('for ever')) {
        for (let n = 0; n < 6; n += 1) {
          pages.set(`${path}-${n}`, (response) => response.writeHead(302, { location: `${path}-${n + 1}` }).end())
        }
        pages.set(path, (response) => response.writeHead(302, { location: `${path}-0` }).end())
      }
      const check = await checked(desk)
      assert.deepEqual([check.state, check.method, check.proven_at], [state, null, null], check.evidence)
      assert.match(check.evidence, /^[A-Z].*\.$/s, 'a sentence that tells why')
      assert.equal(await isVerified(writer), false)
    })
  }
})

test('a website that answers without its proof loses the mark at once, one out of reach after three days', async () => {
  const { desk, writer, path, token } = await ownerOf(
    ({ token: own }) => `<meta name="standfirst-verification" content="${own}">`,
  )
  assert.equal((await checked(desk)).state, 'proven')
  const proof = pages.get(path)!

  pages.set(path, (response) => response.writeHead(503).end())
  const away = await checked(desk)
  assert.deepEqual([away.state, away.method], ['unreachable', 'meta'])
  assert.ok(away.proven_at)
  assert.equal(await isVerified(writer), true, 'a bad day is forgiven')
  await admin.query(
    "update app.website_checks set unreachable_since = now() - interval '3 days' where writer_id = $1",
    [writer.id],
  )
  assert.equal((await checked(desk)).proven_at, null)
  assert.equal(await isVerified(writer), false)

  pages.set(path, proof)
  assert.equal((await checked(desk)).state, 'proven')
  assert.equal(await isVerified(writer), true)
  pages.set(path, `<p>${token} is gone`)
  assert.equal((await checked(desk)).state, 'not_found')
  assert.equal(await isVerified(writer), false)
  const { rows } = await admin.query('select act from app.writer_audit where writer_id = $1 order by id', [writer.id])
  assert.deepEqual(
    rows.map(({ act }) => act),
    ['prove_website', 'lose_website', 'prove_website', 'lose_website'],
  )
})

test('who has moved is proven by the address they had', async () => {
  const { desk, writer } = await ownerOf(({ profile }) => `<a rel="me" href="${profile}">`)
  await desk.ask('PUT', 'profile/slug', { slug: `${writer.slug}-moved` })
  assert.equal((await checked(desk)).state, 'proven')
})

test('the public page says when the website was checked', async () => {
  const { desk, writer } = await ownerOf(({ profile }) => `<a rel="me" href="${profile}">`)
  await makePiece(admin, writer)
  const { checked_at: checkedAt } = await checked(desk)
  const read = async () => (await app.inject({ url: `/author/${writer.slug}`, headers: { accept: 'text/html' } })).body
  assert.match(await read(), new RegExp(`Website verified: .*, checked on <time datetime="${checkedAt.slice(0, 10)}`))
  assert.doesNotMatch((await app.inject(`/api/public/authors/${writer.slug}`)).body, /website_checked/)
})

test('whoever asked once is looked at every day, and nobody else', async () => {
  const { desk, writer } = await ownerOf(({ profile }) => `<a rel="me" href="${profile}">`)
  await checked(desk)
  const due = async () => (await admin.query('select app.websites_due(1000) as id')).rows.map(({ id }) => id)
  assert.ok(!(await due()).includes(writer.id))
  await admin.query("update app.website_checks set checked_at = now() - interval '1 day' where writer_id = $1", [
    writer.id,
  ])
  assert.ok((await due()).includes(writer.id))
  const never = await makeWriter(admin, { website: `${site}/never` })
  assert.ok(!(await due()).includes(never.id))
})

test('a website is called once in half a minute, however often its writer asks and whatever was found', async () => {
  let calls = 0
  const { desk } = await ownerOf(() => (response) => {
    calls += 1
    response.end('Nothing here.')
  })
  assert.equal((await checked(desk)).state, 'not_found')
  const before = calls
  const answer = await desk.ask('POST', 'profile/website/check')
  assert.deepEqual([answer.statusCode, answer.json().reason], [409, 'limit_reached'])
  assert.equal((await profileOf(desk)).website_check.state, 'not_found')
  assert.equal((await checked(desk)).state, 'not_found')
  assert.equal(calls, 2 * before)
})

test('without a website there is nothing to check', async () => {
  const answer = await deskOf(app, await makeWriter(admin)).ask('POST', 'profile/website/check')
  assert.deepEqual([answer.statusCode, answer.json().reason], [400, 'validation_failed'])
})

test('no forbidden address is looked at, neither named by a writer nor by a redirect', async () => {
  const file = fileURLToPath(new URL('../netns/websites.ts', import.meta.url))
  const { states, redirected, begun } = JSON.parse(await runInNamespace(file, '192.0.2.1')) as Looked
  assert.ok(states.length > 40)
  assert.deepEqual([...new Set(states)], ['unreachable'])
  assert.deepEqual([...new Set(Object.values(redirected))], ['not_found'])
  assert.equal(begun, 0, 'the kernel began a connection')
})
