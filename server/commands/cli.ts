#!/usr/bin/env node
import { type Command, InvalidArgumentError } from 'commander'
import { readConfig } from '#config/config.ts'
import { type Purpose, type SurfaceName, surfaceNames } from '#config/required-settings.ts'
import { cliTranslator } from '#messages/cli.ts'
import type { PlainMessageId } from '#messages/message.ts'
import { addPeopleCommands, count } from './cli-people.ts'
import { inWords } from './command-support.ts'
import type { Verifying } from './receipt.ts'
import type { Restoring } from './restore.ts'
import type { Serving } from './serve.ts'
import type { Importing, Pulling, Pushing } from './sync.ts'
import { TranslatedCommand } from './translated-command.ts'
import type { Listening } from './webhook-listen.ts'

/**
 * The command line. Each command is loaded on demand: all of them take two seconds, most of them a fifth.
 */

const t = cliTranslator()
const config = (purpose?: Purpose) => readConfig(process.env, purpose)

const within =
  (least: number, most: number) =>
  (text: string): number => {
    if (!/^\d{1,5}$/.test(text) || Number(text) < least || Number(text) > most)
      throw new InvalidArgumentError(t('cli.number_between', { least: String(least), most: String(most) }))
    return Number(text)
  }

const surfaces = (text: string): SurfaceName[] => {
  const names = new Set(text.split(','))
  const known = surfaceNames.filter((name) => names.has(name))
  if (known.length !== names.size)
    throw new InvalidArgumentError(t('cli.serve.unknown_surface', { names: t.list(surfaceNames, 'disjunction') }))
  return known
}

const helpTitles: Readonly<Record<string, PlainMessageId>> = {
  'Usage:': 'cli.help.usage',
  'Arguments:': 'cli.help.arguments',
  'Options:': 'cli.help.options',
  'Commands:': 'cli.help.commands',
}

const program = new TranslatedCommand('standfirst')
  .description(t('cli.help.standfirst'))
  .helpOption('-h, --help', t('cli.help.help_option'))
  .helpCommand('help [command]', t('cli.help.help_command'))
  .configureHelp({ styleTitle: (title) => (helpTitles[title] ? t(helpTitles[title]) : title) })
  .showHelpAfterError(t('cli.help.after_error', { command: 'standfirst --help' }))

program
  .command('serve')
  .description(t('cli.serve.help'))
  .option('--worker', t('cli.serve.help_worker'))
  .option('--surfaces <names>', t('cli.serve.help_surfaces', { names: surfaceNames.join(',') }), surfaces, [
    ...surfaceNames,
  ])
  .action(async (options: Serving) =>
    (await import('./serve.ts')).serve(config({ surfaces: options.surfaces, jobs: options.worker }), options),
  )

program
  .command('worker')
  .description(t('cli.worker.help'))
  .action(async () => (await import('./worker.ts')).work(config({ jobs: true })))

program
  .command('migrate')
  .description(t('cli.migrate.help'))
  .option('--plan', t('cli.migrate.help_plan'))
  .action(async ({ plan }: { plan?: true }) =>
    plan
      ? (await import('./migrate.ts')).planMigrations(config())
      : (await import('./migrate.ts')).migrateSite(config()),
  )

program
  .command('seed')
  .description(t('cli.seed.help'))
  .option('--authors <n>', t('cli.seed.help_authors'), count)
  .option('--pieces <n>', t('cli.seed.help_pieces'), count, 400)
  .option('--rng <n>', t('cli.seed.help_rng'), count, 1)
  .option('--json', t('cli.seed.help_json'))
  .action(async (options: { authors?: number; pieces: number; rng: number; json?: true }) =>
    (await import('./seed.ts')).fillSite(config(), options),
  )

addPeopleCommands(program, config)

const webhooks = program.command('webhook').description(t('cli.webhook.help'))
webhooks
  .command('status')
  .description(t('cli.webhook.help_status'))
  .action(async () => (await import('./webhook.ts')).status(config()))
