import { buffer } from 'node:stream/consumers'
import { type Config, ConfigError } from '#config/config.ts'
import { jobsAddressNeeded } from '#config/required-settings.ts'
import { noteReport, takeReports } from '#features/followers/bounces.ts'
import { createReaderKeys } from '#features/followers/keys.ts'
import { cliTranslator } from '#messages/cli.ts'
import { accessFor } from '#platform/db/access.ts'
import { Database } from '#platform/db/database.ts'

const t = cliTranslator()

/** EX_TEMPFAIL of sysexits.h: mail servers keep the message and try again. */
const tryAgainLater = 75

/** `standfirst bounces`: with the privileges of the worker, for mail servers that pipe messages to it. */
export async function noteBounces(config: Config, { maildir }: { readonly maildir?: string }): Promise<void> {
  const access = accessFor(config, 'svc_worker')
  if (!access) throw new ConfigError([jobsAddressNeeded()])
  const keys = createReaderKeys(config.SECRETS_KEY)
  const db = new Database({ ...access, name: 'bounces', connections: 1, statementTimeout: 10_000 })
  try {
    const noted =
      maildir === undefined
        ? [await noteReport(db, keys, await buffer(process.stdin))]
        : await takeReports(db, keys, maildir)
    console.log(t('cli.bounces.noted', { count: noted.filter(Boolean).length }))
  } catch (error) {
    if (maildir !== undefined) throw error
    console.error((error as Error).message)
    process.exitCode = tryAgainLater
  } finally {
    await db.close()
  }
}
