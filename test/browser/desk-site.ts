import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from 'playwright-core'
import { sendLinkEmail } from '../../server/features/accounts/mail.ts'
import type { NewAccount } from '../../server/features/accounts/sign-up.ts'
import { addWriter } from '../../server/features/authors/writers.ts'
import { hashOf } from '../../server/platform/crypto.ts'
import type { Database } from '../../server/platform/db/database.ts'
import { slugFrom } from '../../server/platform/text/slug.ts'
import { goodPassword, makeAccount } from '../../testkit/accounts.ts'
import { servedSite } from '../../testkit/app.ts'
import { workerDatabase } from '../../testkit/database.ts'
import { inTransaction, type MadeWriter, makeWriter } from '../../testkit/factories.ts'
import { testWorker } from '../../testkit/jobs.ts'
import { type Receiver, startReceiver } from '../../testkit/receivers.ts'
import { until } from '../../testkit/waiting.ts'
import { axeViolations, openBrowser, painted, screenshot, watchComplaints, wcag } from './browser.ts'
import { stretchedProblems } from './layout-check.ts'

/** A site of a test's own at http://localhost, where passkeys work, and people in real browsers at its desk. */
export interface DeskSite {
  readonly base: string
  readonly app: FastifyInstance
  readonly admin: pg.Pool
  readonly databaseUrl: string
  readonly worker: Database
  readonly browser: Browser
  /** A visitor with their own browser context, not signed in. */
  visit(options?: BrowserContextOptions): Promise<Visitor>
  /** A new writer, or the one `given` describes, signed in at the desk. */
  signedIn(given?: Partial<NewAccount>, options?: BrowserContextOptions): Promise<Visitor & { readonly email: string }>
  /** The fragment after # in the link of a requested email. */
  emailToken(email: string, asked: 'sign_up' | 'reset'): Promise<string>
}

/** What the API answered: tests know what they asked for. */
// biome-ignore lint/suspicious/noExplicitAny: a test that reads a member that is not there fails.
type AnyJson = any

export interface Visitor {
  readonly page: Page
  readonly context: BrowserContext
  readonly devtools: CDPSession
  readonly authenticatorId: string
  /** CSP violations and console errors. A visit that ends with any fails its test. */
  readonly complaints: string[]
  go(path: string): Promise<void>
  /** Calls the desk's API as the page would, with the same session, and fails unless it succeeds. */
  ask(method: string, path: string, data?: object, headers?: Record<string, string>): Promise<AnyJson>
  /** As if this visitor had signed in eleven minutes ago: too long for actions that need a recent sign-in. */
  letSessionAge(): Promise<void>
  /** A new draft's id. */
  begin(headline: string, body_md?: string, more?: object): Promise<string>
  /** The id of a new listing that is not listed yet. */
  sell(name: string, more?: object): Promise<string>
  /** The id of a new piece that is public. */
  publish(headline: string, body_md?: string, more?: object): Promise<string>
  /**
   * Expects no axe violation, wide in light and narrow in dark, and no overflow, even with longer words. SHOTS=1 takes
   * screenshots of all four.
   */
  look(name: string): Promise<void>
}

/** A virtual authenticator that consents. */
export const authenticator = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const

const sizes = { desktop: { width: 1280, height: 860 }, phone: { width: 390, height: 844 } } as const

/** Each width and each scheme once: layout depends on the one, contrast on the other. */
const looks = [
  { size: 'desktop', colorScheme: 'light' },
  { size: 'phone', colorScheme: 'dark' },
] as const
/** The other two, which people look at and axe does not. */
const otherLooks = [
  { size: 'desktop', colorScheme: 'dark' },
  { size: 'phone', colorScheme: 'light' },
] as const

