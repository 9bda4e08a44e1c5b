#!/usr/bin/env node
import { Command, InvalidArgumentError } from 'commander'
import { readConfig } from '#config/config.ts'
import { type Purpose, type SurfaceName, surfaceNames } from '#config/required-settings.ts'
import { addPeopleCommands, count } from './cli-people.ts'
import { inWords } from './command-support.ts'
import type { Verifying } from './receipt.ts'
import type { Restoring } from './restore.ts'
import type { Serving } from './serve.ts'
import type { Importing, Pulling, Pushing } from './sync.ts'
import type { Listening } from './webhook-listen.ts'

/**
 * The command line, and the only reader of the environment. Each command is loaded on demand: all of them take two
 * seconds, most of them a fifth.
 */

const config = (purpose?: Purpose) => readConfig(process.env, purpose)

const within =
  (least: number, most: number) =>
  (text: string): number => {
    if (!/^\d{1,5}$/.test(text) || Number(text) < least || Number(text) > most)
      throw new InvalidArgumentError(`It is a whole number from ${least} to ${most}.`)
    return Number(text)
  }

const surfaces = (text: string): SurfaceName[] => {
  const names = new Set(text.split(','))
  const known = surfaceNames.filter((name) => names.has(name))
  if (known.length !== names.size) throw new InvalidArgumentError(`Surfaces are ${surfaceNames.join(', ')}.`)
  return known
}

const program = new Command('standfirst')
  .description('A content publishing service: writers publish, everyone and every machine can read.')
  .showHelpAfterError('(standfirst --help lists the commands)')

program
  .command('serve')
  .description('the HTTP server')
  .option('--worker', 'also run the jobs, in this process: for a small site')
  .option('--surfaces <names>', `only these surfaces: ${surfaceNames.join(', ')}`, surfaces, [...surfaceNames])
  .action(async (options: Serving) =>
    (await import('./serve.ts')).serve(config({ surfaces: options.surfaces, jobs: options.worker }), options),
  )

program
  .command('worker')
  .description('the jobs alone: letters, purges, webhooks, filing for search, what happens by the clock')
  .action(async () => (await import('./worker.ts')).work(config({ jobs: true })))

program
  .command('migrate')
  .description('bring the database up to date: schemas, roles, grants, tables')
  .option('--plan', 'only say what it would lock, and for how long')
  .action(async ({ plan }: { plan?: true }) =>
    plan
      ? (await import('./migrate.ts')).planMigrations(config())
      : (await import('./migrate.ts')).migrateSite(config()),
  )

program
  .command('seed')
  .description('fill an empty site with believable writers and pieces')
  .option('--authors <n>', 'how many authors', count)
  .option('--pieces <n>', 'how many public pieces', count, 400)
  .option('--rng <n>', 'another number, another site', count, 1)
  .option('--json', 'print how to get in as one line of JSON')
  .action(async (options: { authors?: number; pieces: number; rng: number; json?: true }) =>
    (await import('./seed.ts')).fillSite(config(), options),
  )

addPeopleCommands(program, config)

const webhooks = program.command('webhook').description('for those who run webhooks, and those who receive them')
webhooks
  .command('status')
  .description('how many there are, what waits to be sent, and whose servers fail')
  .action(async () => (await import('./webhook.ts')).status(config()))
webhooks
  .command('listen')
  .description('a receiver on this machine that verifies each delivery and shows it')
  .option('--port <n>', 'where it listens', within(0, 65_535), 9000)
  .option('--secret <whsec>', 'the secret of the webhook, as the desk showed it')
  .option('--answer <status>', 'answer everything with this status, such as 500', within(200, 599))
  .action(async (options: Listening) => (await import('./webhook-listen.ts')).listen(options))

const searching = program.command('search').description('the index of what is public, for those who run the site')
searching
  .command('status')
  .description('how many pieces are filed, how many wait, and how large the index is')
  .action(async () => (await import('./search.ts')).status(config()))
