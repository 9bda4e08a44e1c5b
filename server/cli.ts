#!/usr/bin/env node
import { Command, InvalidArgumentError } from 'commander'
import { readConfig } from '#platform/config.ts'
import { inWords } from './commands/command-error.ts'
import type { Given as NewModerator } from './commands/moderator.ts'
import type { Serving } from './commands/serve.ts'
import type { NewWriter } from './commands/writer.ts'
import { type DoorName, doorNames } from './door-names.ts'

/**
 * The operator's program. The only reader of the environment. Each command is loaded when it is asked for: all of them
 * take two seconds, most of them a fifth of one.
 */

const writer = () => import('./commands/writer.ts')
const key = () => import('./commands/key.ts')
const listing = () => import('./commands/listing.ts')

const config = () => readConfig(process.env)

const count = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It is a whole number.')
  return Number(text)
}

const doors = (text: string): DoorName[] => {
  const names = new Set(text.split(','))
  const known = doorNames.filter((name) => names.has(name))
  if (known.length !== names.size) throw new InvalidArgumentError(`Doors are ${doorNames.join(', ')}.`)
  return known
}

const program = new Command('standfirst')
  .description('A content publishing service: writers publish, everyone and every machine can read.')
  .showHelpAfterError('(standfirst --help lists the commands)')

program
  .command('serve')
  .description('the HTTP server')
  .option('--worker', 'also run the jobs, in this process: for a small house')
  .option('--doors <names>', `only these doors: ${doorNames.join(', ')}`, doors, [...doorNames])
  .action(async (options: Serving) => (await import('./commands/serve.ts')).serve(config(), options))

program
  .command('worker')
  .description('the jobs alone: letters, purges, what happens by the clock')
  .action(async () => (await import('./commands/worker.ts')).work(config()))

program
  .command('migrate')
  .description('bring the database up to date: schemas, roles, grants, tables')
  .action(async () => (await import('./commands/migrate.ts')).migrateHouse(config()))

program
  .command('seed')
  .description('fill an empty house with believable writers and pieces')
  .option('--authors <n>', 'how many authors', count)
  .option('--pieces <n>', 'how many public pieces', count, 400)
  .option('--rng <n>', 'another number, another house', count, 1)
  .option('--json', 'print how to get in as one line of JSON')
  .action(async (options: { authors?: number; pieces: number; rng: number; json?: true }) =>
    (await import('./commands/seed.ts')).fillHouse(config(), options),
  )

const writers = program.command('writer').description('what an operator does for writers without a browser')
writers
  .command('add <slug>')
  .description('a new writer with a public profile')
  .requiredOption('--name <name>')
  .option('--bio <text>')
  .option('--role <text>')
  .option('--niche <text>')
  .option('--location <text>')
  .option('--website <url>')
  .action(async (slug: string, options: NewWriter) => (await writer()).add(config(), slug, options))
writers
  .command('list')
  .description('every writer')
  .action(async () => (await writer()).list(config()))
writers
  .command('verify <slug>')
  .description('mark an identity (or a website) as verified')
  .option('--website', 'the website instead of the identity')
  .option('--undo', 'take the mark away')
  .action(async (slug: string, options: { website?: true; undo?: true }) =>
    (await writer()).verify(config(), slug, options),
  )
writers
  .command('rename <slug> <newSlug>')
  .description('a new address; the old one goes on leading to it')
  .action(async (slug: string, newSlug: string) => (await writer()).rename(config(), slug, newSlug))

const keys = program.command('key').description("writers' API keys: they make drafts, and cannot publish")
keys
  .command('mint <writer>')
  .description('a new key for a writer, shown once')
  .requiredOption('--name <name>', 'what it is for')
  .option('--days <n>', 'how long it lives; for ever if left out', count)
  .action(async (slug: string, options: { name: string; days?: number }) => (await key()).mint(config(), slug, options))
keys
  .command('list [writer]')
  .description("every key, or one writer's")
  .action(async (slug: string | undefined) => (await key()).list(config(), slug))
keys
  .command('revoke <key>')
  .description('by its id, its beginning as listed, or the whole key; it stops with its next request')
  .action(async (which: string) => (await key()).revoke(config(), which))

const listings = program.command('listing').description('what an operator does about listings of the shop')
listings
  .command('withdraw <slug>')
  .description('take a listing out of the shop, and keep it out')
  .requiredOption('--reason <text>', 'why; its seller reads it')
  .action(async (slug: string, options: { reason: string }) => (await listing()).withdraw(config(), slug, options))
listings
  .command('allow <slug>')
  .description('its seller may list it again')
  .action(async (slug: string) => (await listing()).allow(config(), slug))

program
  .command('moderator')
  .description('people who review what writers submit')
  .command('add <email>')
  .description('make a moderator of an account, or an account for one')
  .option('--name <name>', 'for a new account')
  .option('--operator', 'an operator, who may do all that moderators may')
  .action(async (email: string, options: NewModerator) =>
    (await import('./commands/moderator.ts')).add(config(), email, options),
  )

program
  .command('passkeys')
  .description('what passkeys need of an operator')
  .command('reseal')
  .description('after a new AUTH_SECRET: without this no passkey signs in any more')
  .action(async () => (await import('./commands/passkeys.ts')).reseal(config()))

program
  .command('doctor')
  .description('check configuration, database, rights and cache; say what to do')
  .action(async () => (await import('./commands/doctor.ts')).doctor(process.env))

program
  .command('openapi')
  .description('print the OpenAPI document')
  .action(async () => (await import('./commands/openapi.ts')).printOpenapi(process.env))

try {
  await program.parseAsync()
} catch (error) {
  console.error(inWords(error))
  process.exitCode = 1
}
