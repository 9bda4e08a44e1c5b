import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from 'playwright-core'
import type { NewAccount } from '../../server/features/accounts/add.ts'
import { sendLetterAsked } from '../../server/features/accounts/mail.ts'
import { addWriter } from '../../server/features/authors/writers.ts'
import { Database } from '../../server/platform/db/database.ts'
import { slugFrom } from '../../server/platform/text/slug.ts'
import { testApp } from '../../testkit/app.ts'
import { testDatabase } from '../../testkit/database.ts'
import { goodPassword, makeAccount } from '../../testkit/desk-browser.ts'
import { inTransaction } from '../../testkit/factories.ts'
import { freePort } from '../../testkit/free-port.ts'
import { axeViolations, wcag } from './axe.ts'
import { openBrowser, screenshot } from './browser.ts'

/** A site of a test's own at http://localhost, where passkeys work, and people in real browsers at its desk. */
export interface DeskSite {
  readonly base: string
  readonly app: FastifyInstance
  readonly admin: pg.Pool
  readonly databaseUrl: string
  readonly worker: Database
  readonly browser: Browser
  /** Somebody with a browser of their own, not signed in. */
  visit(options?: BrowserContextOptions): Promise<Visitor>
  /** A new writer, or whom `given` describes, signed in at their desk. */
  signedIn(given?: Partial<NewAccount>, options?: BrowserContextOptions): Promise<Visitor & { readonly email: string }>
  /** What stands after # in the link of a letter that was asked for. */
  letterToken(email: string, asked: 'sign_up' | 'reset'): Promise<string>
}

/** What the API answered: tests know what they asked for. */
// biome-ignore lint/suspicious/noExplicitAny: a test that reads a member that is not there fails.
type Told = any

export interface Visitor {
  readonly page: Page
  readonly context: BrowserContext
  readonly devtools: CDPSession
  readonly authenticatorId: string
  /** What the page was not allowed to do, and what it complained of in the console. Every journey ends without any. */
  readonly complaints: string[]
  go(path: string): Promise<void>
  /** Asks the desk's API as the page would, with the same session, and takes nothing but a yes. */
  ask(method: string, path: string, data?: object): Promise<Told>
  /** Axe finds nothing, wide in light and narrow in dark, and nothing is wider than the window. SHOTS=1: screenshots of both in both schemes. */
  look(name: string): Promise<void>
}

/** An authenticator made of software, that says yes. */
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
    letterToken: async (email, asked) => {
      let token = ''
      const keep = async (_to: string, { params }: { params: object }) => {
        token = (params as { token: string }).token
      }
      await sendLetterAsked(worker, keep, { email, asked })
      return token
    },
  }
}

/** Moves through the page by this key until what is called `name` has the focus: no page may be a maze. */
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

/** As signing up makes one: a name, an address made of it, and nothing public. */
async function makeProfile(admin: pg.Pool, account: string, name: string): Promise<void> {
  const slug = `${slugFrom(name, 24, 'writer')}-${account.slice(0, 8)}`
  const empty = { bio: null, role: null, niche: null, location: null, avatarUrl: null, website: null, socials: {} }
  await inTransaction(admin, async (client) => {
    await client.query('set local role svc_owner')
    const writer = await addWriter(client, { ...empty, slug, name })
    await client.query('update app.writers set account_id = $2 where id = $1', [writer, account])
  })
}

/** A refusal by the server is an answer, not a fault of the page; so is being offline. */
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
  // A dialogue covers the window, not the page.
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
