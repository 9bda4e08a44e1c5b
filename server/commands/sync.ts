import { readFileSync } from 'node:fs'
import { webAddress } from '#platform/text/web-address.ts'
import { type ApiClient, baseOf, isOpenNetwork, openClient } from '#sync/api-client.ts'
import { pull } from '#sync/pull.ts'
import { push } from '#sync/push.ts'
import { sayPulled, sayPushed } from '#sync/summary.ts'
import { type Screen, screenOn } from '#sync/terminal.ts'
import { Stopped } from '#sync/user-error.ts'
import { CommandError } from './command-error.ts'

/** The writer's commands: push, pull and import. They ask a site by its API, with a key, and know no database. */

export interface Where {
  readonly url?: string
  readonly keyFile?: string
}

/** What the environment says, where the command line does not. */
export interface Known {
  readonly url: string | undefined
  readonly key: string | undefined
}

export interface Pushing extends Where {
  readonly dryRun?: boolean
  readonly force?: boolean
}

export interface Importing extends Where {
  readonly into: string
  readonly site?: string
  readonly push?: boolean
}

export interface Pulling extends Where {
  readonly force?: boolean
}

export async function pushFolder(
  known: Known,
  folder: string,
  { dryRun = false, force = false, ...where }: Pushing,
): Promise<void> {
  const screen = screenOn(process.stdout)
  await told(async () => {
    const client = dryRun ? { base: baseOf(where.url ?? known.url), ask: never } : clientOf(known, where, screen)
    const pushed = await push(client, folder, { dryRun, force }, screen)
    sayPushed(screen, pushed, client.base, dryRun)
    if (pushed.failed.length > 0 || pushed.stopped) process.exitCode = 1
  })
}

/** What would be done is known from the files and their record. */
const never: ApiClient['ask'] = () => {
  throw new Error('a dry run asks the site for nothing')
}

export async function pullFolder(known: Known, folder: string, { force = false, ...where }: Pulling): Promise<void> {
  const screen = screenOn(process.stdout)
  await told(async () => {
    const pulled = await pull(clientOf(known, where, screen), folder, { force }, screen)
    sayPulled(screen, pulled)
    if (pulled.failed.length > 0 || pulled.stopped) process.exitCode = 1
  })
}

export async function importPosts(
  known: Known,
  service: string,
  path: string,
  { into, site, push: isPush = false, ...where }: Importing,
): Promise<void> {
  // Reading HTML, zip and CSV is loaded only here: it doubles the time in which push and pull start.
  const { importExport, services } = await import('#sync/imports/import.ts')
  await told(async () => {
    const from = services.find((one) => one === service)
    if (from === undefined)
      throw new Stopped(`Exports of ${services.join(', ')} are read, and ${service} is none of them.`)
    const root = importExport(from, path, into, { site: siteOf(site) }, screenOn(process.stdout))
    if (isPush) await pushFolder(known, root, where)
    else console.log(`Read them, then: standfirst push ${into}`)
  })
}

function siteOf(site: string | undefined): string | undefined {
  if (site === undefined) return undefined
  const address = webAddress(/^https?:/.test(site) ? site : `https://${site}`)
  if (address === undefined) throw new Stopped('--site is an address, such as https://tea.substack.com.')
  return address.replace(/\/+$/, '')
}

function clientOf(known: Known, { url, keyFile }: Where, screen: Screen): ApiClient {
  const key = keyFile === undefined ? known.key?.trim() : keyIn(keyFile)
  const client = openClient(url ?? known.url, key, screen.waiting)
  if (isOpenNetwork(client.base)) {
    console.error(`${client.base} is not https: whoever is on the way can read your key.`)
  }
  return client
}

function keyIn(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new Stopped(`The key file cannot be read: ${(error as Error).message}.`)
  }
}

async function told(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof Stopped) throw new CommandError(error.message)
    const { code, syscall, path } = error as NodeJS.ErrnoException
    if (syscall === undefined || path === undefined) throw error
    throw new CommandError(`${path} cannot be used (${code}). Choose another place, or mend its rights.`)
  }
}
