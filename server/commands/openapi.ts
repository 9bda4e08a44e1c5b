import { pino } from 'pino'
import { buildApp } from '#main/app.ts'
import { readConfig } from '#platform/config.ts'

const nowhere = 'postgres://nobody@127.0.0.1:1/none'

/** Needs no database: nothing connects until somebody asks something. Nor a secret: the desk stays closed. */
export async function openapiDocument(env: Readonly<Record<string, string | undefined>>): Promise<string> {
  const config = readConfig({ PUBLIC_DATABASE_URL: nowhere, API_DATABASE_URL: nowhere, ...env })
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
