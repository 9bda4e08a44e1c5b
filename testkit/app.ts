import { after } from 'node:test'
import type { Config } from '../server/config/config.ts'
import { type App, buildApp } from '../server/main/app.ts'
import type { Deadlines } from '../server/platform/http/deadline.ts'
import type { Logger } from '../server/platform/observability/log.ts'
import { type TestDatabase, testConfig, testDatabase } from './database.ts'
import { silentLog } from './log.ts'
import { freePort } from './network.ts'
import { checkedInject, type Inject } from './openapi.ts'

type Env = Readonly<Record<string, string>>

const secret = 'a-secret-of-tests-that-everybody-knows'

/** What every process of a test's site is started with. */
export const siteConfig = (databaseUrl: string, env: Env = {}): Config =>
  testConfig({
    DATABASE_URL: databaseUrl,
    BASE_URL: 'https://site.test',
    AUTH_SECRET: secret,
    SECRETS_KEY: secret,
    ...env,
  })

/** The server as shipped, on a test's own database, with limits too high to meet by accident. */
export async function testApp(
  databaseUrl: string,
  env: Env = {},
  log: Logger = silentLog(),
  deadlines?: Deadlines,
): Promise<App> {
  const config = siteConfig(databaseUrl, {
    RATE_READ: '1000000000',
    RATE_SEARCH: '1000000000',
    RATE_TOOLS: '1000000000',
    RATE_SIGN_IN: '1000000000',
    RATE_WRITE: '1000000000',
    DRAFTS_PER_DAY: '1000000000',
    LOAD_FACTOR: '1000',
    // No timeouts either, however busy the machine is; a lock timeout of a minute still ends a deadlock.
    TIMEOUT_FACTOR: '60',
    SEARCH_BUDGET: '5000',
    PUBLIC_CONNECTIONS: '3',
    SEARCH_CONNECTIONS: '2',
    ...env,
  })
  const app = await buildApp(config, log, ['public', 'write', 'desk'], deadlines)
  after(() => app.close())
  return app
}

interface TestSite extends TestDatabase {
  readonly app: App
  /** As `app.inject`; checks every answer against the OpenAPI document. */
  readonly ask: Inject
}

/** A fresh database and the server on it, as `testDatabase` and `testApp` make them. */
export async function testSite(...given: DropFirst<Parameters<typeof testApp>>): Promise<TestSite> {
  const { url, admin } = await testDatabase()
  const app = await testApp(url, ...given)
  return { url, admin, app, ask: checkedInject(app) }
}

/** The same, listening at an address that is its BASE_URL: what a browser visits. */
export async function servedSite(
  env: Env = {},
  { host = '127.0.0.1', log = silentLog() }: { host?: string; log?: Logger } = {},
): Promise<TestSite & { readonly base: string }> {
  const port = await freePort()
  const base = `http://${host}:${port}`
  const site = await testSite({ BASE_URL: base, ...env }, log)
  await site.app.listen({ host: '127.0.0.1', port })
  return { ...site, base }
}

type DropFirst<List extends unknown[]> = List extends [unknown, ...infer Rest] ? Rest : never