searching
  .command('build')
  .description('file all that waits, with progress: for a site that was just migrated, restored or filled')
  .action(async () => (await import('./search.ts')).build(config()))

const known = () => ({ url: process.env['STANDFIRST_URL'], key: process.env['STANDFIRST_KEY'] })
const ofWriter = (command: Command): Command =>
  command
    .option('--url <address>', 'the site, if STANDFIRST_URL does not say')
    .option('--key-file <file>', 'where your key lies, if STANDFIRST_KEY does not say it')

ofWriter(program.command('push <folder>'))
  .description('Markdown files, or one, as your drafts; run it again and only what changed is sent')
  .option('--dry-run', 'say what would be done, and send nothing')
  .option('--force', 'overwrite what was changed elsewhere, and make anew what was deleted')
  .action(async (folder: string, options: Pushing) => (await import('./sync.ts')).pushFolder(known(), folder, options))
ofWriter(program.command('pull <folder>'))
  .description('your drafts as Markdown files, which push sends back as they are')
  .option('--force', 'overwrite what was changed in the files')
  .action(async (folder: string, options: Pulling) => (await import('./sync.ts')).pullFolder(known(), folder, options))

ofWriter(program.command('import <service> <export>'))
  .description('posts from an export of ghost, medium, substack or devto, as Markdown files for push')
  .option('--into <folder>', 'where the files go', 'imported')
  .option('--site <address>', 'where the posts were published, if the export does not say')
  .option('--push', 'push them as drafts, too')
  .action(async (service: string, path: string, options: Importing) =>
    (await import('./sync.ts')).importPosts(known(), service, path, options),
  )

program
  .command('receipt')
  .description('for anybody who holds a receipt of something published')
  .command('verify <receipt>')
  .description('whether a receipt is what it says: an address to fetch, or a file to look at offline')
  .option('--piece <file>', 'the piece, as the API answers it; fetched if the receipt is')
  .option('--key <file>', 'the keys to believe, as saved from /.well-known/standfirst-receipts.json')
  .action(async (receipt: string, options: Verifying) => (await import('./receipt.ts')).verify(receipt, options))

program
  .command('passkeys')
  .description('what passkeys need of an operator')
  .command('reseal')
  .description('after a new AUTH_SECRET: without this no passkey signs in any more')
  .action(async () => (await import('./reseal.ts')).resealAllPasskeys(config()))

program
  .command('secrets')
  .description('what SECRETS_KEY seals in the database')
  .command('reseal')
  .description('after a new first key in SECRETS_KEY: seal everything with it, so that the former ones can go')
  .action(async () => (await import('./reseal.ts')).resealSecrets(config()))

program
  .command('backup <file>')
  .description('database and pictures in one file, while the site goes on')
  .action(async (file: string) => (await import('./backup.ts')).backup(process.env, file))

program
  .command('restore <file>')
  .description('a backup, into an empty database and the place of pictures')
  .option('--into <database>', 'another database than that of DATABASE_URL: its name, or an address')
  .option('--check', 'only say whether the file is whole')
  .action(async (file: string, options: Restoring) =>
    (await import('./restore.ts')).restore(process.env, file, options),
  )

program
  .command('doctor')
  .description('check configuration, database, rights and cache; say what to do')
  .action(async () => (await import('./doctor.ts')).doctor(process.env))

program
  .command('healthcheck')
  .description('ask the process on this machine whether it lives; for containers')
  .option('--port <n>', 'another port than ADMIN_PORT', within(1, 65_535))
  .action(async (options: { port?: number }) => (await import('./healthcheck.ts')).checkHealth(config(), options))

program
  .command('openapi')
  .description('print the OpenAPI document')
  .action(async () => (await import('./openapi.ts')).printOpenapi(process.env))

try {
  await program.parseAsync()
} catch (error) {
  console.error(inWords(error))
  process.exitCode = 1
}
