#!/usr/bin/env node
import { Command, InvalidArgumentError } from 'commander'
import { readConfig } from '#platform/config.ts'
import { inWords } from './commands/command-error.ts'
import { doctor } from './commands/doctor.ts'
import * as key from './commands/key.ts'
import { migrateHouse } from './commands/migrate.ts'
import * as moderator from './commands/moderator.ts'
import { printOpenapi } from './commands/openapi.ts'
import * as passkeys from './commands/passkeys.ts'
import { fillHouse } from './commands/seed.ts'
import { type Serving, serve } from './commands/serve.ts'
import { work } from './commands/worker.ts'
import * as writer from './commands/writer.ts'
import { type DoorName, doorNames } from './opening.ts'

/** The operator's program. The only reader of the environment. */

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
  .option('--doors <names>', `only these doors: ${doorNames.join(', ')}`, doors, doorNames)
  .action((options: Serving) => serve(config(), options))

program
  .command('worker')
  .description('the jobs alone: letters, purges, what happens by the clock')
  .action(() => work(config()))

program
  .command('migrate')
  .description('bring the database up to date: schemas, roles, grants, tables')
  .action(() => migrateHouse(config()))

program
  .command('seed')
  .description('fill an empty house with believable writers and pieces')
  .option('--authors <n>', 'how many authors', count)
  .option('--pieces <n>', 'how many public pieces', count, 400)
  .option('--rng <n>', 'another number, another house', count, 1)
  .option('--json', 'print how to get in as one line of JSON')
  .action((options: { authors?: number; pieces: number; rng: number; json?: true }) => fillHouse(config(), options))

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
  .action((slug: string, options: writer.NewWriter) => writer.add(config(), slug, options))
writers
  .command('list')
  .description('every writer')
  .action(() => writer.list(config()))
writers
  .command('verify <slug>')
  .description('mark an identity (or a website) as verified')
  .option('--website', 'the website instead of the identity')
  .option('--undo', 'take the mark away')
  .action((slug: string, options: { website?: true; undo?: true }) => writer.verify(config(), slug, options))
writers
  .command('rename <slug> <newSlug>')
  .description('a new address; the old one goes on leading to it')
  .action((slug: string, newSlug: string) => writer.rename(config(), slug, newSlug))

const keys = program.command('key').description("writers' API keys: they make drafts, and cannot publish")
keys
  .command('mint <writer>')
  .description('a new key for a writer, shown once')
  .requiredOption('--name <name>', 'what it is for')
  .option('--days <n>', 'how long it lives; for ever if left out', count)
  .action((slug: string, options: { name: string; days?: number }) => key.mint(config(), slug, options))
keys
  .command('list [writer]')
  .description("every key, or one writer's")
  .action((slug: string | undefined) => key.list(config(), slug))
keys
  .command('revoke <key>')
  .description('by its id, its beginning as listed, or the whole key; it stops with its next request')
  .action((which: string) => key.revoke(config(), which))

program
  .command('moderator')
  .description('people who review what writers submit')
  .command('add <email>')
  .description('make a moderator of an account, or an account for one')
  .option('--name <name>', 'for a new account')
  .option('--operator', 'an operator, who may do all that moderators may')
  .action((email: string, options: moderator.Given) => moderator.add(config(), email, options))

program
  .command('passkeys')
  .description('what passkeys need of an operator')
  .command('reseal')
  .description('after a new AUTH_SECRET: without this no passkey signs in any more')
  .action(() => passkeys.reseal(config()))

program
  .command('doctor')
  .description('check configuration, database, rights and cache; say what to do')
  .action(() => doctor(process.env))

program
  .command('openapi')
  .description('print the OpenAPI document')
  .action(() => printOpenapi(process.env))

try {
  await program.parseAsync()
} catch (error) {
  console.error(inWords(error))
  process.exitCode = 1
}
