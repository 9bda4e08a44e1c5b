import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import type { CDPSession, Page } from 'playwright-core'
import { anyEmail, goodPassword, makeAccount } from '../../testkit/accounts.ts'
import { servedSite } from '../../testkit/app.ts'
import { workerDatabase } from '../../testkit/database.ts'
import { captureLog } from '../../testkit/log.ts'
import { serve } from '../../testkit/network.ts'
import { unsafeRoutes } from '../desk-api/routes.ts'
import { openBrowser, openPage } from './browser.ts'
import { authenticator, emailToken } from './desk-site.ts'

/** Passkeys in a real browser with a virtual authenticator, and that browser's cross-site behaviour. */

/** The server's answers, read from its log, since a page of another site cannot see them. */
const { log, lines: logged } = captureLog()
const { url, admin, app, base } = await servedSite({}, { host: 'localhost', log })
const worker = workerDatabase(url)
const browser = await openBrowser()

interface Answer {
  readonly status: number
  readonly body: Record<string, unknown>
}

/** A visitor on a page of the site, with their own authenticator. */
interface Visitor {
  readonly page: Page
  readonly devtools: CDPSession
  readonly authenticatorId: string
  ask(method: string, path: string, body?: object): Promise<Answer>
  /** A whole WebAuthn ceremony: gets options, runs the authenticator, sends its result. */
  make(path: string, more?: object): Promise<Answer>
  show(optionsPath: string, path: string): Promise<Answer>
}

async function visit(options: Partial<Record<keyof typeof authenticator, unknown>> = {}): Promise<Visitor> {
  const page = await openPage(browser)
  // An empty page of our origin, since the desk's pages make requests themselves.
  await page.route(`${base}/desk/empty`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }),
  )
  await page.goto(`${base}/desk/empty`)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: { ...authenticator, ...options } as never,
  })
  await page.evaluate(inPage)
  const call = (name: string, ...values: unknown[]): Promise<Answer> =>
    page.evaluate(`${name}(...${JSON.stringify(values)})`)
  return {
    page,
    devtools,
    authenticatorId,
    ask: (method, path, body) => call('ask', method, path, body ?? null),
    make: (path, more = {}) => call('make', path, more),
    show: (optionsPath, path) => call('show', optionsPath, path),
  }
}

const inPage = `
  globalThis.ask = async (method, path, body) => {
    const headers = body ? { 'content-type': 'application/json' } : {}
    const answer = await fetch('/desk/api' + path, { method, headers, body: body ? JSON.stringify(body) : undefined })
    return { status: answer.status, body: await answer.json() }
  }
  globalThis.make = async (path, more) => {
    const offer = await ask('POST', path + '/options', more)
    if (offer.status !== 200) return offer
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(offer.body.options)
    let made
    try {
      made = await navigator.credentials.create({ publicKey })
    } catch (error) {
      return { status: 0, body: { reason: error.name } }
    }
    return ask('POST', path, { ...more, credential: made.toJSON() })
  }
  globalThis.show = async (optionsPath, path) => {
    const offer = await ask('POST', optionsPath, {})
    if (offer.status !== 200) return offer
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(offer.body.options)
    try {
      globalThis.shown = (await navigator.credentials.get({ publicKey })).toJSON()
    } catch (error) {
      return { status: 0, body: { reason: error.name } }
    }
    return ask('POST', path, { credential: shown })
  }
`

/** The emails queued for this person, except those with a link. */
const emailsFor = async (email: string): Promise<string[]> =>
  (
    await admin.query<{ letter: string }>(
      `select j.data ->> 'letter' as letter from jobs.job j join app.accounts a on a.id::text = j.data -> 'to' ->> 'account'
        where j.name = 'mail' and a.email = $1 order by j.created_on`,
      [email],
    )
  ).rows.map(({ letter }) => letter)

const signIn = (visitor: Visitor) => visitor.show('/sign-in/passkey/options', '/sign-in/passkey')
const account = async (visitor: Visitor) =>
  (await visitor.ask('GET', '/account')).body['account'] as Record<string, unknown>