/** `isQuiet: false` where the browser itself complains of what a test tries. */
export async function openDeskSite(env: Record<string, string> = {}, { isQuiet = true } = {}): Promise<DeskSite> {
  const { url, admin, app, base } = await servedSite({ ...env }, { host: 'localhost' })
  const worker = workerDatabase(url)
  const browser = await openBrowser()

  const visit: DeskSite['visit'] = async (options = {}) => {
    const context = await browser.newContext({
      locale: 'en-GB',
      viewport: sizes.desktop,
      reducedMotion: 'reduce',
      // Requests that pass through one are hidden from the tests that stop them.
      serviceWorkers: 'block',
      ...options,
    })
    const page = await context.newPage()
    const complaints = await complaintsOf(page)
    after(async () => {
      await context.close()
      if (isQuiet) assert.deepEqual(complaints, [])
    })
    const notLoaded: string[] = []
    page.on('requestfailed', (request) => notLoaded.push(`${request.url()} ${request.failure()?.errorText}`))
    page.on('response', (response) => {
      if (!response.ok()) notLoaded.push(`${response.url()} ${response.status()}`)
    })
    const devtools = await context.newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', { options: authenticator })
    const ask: Visitor['ask'] = async (method, path, data, headers) => {
      // On a loaded machine the server may shed the request with 503: ask again.
      const answer = await until(async () => {
        const one = await context.request.fetch(`${base}/desk/api${path}`, {
          method,
          // The server ends connections that were idle, one of which may just be taken up again.
          maxRetries: 3,
          headers: { origin: base, ...(method === 'PATCH' ? { 'if-match': '*' } : {}), ...headers },
          ...(data ? { data } : {}),
        })
        return one.status() !== 503 && one
      }, `${path} is answered by a server that is not busy`)
      const isNew = method === 'POST' && /^\/(?:(?:pieces|products|keys)$|pieces\/[^/]+\/links$)/.test(path)
      const text = `${method} ${path} ${answer.status()}: ${await answer.text()}`
      assert.ok((isNew ? [201] : [200, 204]).includes(answer.status()), text)
      return answer.status() === 204 ? undefined : answer.json()
    }
    const begin: Visitor['begin'] = async (headline, body_md = 'Words about it.', more = {}) =>
      (await ask('POST', '/pieces', { headline, body_md, category: 'building', ...more })).piece.id
    return {
      page,
      context,
      devtools,
      authenticatorId,
      complaints,
      ask,
      letSessionAge: async () => {
        const { value } = (await context.cookies()).find(({ name }) => name === 'desk')!
        await admin.query(
          `update app.sessions set authenticated_at = now() - interval '11 minutes', created_at = now() - interval '1 hour'
            where token_hash = $1`,
          [hashOf(value)],
        )
      },
      begin,
      sell: async (name, more = {}) =>
        (await ask('POST', '/products', { name, payment_url: 'https://pay.example/x', ...more })).product.id,
      publish: async (...given) => {
        const id = await begin(...given)
        const { nonce } = await ask('POST', `/pieces/${id}/preview`)
        await ask('POST', `/pieces/${id}/publish`, { nonce })
        return id
      },
      go: async (path) => {
        await page.goto(`${base}${path}`)
        await page
          .getByRole('heading', { level: 1 })
          .waitFor()
          .catch(async (cause) => {
            const shown = await page.content()
            throw new Error(`${path} has no heading. Not loaded: ${notLoaded.join()}. Shown: ${shown}`, { cause })
          })
      },
      look: (name) => look(page, name),
    }
  }
  return {
    base,
    app,
    admin,
    databaseUrl: url,
    worker,
    browser,
    visit,
    signedIn: async (given, options) => {
      const { id, email } = await makeAccount(admin, given)
      if ((given?.role ?? 'writer') === 'writer') await makeProfile(admin, id, given?.name ?? 'A Person')
      const visitor = await visit(options)
      const answer = await visitor.context.request.post(`${base}/desk/api/sign-in`, {
        headers: { origin: base },
        data: { email, password: given?.password ?? goodPassword },
      })
      assert.equal(answer.status(), 200, await answer.text())
      return { ...visitor, email }
    },
    emailToken: (email, asked) => emailToken(worker, email, asked),
  }
}

/** The fragment after # in the link of a requested email. */
export async function emailToken(worker: Database, email: string, asked: 'sign_up' | 'reset'): Promise<string> {
  let token = ''
  const keep = async (_to: string, { params }: { params: object }) => {
    token = (params as { token: string }).token
  }
  await sendLinkEmail(worker, keep, { email, asked })
  return token
}

/** Presses the key until the element called `name` has the focus. */
export async function pressUntil(page: Page, key: 'Tab' | 'Shift+Tab', name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press(key)
    if ((await focused(page)) === name) return
  }
  assert.fail(`${name} is not reached by ${key}`)
}

/** The element with the focus: its label, or its own words. */
export const focused = (page: Page): Promise<unknown> =>
  page.evaluate(`(({ ariaLabel, labels, textContent }) =>
    (ariaLabel ?? labels?.[0]?.textContent ?? textContent).trim())(document.activeElement)`)

/** A profile as sign-up makes it: a name, a slug made of it, nothing public. */
async function makeProfile(admin: pg.Pool, account: string, name: string): Promise<void> {
  const slug = `${slugFrom(name, 24, 'writer')}-${account.slice(0, 8)}`
  const empty = { bio: null, role: null, niche: null, location: null, avatarUrl: null, website: null, socials: {} }
  await inTransaction(admin, async (client) => {
    await client.query('set local role svc_owner')
    const writer = await addWriter(client, { ...empty, slug, name })
    await client.query('update app.writers set account_id = $2 where id = $1', [writer, account])
  })
}

