import { pino } from 'pino'
import { readConfig } from '#config/config.ts'
import { buildApp } from '#main/app.ts'

const unreachableDatabase = 'postgres://nobody@127.0.0.1:1/none'

/** Needs no database, since nothing connects before the first query, and no secret, since the desk is not served. */
export async function openapiDocument(env: Readonly<Record<string, string | undefined>>): Promise<string> {
  const config = readConfig({ PUBLIC_DATABASE_URL: unreachableDatabase, API_DATABASE_URL: unreachableDatabase, ...env })
  const app = await buildApp(config, pino({ level: 'silent' }), ['public', 'write'])
  try {
    return `${JSON.stringify(app.swagger(), null, 2)}\n`
  } finally {
    await app.close()
  }
}

export async function printOpenapi(env: Readonly<Record<string, string | undefined>>): Promise<void> {
  process.stdout.write(await openapiDocument(env))
}
