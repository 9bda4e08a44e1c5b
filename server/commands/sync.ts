import { readFileSync } from 'node:fs'
import { webAddress } from '#platform/text/normalise.ts'
import { type ApiClient, baseOf, isOpenNetwork, openClient } from '#sync/api-client.ts'
import { type Pulled, pull } from '#sync/pull.ts'
import { type Pushed, push } from '#sync/push.ts'
import { counted, lineOf, nameOf, plural, Stopped, type Terminal, terminalOn } from '#sync/terminal.ts'
import { CommandError } from './command-support.ts'

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
  const { importExport, services } = await import('#sync/imports/import.ts')
  await withCommandErrors(async () => {
    const from = services.find((one) => one === service)
    if (from === undefined)
      throw new Stopped(`Exports of ${services.join(', ')} are read, and ${service} is none of them.`)
    const root = importExport(from, path, into, { site: siteOf(site) }, terminalOn(process.stdout))
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

function clientOf(known: Known, { url, keyFile }: Where, terminal: Terminal): ApiClient {
  const key = keyFile === undefined ? known.key?.trim() : keyIn(keyFile)
  const client = openClient(url ?? known.url, key, terminal.waiting)
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

async function withCommandErrors(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof Stopped) throw new CommandError(error.message)
    const { code, syscall, path } = error as NodeJS.ErrnoException
    if (syscall === undefined || path === undefined) throw error
    throw new CommandError(`${path} cannot be used (${code}). Choose another place, or mend its rights.`)
  }
}

/** Prints what happened, and what to do. */

/** More lines than a terminal shows do not help; the exit code and the next run tell the rest. */
const mostNamed = 50

export function printPushed(terminal: Terminal, pushed: Pushed, base: string, dryRun: boolean): void {
  const { done, failed, ignored, leftOut, stopped, files } = pushed
  sayFailed(terminal, failed)
  for (const { path, why } of leftOut.slice(0, mostNamed)) terminal.say(`Left out: ${nameOf(path)} ${why}.`)
  for (const [name, count] of ignored)
    terminal.say(`Not sent: ${lineOf(name)}, in ${plural(count, 'file')}${whyNot(name)}.`)
  if (stopped) terminal.say(lineOf(stopped))
  const would = dryRun ? 'Would be: ' : ''
  const missed = files - failed.length - done.made - done.changed - done.unchanged
  terminal.say(
    `${would}${counted(done.made)} made, ${counted(done.changed)} changed, ${counted(done.unchanged)} unchanged, ` +
      `${counted(failed.length)} could not${missed > 0 ? `, ${counted(missed)} not reached` : ''}.`,
  )
  if (!dryRun && done.made + done.changed > 0) terminal.say(`They are drafts. Read and publish them at ${base}/desk.`)
}

const whyNot = (name: string): string => {
  if (name === 'slug' || name === 'permalink') return ': the site makes addresses itself'
  if (name === 'draft' || name === 'published') return ': everything is a draft until its writer publishes it'
  if (name === 'title' || name === 'subtitle' || name === 'sub') return ': another name says the same'
  if (name === 'date') return ': a piece has the day on which it is published here'
  return ''
}

export function printPulled(terminal: Terminal, { done, added, failed, others, stopped }: Pulled): void {
  sayFailed(terminal, failed)
  if (stopped) terminal.say(lineOf(stopped))
  terminal.say(
    `${counted(done.fetched)} fetched, ${counted(done.unchanged)} unchanged, ` +
      `${counted(done.kept)} newer here (push them), ${counted(failed.length)} could not.`,
  )
  if (added > 0)
    terminal.say(`${plural(added, 'draft')} had no file here, and ${added === 1 ? 'has' : 'have'} one now.`)
  if (others > 0) {
    terminal.say(
      `${plural(others, 'piece is', 'pieces are')} past being a draft, which a key does not read. The desk's export, under Account, has them.`,
    )
  }
}

function sayFailed(terminal: Terminal, failed: Pushed['failed']): void {
  for (const { path, words } of failed.slice(0, mostNamed)) terminal.say(`Could not: ${nameOf(path)}: ${lineOf(words)}`)
  if (failed.length > mostNamed) terminal.say(`Could not: ${plural(failed.length - mostNamed, 'more file')}.`)
}