async function complaintsOf(page: Page): Promise<string[]> {
  // An error answer of the server, or being offline, is no fault of the page.
  const complaints = watchComplaints(page, /Failed to load resource/)
  await page.exposeFunction('complain', (words: string) => complaints.push(words))
  await page.addInitScript(`addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) =>
    complain('policy: ' + violatedDirective + ' ' + blockedURI + ' ' + sourceFile))`)
  return complaints
}

async function look(page: Page, name: string): Promise<void> {
  // A dialog covers the window, not the page.
  const hasDialog = (await page.getByRole('dialog').count()) > 0
  const show = async ({ size, colorScheme }: (typeof looks | typeof otherLooks)[number]): Promise<void> => {
    await page.setViewportSize(sizes[size])
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.evaluate('document.fonts.ready')
    if (!hasDialog) await page.evaluate('scrollTo(0, 0)')
    await screenshot(page, `${name}-${size}-${colorScheme}`, { fullPage: !hasDialog })
  }
  for (const one of looks) {
    await show(one)
    assert.deepEqual(await axeViolations(page, wcag), [], `${name}, ${one.size}, ${one.colorScheme}`)
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    assert.ok(Number(overflow) <= 0, `${name}, ${one.size}: ${overflow} px wider than the window`)
  }
  assert.deepEqual(await stretchedProblems(page, name), [])
  if (process.env['SHOTS'] === '1') for (const one of otherLooks) await show(one)
  await page.setViewportSize(sizes.desktop)
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
}

/** With a public profile, and signed in without a password. */
export async function writerAtDesk(
  site: DeskSite,
  name = 'Mary Anning',
  options?: BrowserContextOptions,
): Promise<Visitor & { readonly writer: MadeWriter }> {
  const writer = await makeWriter(site.admin, { name })
  const visitor = await site.visit(options)
  await visitor.context.addCookies([{ name: 'desk', value: writer.sessionToken, url: site.base, httpOnly: true }])
  return { ...visitor, writer }
}

/** Waits until the status line says that the server has everything: not that it had everything before the last key. */
export async function saved(page: Visitor['page']): Promise<void> {
  await painted(page)
  await page.getByText(/· Saved\s*$/).waitFor()
}

/** A desk with a real worker behind it, and real receivers it may call. */
export interface WebhookSite extends DeskSite {
  readonly receivers: readonly Receiver[]
  /** A writer with a live webhook, on their integrations page. */
  withWebhook(name: string, receiver: Receiver): Promise<Visitor & { readonly email: string }>
  /** As if some seconds had passed: a receiver is not called more often. */
  letPingsAge(email: string): Promise<unknown>
}

export async function openWebhookSite(count: number): Promise<WebhookSite> {
  const receivers = await Promise.all(Array.from({ length: count }, startReceiver))
  const OUTBOUND_ALLOW = receivers.map(({ host }) => host).join()
  const site = await openDeskSite({ OUTBOUND_ALLOW })
  await testWorker(site.databaseUrl, { BASE_URL: site.base, OUTBOUND_ALLOW })
  return {
    ...site,
    receivers,
    withWebhook: async (name, receiver) => {
      const visitor = await site.signedIn({ name })
      await visitor.ask('PUT', '/webhook', { url: receiver.url })
      await visitor.go(presencePlace)
      await webhookPart(visitor.page).getByText('Live', { exact: true }).waitFor()
      return visitor
    },
    letPingsAge: (email) =>
      site.admin.query(
        `update app.deliveries set created_at = created_at - interval '5 seconds'
          where event = 'webhook.ping' and ${isOf(email)}`,
      ),
  }
}

export const presencePlace = '/desk/edit/online-presence#webhook'
export const logPlace = '/desk/edit/online-presence/deliveries'
export const webhookPart = (page: Page) => page.getByRole('region', { name: 'Webhook', exact: true })

export const isPiece = ({ headers }: Receiver['delivered'][number]): boolean =>
  headers['x-service-event'] === 'piece.published'

/** For SQL: what belongs to this writer. */
export const isOf = (email: string): string =>
  `writer_id = (select w.id from app.writers w join app.accounts a on a.id = w.account_id where a.email = '${email}')`

/** On the publish page of a new piece, which asks for it. */
export async function chooseCategory(page: Page, category: string): Promise<void> {
  await page.getByRole('radio', { name: category, exact: true }).check()
  await page.getByRole('button', { name: 'Publish', exact: true, disabled: false }).waitFor()
}