const passkeys = async (visitor: Visitor) =>
  (await visitor.ask('GET', '/passkeys')).body['passkeys'] as { id: string; name: string }[]
const sessionCookie = async ({ page }: Visitor): Promise<string> =>
  (await page.context().cookies()).find(({ name }) => name === 'desk')?.value ?? ''
const makeStale = async (visitor: Visitor) =>
  admin.query("update app.sessions set authenticated_at = now() - interval '11 minutes' where token_hash = $1", [
    createHash('sha256')
      .update(await sessionCookie(visitor))
      .digest(),
  ])

/** A writer who signed up without a password and made a passkey by the link in the email. */
async function newcomer(): Promise<{ visitor: Visitor; email: string; token: string }> {
  const visitor = await visit()
  const email = anyEmail()
  assert.equal((await visitor.ask('POST', '/sign-up', { email })).status, 202)
  const token = await emailToken(worker, email, 'sign_up')
  const made = await visitor.make('/first-passkey', { token, name: 'Mary Anning' })
  assert.equal(made.status, 200, JSON.stringify(made.body))
  return { visitor, email, token }
}

describe('a first passkey', () => {
  test('by the link in the letter confirms the address, makes a writer and signs in; the link works once', async () => {
    const { visitor, email, token } = await newcomer()
    const { email: known, writer, has_password, passkeys: count } = await account(visitor)
    assert.deepEqual([known, has_password, count], [email, false, 1])
    assert.match((writer as { slug: string }).slug, /^mary-anning(-\d+)?$/)
    assert.equal((await visitor.make('/first-passkey', { token, name: 'Mary Anning' })).status, 410)
  })

  test('is not made by an authenticator that does not check who it is', async () => {
    const visitor = await visit({ isUserVerified: false })
    const email = anyEmail()
    await visitor.ask('POST', '/sign-up', { email })
    const made = await visitor.make('/first-passkey', {
      token: await emailToken(worker, email, 'sign_up'),
      name: 'No Body',
    })
    assert.deepEqual(made, { status: 0, body: { reason: 'NotAllowedError' } })
  })
})

describe('signing in with a passkey', () => {
  test('takes no name, opens a new session, and its answer works once', async () => {
    const { visitor, email } = await newcomer()
    const first = await sessionCookie(visitor)
    await visitor.ask('POST', '/sign-out')
    assert.equal((await visitor.ask('GET', '/account')).status, 401)

    assert.equal((await signIn(visitor)).status, 200)
    assert.equal((await account(visitor))['email'], email)
    assert.notEqual(await sessionCookie(visitor), first)

    await visitor.ask('POST', '/sign-out')
    const replayed = (await visitor.page.evaluate("ask('POST', '/sign-in/passkey', { credential: shown })")) as Answer
    assert.deepEqual([replayed.status, replayed.body['reason']], [401, 'sign_in_failed'])
  })

  test('is refused for a challenge that is too old', async () => {
    const { visitor } = await newcomer()
    await visitor.ask('POST', '/sign-out')
    const answer = await visitor.page.evaluate(`(async () => {
      const offer = await ask('POST', '/sign-in/passkey/options', {})
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(offer.body.options)
      globalThis.shown = (await navigator.credentials.get({ publicKey })).toJSON()
    })()`)
    assert.equal(answer, undefined)
    await admin.query("update app.challenges set expires_at = now() - interval '1 second'")
    const late = (await visitor.page.evaluate("ask('POST', '/sign-in/passkey', { credential: shown })")) as Answer
    assert.equal(late.status, 401)
  })

  test('is refused for a copy, whose counter has not moved on', async () => {
    const { visitor } = await newcomer()
    assert.equal((await signIn(visitor)).status, 200)
    const { authenticatorId, devtools } = visitor
    const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId })
    const [credential] = credentials
    await devtools.send('WebAuthn.removeCredential', { authenticatorId, credentialId: credential!.credentialId })
    await devtools.send('WebAuthn.addCredential', { authenticatorId, credential: { ...credential!, signCount: 0 } })
    assert.equal((await signIn(visitor)).status, 401)
  })

  test('is refused with the passkey of another site', async () => {
    const { visitor } = await newcomer()
    await admin.query('delete from app.passkeys where account_id in (select id from app.accounts where email = $1)', [
      (await account(visitor))['email'],
    ])
    await visitor.ask('POST', '/sign-out')
    const answer = await signIn(visitor)
    assert.deepEqual([answer.status, answer.body['reason']], [401, 'sign_in_failed'])
  })

  test('is refused where the signature is not of this passkey', async () => {
    const { visitor } = await newcomer()
    const answer = (await visitor.page.evaluate(`(async () => {
      const offer = await ask('POST', '/sign-in/passkey/options', {})
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(offer.body.options)
      const shown = (await navigator.credentials.get({ publicKey })).toJSON()
      shown.response.signature = shown.response.signature.replace(/.{8}$/, 'AAAAAAAA')
      return ask('POST', '/sign-in/passkey', { credential: shown })
    })()`)) as Answer
    assert.equal(answer.status, 401)
  })
})