webhooks
  .command('listen')
  .description(t('cli.webhook.help_listen'))
  .option('--port <n>', t('cli.webhook.help_port'), within(0, 65_535), 9000)
  .option('--secret <whsec>', t('cli.webhook.help_secret'))
  .option('--answer <status>', t('cli.webhook.help_answer'), within(200, 599))
  .action(async (options: Listening) => (await import('./webhook-listen.ts')).listen(options))

program
  .command('bounces')
  .description(t('cli.bounces.help'))
  .option('--maildir <folder>', t('cli.bounces.help_maildir'))
  .action(async (options: { maildir?: string }) => (await import('./bounces.ts')).noteBounces(config(), options))

const searching = program.command('search').description(t('cli.search.help'))
searching
  .command('status')
  .description(t('cli.search.help_status'))
  .action(async () => (await import('./search.ts')).status(config()))
searching
  .command('build')
  .description(t('cli.search.help_build'))
  .action(async () => (await import('./search.ts')).build(config()))

const known = () => ({ url: process.env['STANDFIRST_URL'], key: process.env['STANDFIRST_KEY'] })
const ofWriter = (command: Command): Command =>
  command.option('--url <address>', t('cli.sync.help_url')).option('--key-file <file>', t('cli.sync.help_key_file'))

ofWriter(program.command('push <folder>'))
  .description(t('cli.push.help'))
  .option('--dry-run', t('cli.push.help_dry_run'))
  .option('--force', t('cli.push.help_force'))
  .action(async (folder: string, options: Pushing) => (await import('./sync.ts')).pushFolder(known(), folder, options))
ofWriter(program.command('pull <folder>'))
  .description(t('cli.pull.help'))
  .option('--force', t('cli.pull.help_force'))
  .action(async (folder: string, options: Pulling) => (await import('./sync.ts')).pullFolder(known(), folder, options))

ofWriter(program.command('import <service> <export>'))
  .description(t('cli.import.help'))
  .option('--into <folder>', t('cli.import.help_into'), 'imported')
  .option('--site <address>', t('cli.import.help_site'))
  .option('--push', t('cli.import.help_push'))
  .action(async (service: string, path: string, options: Importing) =>
    (await import('./sync.ts')).importPosts(known(), service, path, options),
  )

program
  .command('receipt')
  .description(t('cli.receipt.help'))
  .command('verify <receipt>')
  .description(t('cli.receipt.help_verify'))
  .option('--piece <file>', t('cli.receipt.help_piece'))
  .option('--key <file>', t('cli.receipt.help_key', { path: '/.well-known/standfirst-receipts.json' }))
  .action(async (receipt: string, options: Verifying) => (await import('./receipt.ts')).verify(receipt, options))

program
  .command('passkeys')
  .description(t('cli.passkeys.help'))
  .command('reseal')
  .description(t('cli.passkeys.help_reseal'))
  .action(async () => (await import('./reseal.ts')).resealAllPasskeys(config()))

program
  .command('secrets')
  .description(t('cli.secrets.help'))
  .command('reseal')
  .description(t('cli.secrets.help_reseal'))
  .action(async () => (await import('./reseal.ts')).resealSecrets(config()))

program
  .command('backup <file>')
  .description(t('cli.backup.help'))
  .action(async (file: string) => (await import('./backup.ts')).backup(process.env, file))

program
  .command('restore <file>')
  .description(t('cli.restore.help'))
  .option('--into <database>', t('cli.restore.help_into'))
  .option('--check', t('cli.restore.help_check'))
  .action(async (file: string, options: Restoring) =>
    (await import('./restore.ts')).restore(process.env, file, options),
  )

program
  .command('doctor')
  .description(t('cli.doctor.help'))
  .action(async () => (await import('./doctor.ts')).doctor(process.env))

program
  .command('healthcheck')
  .description(t('cli.healthcheck.help'))
  .option('--port <n>', t('cli.healthcheck.help_port'), within(1, 65_535))
  .action(async (options: { port?: number }) => (await import('./healthcheck.ts')).checkHealth(config(), options))

program
  .command('openapi')
  .description(t('cli.openapi.help'))
  .action(async () => (await import('./openapi.ts')).printOpenapi(process.env))

try {
  await program.parseAsync()
} catch (error) {
  console.error(inWords(error))
  process.exitCode = 1
}
