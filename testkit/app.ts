import { after } from 'node:test'
import { type App, buildApp } from '../server/main/app.ts'
import type { Deadlines } from '../server/platform/http/deadline.ts'
import type { Logger } from '../server/platform/observability/log.ts'
import { testConfig } from './database.ts'
import { silentLog } from './log.ts'

/** The server as shipped, on a test's own database, with limits too high to meet by accident. */
export async function testApp(
  databaseUrl: string,
  env: Record<string, string> = {},
  log: Logger = silentLog(),
  deadlines?: Deadlines,
): Promise<App> {
  const config = testConfig({
    DATABASE_URL: databaseUrl,
    BASE_URL: 'https://site.test',
    AUTH_SECRET: 'a-secret-of-tests-that-everybody-knows',
    SECRETS_KEY: 'a-secret-of-tests-that-everybody-knows',
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