describe('a letter tells', () => {
  test('of a passkey added, of one deleted, and of a sign-in with one in a browser that is new', async () => {
    const { email } = await makeAccount(admin)
    const visitor = await visit()
    await visitor.ask('POST', '/sign-in', { email, password: goodPassword })
    assert.equal((await visitor.make('/passkeys')).status, 201)
    const expected = ['new-sign-in', 'new-passkey']
    assert.deepEqual(await emailsFor(email), expected)

    await visitor.ask('POST', '/sign-out')
    assert.equal((await signIn(visitor)).status, 200)
    assert.deepEqual(await emailsFor(email), expected, 'this browser is known')
    await visitor.page.context().clearCookies()
    assert.equal((await signIn(visitor)).status, 200)
    expected.push('new-sign-in')
    assert.deepEqual(await emailsFor(email), expected)

    const [made] = await passkeys(visitor)
    assert.equal((await visitor.ask('DELETE', `/passkeys/${made!.id}`)).status, 200)
    expected.push('passkey-deleted')
    assert.deepEqual(await emailsFor(email), expected)
    assert.equal((await visitor.ask('DELETE', `/passkeys/${made!.id}`)).status, 404)
    assert.deepEqual(await emailsFor(email), expected, 'and of nothing that was not done')
  })
})

