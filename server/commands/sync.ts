import { readFileSync } from 'node:fs'
import { cliTranslator } from '#messages/cli.ts'
import { type ApiClient, baseOf, isOpenNetwork, openClient } from '#sync/api-client.ts'
import { siteOf } from '#sync/imports/site.ts'
import { type Pulled, pull } from '#sync/pull.ts'
import { type Pushed, push } from '#sync/push.ts'
import { lineOf, nameOf, Stopped, type Terminal, terminalOn } from '#sync/terminal.ts'
import { CommandError } from './command-support.ts'

const t = cliTranslator()

/** Commands for writers: push, pull and import. They use the API with a key, and no database. */

export interface Where {
  readonly url?: string
  readonly keyFile?: string
}

/** From the environment, if the command line does not say. */
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
  const terminal = terminalOn(process.stdout)
  await withCommandErrors(async () => {
    const client = dryRun ? { base: baseOf(where.url ?? known.url), ask: never } : clientOf(known, where, terminal)
    const pushed = await push(client, folder, { dryRun, force }, terminal)
    printPushed(terminal, pushed, client.base, dryRun)
    if (pushed.failed.length > 0 || pushed.stopped) process.exitCode = 1
  })
}

/** A dry run only needs the files and their sync state. */
const never: ApiClient['ask'] = () => {
  throw new Error('a dry run asks the site for nothing')
}

export async function pullFolder(known: Known, folder: string, { force = false, ...where }: Pulling): Promise<void> {
  const terminal = terminalOn(process.stdout)
  await withCommandErrors(async () => {
    const pulled = await pull(clientOf(known, where, terminal), folder, { force }, terminal)
    printPulled(terminal, pulled)
    if (pulled.failed.length > 0 || pulled.stopped) process.exitCode = 1
  })
}

export async function importPosts(
  known: Known,
  service: string,
  path: string,
  { into, site, push: isPush = false, ...where }: Importing,
): Promise<void> {
  // Parsers for HTML, zip and CSV are loaded only here: they double the start time of push and pull.
  const [{ importExport }, { services }] = await Promise.all([
    import('#sync/import.ts'),
    import('#sync/imports/read-export.ts'),
  ])
  await withCommandErrors(async () => {
    const from = services.find((one) => one === service)
    if (from === undefined) throw new Stopped(t('cli.import.unknown_service', { service, services: t.list(services) }))
    const root = await importExport(from, path, into, siteOption(site), terminalOn(process.stdout))
    if (isPush) await pushFolder(known, root, where)
    else console.log(t('cli.import.next', { command: `standfirst push ${into}` }))
  })
}

function siteOption(site: string | undefined): string | undefined {
  if (site === undefined) return undefined
  const address = siteOf(site)
  if (address === undefined)
    throw new Stopped(t('cli.import.bad_site', { option: '--site', example: 'https://tea.substack.com' }))
  return address
}

function clientOf(known: Known, { url, keyFile }: Where, terminal: Terminal): ApiClient {
  const key = keyFile === undefined ? known.key?.trim() : keyIn(keyFile)
  const client = openClient(url ?? known.url, key, terminal.waiting)
  if (isOpenNetwork(client.base)) {
    console.error(t('cli.sync.not_https', { site: client.base }))
  }
  return client
}

function keyIn(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new Stopped(t('cli.file_unreadable', { file, reason: (error as Error).message }))
  }
}

async function withCommandErrors(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof Stopped) throw new CommandError(error.message)
    const { code, syscall, path } = error as NodeJS.ErrnoException
    if (syscall === undefined || path === undefined) throw error
    throw new CommandError(t('cli.sync.path_unusable', { path, code: String(code) }))
  }
}

/** Prints what happened, and what to do. */

/** More lines than a terminal shows do not help; the exit code and the next run tell the rest. */
const mostNamed = 50

export function printPushed(terminal: Terminal, pushed: Pushed, base: string, dryRun: boolean): void {
  const { done, failed, ignored, leftOut, stopped, files } = pushed
  sayFailed(terminal, failed)
  for (const { path, why } of leftOut.slice(0, mostNamed))
    terminal.say(t('cli.push.skipped', { file: nameOf(path), reason: why }))
  for (const [name, count] of ignored)
    terminal.say([t('cli.push.not_sent', { name: lineOf(name), count }), ...whyNot(name)].join(' '))
  if (stopped) terminal.say(lineOf(stopped))
  const missed = files - failed.length - done.made - done.changed - done.unchanged
  const counts = { ...done, failed: failed.length }
  terminal.say(t(dryRun ? 'cli.push.would_be_done' : 'cli.push.done', counts))
  if (missed > 0) terminal.say(t('cli.push.not_reached', { count: missed }))
  if (!dryRun && done.made + done.changed > 0) terminal.say(t('cli.push.next', { address: `${base}/desk` }))
}

const whyNot = (name: string): string[] => {
  if (name === 'slug' || name === 'permalink') return [t('cli.push.why_slug')]
  if (name === 'draft' || name === 'published') return [t('cli.push.why_draft')]
  if (name === 'title' || name === 'subtitle' || name === 'sub') return [t('cli.push.why_title')]
  return name === 'date' ? [t('cli.push.why_date')] : []
}

export function printPulled(terminal: Terminal, { done, added, failed, others, stopped }: Pulled): void {
  sayFailed(terminal, failed)
  if (stopped) terminal.say(lineOf(stopped))
  terminal.say(t('cli.pull.done', { ...done, failed: failed.length }))
  if (added > 0) terminal.say(t('cli.pull.added', { count: added }))
  if (others > 0) terminal.say(t('cli.pull.others', { count: others }))
}

function sayFailed(terminal: Terminal, failed: Pushed['failed']): void {
  for (const { path, words } of failed.slice(0, mostNamed))
    terminal.say(t('cli.sync.failed', { file: nameOf(path), reason: lineOf(words) }))
  if (failed.length > mostNamed) terminal.say(t('cli.sync.more_failed', { count: failed.length - mostNamed }))
}
