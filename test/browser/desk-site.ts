import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from 'playwright-core'
import { sendLinkEmail } from '../../server/features/accounts/mail.ts'
import type { NewAccount } from '../../server/features/accounts/sign-up.ts'
import { addWriter } from '../../server/features/authors/writers.ts'
import { Database } from '../../server/platform/db/database.ts'
import { slugFrom } from '../../server/platform/text/slug.ts'
import { goodPassword, makeAccount } from '../../testkit/accounts.ts'
import { testApp } from '../../testkit/app.ts'
import { testDatabase } from '../../testkit/database.ts'
import { inTransaction, type MadeWriter, makeWriter } from '../../testkit/factories.ts'
import { freePort } from '../../testkit/network.ts'
import { until } from '../../testkit/waiting.ts'
import { axeViolations, openBrowser, screenshot, wcag } from './browser.ts'

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
  /** CSP violations and console errors. Every journey ends without any. */
  readonly complaints: string[]
  go(path: string): Promise<void>
  /** Calls the desk's API as the page would, with the same session, and fails unless it succeeds. */
  ask(method: string, path: string, data?: object): Promise<AnyJson>
  /** Expects no axe violation, wide in light and narrow in dark, and no overflow. SHOTS=1 takes screenshots of all four. */
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

export async function openDeskSite(env: Record<string, string> = {}): Promise<DeskSite> {
  const { url, admin } = await testDatabase()
  const port = await freePort()
  const base = `http://localhost:${port}`
  const app = await testApp(url, { BASE_URL: base, ...env })
  await app.listen({ host: '127.0.0.1', port })
  const worker = new Database({ name: 'worker', url, role: 'svc_worker', connections: 1, statementTimeout: 60_000 })
  after(() => worker.close())
  const browser = await openBrowser()
  after(() => browser.close())

  const visit: DeskSite['visit'] = async (options = {}) => {
    const context = await browser.newContext({ viewport: sizes.desktop, reducedMotion: 'reduce', ...options })
    after(() => context.close())
    const page = await context.newPage()
    const complaints = await complaintsOf(page)
    const notLoaded: string[] = []
    page.on('requestfailed', (request) => notLoaded.push(`${request.url()} ${request.failure()?.errorText}`))
    page.on('response', (response) => {
      if (!response.ok()) notLoaded.push(`${response.url()} ${response.status()}`)
    })
    const devtools = await context.newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', { options: authenticator })
    return {
      page,
      context,
      devtools,
      authenticatorId,
      complaints,
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
      ask: async (method, path, data) => {
        const answer = await context.request.fetch(`${base}/desk/api${path}`, {
          method,
          headers: { origin: base, ...(method === 'PATCH' ? { 'if-match': '*' } : {}) },
          ...(data ? { data } : {}),
        })
        assert.ok(answer.ok(), `${method} ${path}: ${await answer.text()}`)
        return answer.status() === 204 ? undefined : answer.json()
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
    emailToken: async (email, asked) => {
      let token = ''
      const keep = async (_to: string, { params }: { params: object }) => {
        token = (params as { token: string }).token
      }
      await sendLinkEmail(worker, keep, { email, asked })
      return token
    },
  }
}

/** Presses the key until the element called `name` has the focus. */
export async function pressUntil(page: Page, key: 'Tab' | 'Shift+Tab', name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press(key)
    const found: unknown = await page.evaluate(nameOfFocused)
    if (found === name) return
  }
  assert.fail(`${name} is not reached by ${key}`)
}

/** Its label, or its own words. */
const nameOfFocused = `(({ ariaLabel, labels, textContent }) =>
  (ariaLabel ?? labels?.[0]?.textContent ?? textContent).trim())(document.activeElement)`

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

/** An error answer of the server, or being offline, is no fault of the page. */
const isAnswer = (words: string): boolean => /Failed to load resource/.test(words)

async function complaintsOf(page: Page): Promise<string[]> {
  const complaints: string[] = []
  await page.exposeFunction('complain', (words: string) => complaints.push(words))
  await page.addInitScript(`addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) =>
    complain('policy: ' + violatedDirective + ' ' + blockedURI + ' ' + sourceFile))`)
  page.on('console', (message) => {
    if (message.type() === 'error' && !isAnswer(message.text())) complaints.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => complaints.push(`error: ${error.stack ?? error.message}`))
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
  if (process.env['SHOTS'] === '1') for (const one of otherLooks) await show(one)
  await page.setViewportSize(sizes.desktop)
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
}

/** A writer at the desk, with a piece to write. */
export interface WriterAtDesk extends Visitor {
  readonly writer: MadeWriter
  /** Calls the desk's API as a page would. */
  ask(method: string, path: string, data?: object, headers?: Record<string, string>): Promise<Answer>
}

interface Answer {
  readonly status: number
  readonly body: Record<string, unknown> & { readonly piece: Record<string, unknown> & { readonly id: string } }
}

export async function writerAtDesk(site: DeskSite, name = 'Mary Anning'): Promise<WriterAtDesk> {
  const writer = await makeWriter(site.admin, { name })
  const visitor = await site.visit()
  await visitor.context.addCookies([{ name: 'desk', value: writer.sessionToken, url: site.base, httpOnly: true }])
  return {
    ...visitor,
    writer,
    ask: async (method, path, data, headers = {}) => {
      // On a loaded machine the server may shed the request with 503: ask again.
      const answer = await until(async () => {
        const one = await visitor.context.request.fetch(`${site.base}/desk/api${path}`, {
          method,
          headers: { origin: site.base, ...headers },
          ...(data ? { data } : {}),
        })
        return one.status() !== 503 && one
      }, `${path} is answered by a server that is not busy`)
      return { status: answer.status(), body: await answer.json().catch(() => ({})) }
    },
  }
}

/** Waits until the status line says that the server has everything. */
export const saved = (page: Visitor['page']): Promise<void> => page.getByText(/Saved (just now|\d+ s ago) on/).waitFor()