describe('passkeys of an account', () => {
  test('are added beside a password by whoever signed in just now, named, renamed and deleted', async () => {
    const { email } = await makeAccount(admin)
    const [visitor, other] = [await visit(), await visit()]
    for (const one of [visitor, other]) {
      assert.equal((await one.ask('POST', '/sign-in', { email, password: goodPassword })).status, 200)
    }
    assert.equal((await visitor.make('/passkeys', { name: 'My laptop' })).status, 201)
    assert.equal((await other.ask('GET', '/account')).status, 401, 'the other sessions end')
    const [made] = await passkeys(visitor)
    assert.equal(made!.name, 'My laptop')

    assert.equal((await visitor.make('/passkeys')).body['reason'], 'InvalidStateError', 'one for each device')
    assert.equal((await visitor.ask('PATCH', `/passkeys/${made!.id}`, { name: 'Old laptop' })).status, 200)
    assert.equal((await passkeys(visitor))[0]!.name, 'Old laptop')

    await visitor.ask('POST', '/sign-out')
    assert.equal((await signIn(visitor)).status, 200)
    assert.equal((await visitor.ask('DELETE', `/passkeys/${made!.id}`)).status, 200)
    assert.deepEqual(await passkeys(visitor), [])
    assert.equal((await visitor.ask('GET', '/account')).status, 200)
    await visitor.ask('POST', '/sign-out')
    assert.equal((await signIn(visitor)).status, 401)
  })

  test('are neither added nor deleted in a stale session, until the passkey is shown once more', async () => {
    const { visitor } = await newcomer()
    const [made] = await passkeys(visitor)
    await makeStale(visitor)
    const before = await sessionCookie(visitor)
    for (const refused of [
      await visitor.make('/passkeys'),
      await visitor.ask('DELETE', `/passkeys/${made!.id}`),
      await visitor.ask('PUT', '/account/password', { password: goodPassword }),
    ]) {
      assert.deepEqual([refused.status, refused.body['reason']], [403, 'fresh_sign_in_required'])
    }
    assert.equal((await visitor.show('/reauthenticate/options', '/reauthenticate')).status, 200)
    assert.notEqual(await sessionCookie(visitor), before)
    assert.equal((await account(visitor))['fresh'], true)
    const { rowCount } = await admin.query('select from app.sessions where token_hash = $1 and revoked_at is null', [
      createHash('sha256').update(before).digest(),
    ])
    assert.equal(rowCount, 0, 'the cookie from before is worth nothing')
  })

  test('are never all deleted where there is no password, and a password is as long beside one as without', async () => {
    const { visitor } = await newcomer()
    const [only] = await passkeys(visitor)
    const deleting = () => visitor.ask('DELETE', `/passkeys/${only!.id}`)
    const setting = (password: string) => visitor.ask('PUT', '/account/password', { password })
    const last = await deleting()
    assert.equal(last.status, 409)
    assert.match(String(last.body['detail']), /only way to sign in.*Set a password/)
    const short = await setting('lamp9vex')
    assert.equal(short.status, 400)
    assert.match(JSON.stringify(short.body), /at least 15 characters/)
    assert.equal((await passkeys(visitor)).length, 1)
    assert.equal((await setting(goodPassword)).status, 200)
    assert.equal((await deleting()).status, 200)
  })

  test('of others are out of reach', async () => {
    const [mine, theirs] = [(await newcomer()).visitor, (await newcomer()).visitor]
    const [made] = await passkeys(theirs)
    assert.equal((await mine.ask('DELETE', `/passkeys/${made!.id}`)).status, 404)
    assert.equal((await mine.ask('PATCH', `/passkeys/${made!.id}`, { name: 'Mine' })).status, 404)
    // The challenge is bound to their account: their signature does not confirm mine.
    await theirs.page.evaluate(`(async () => {
      const offer = await ask('POST', '/reauthenticate/options', {})
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(offer.body.options)
      globalThis.shown = (await navigator.credentials.get({ publicKey })).toJSON()
    })()`)
    const credential = await theirs.page.evaluate('shown')
    assert.equal((await mine.ask('POST', '/reauthenticate', { credential: credential as object })).status, 401)
  })
})

test('from a page of another site the browser gets nothing done at the desk, by any route', async () => {
  const { visitor } = await newcomer()
  const elsewhere = await serve((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<!doctype html>'),
  )

  const page = await visitor.page.context().newPage()
  // 127.0.0.1 is another site than localhost.
  await page.goto(`${elsewhere.base}/`)

  // Mail programs post to the link in an email, whose token is the permission (RFC 8058), feed readers to the hub, and servers
  // of the fediverse to inboxes, with a signature.
  const isForPrograms = (path: string) =>
    /^\/desk\/(?:following\/stop|fediverse)\//.test(path) || path === '/desk/websub'
  const routes = (await unsafeRoutes(app)).filter(({ path }) => !isForPrograms(path))
  const posts = routes.filter(({ method }) => method === 'POST')
  logged.length = 0
  for (const { path } of posts) {
    await page.evaluate(`fetch('${base}${path}', { method: 'POST', mode: 'no-cors', credentials: 'include', body: '{}' })
      .catch(() => {})`)
  }
  const answered: { method: string; status: number }[] = logged.map((line) => JSON.parse(line))
  const statuses = answered.filter(({ method }) => method === 'POST').map(({ status }) => status)
  assert.equal(statuses.length, posts.length)
  assert.deepEqual([...new Set(statuses)], [403])

  // Anything but a simple POST triggers a preflight, which is refused.
  for (const { path, method } of routes) {
    const outcome = await page.evaluate(`fetch('${base}${path}', { method: '${method}', credentials: 'include',
      headers: { 'content-type': 'application/json' }, body: '{}' }).then(() => 'let in', () => 'refused')`)
    assert.equal(outcome, 'refused', `${method} ${path}`)
  }
  assert.equal((await visitor.ask('GET', '/account')).status, 200, 'the session is as it was')
})
