#!/usr/bin/env node
import { Command, InvalidArgumentError } from 'commander'
import { readConfig } from '#platform/config.ts'
import { inWords } from './commands/command-error.ts'
import { doctor } from './commands/doctor.ts'
import { migrateHouse } from './commands/migrate.ts'
import { printOpenapi } from './commands/openapi.ts'
import { fillHouse } from './commands/seed.ts'
import { serve } from './commands/serve.ts'
import * as writer from './commands/writer.ts'

/** The operator's program. The only reader of the environment. */

const config = () => readConfig(process.env)

const count = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It is a whole number.')
  return Number(text)
}

const doorNames = ['public', 'write', 'desk']
const doors = (text: string): string[] => {
  const names = text.split(',')
  if (names.some((name) => !doorNames.includes(name)))
    throw new InvalidArgumentError(`Doors are ${doorNames.join(', ')}.`)
  return names
}

const program = new Command('standfirst')
  .description('A content publishing service: writers publish, everyone and every machine can read.')
  .showHelpAfterError('(standfirst --help lists the commands)')

program
  .command('serve')
  .description('the HTTP server')
  .option('--worker', 'also run the jobs, in this process: for a small house')
  .option('--doors <names>', `only these doors: ${doorNames.join(', ')}`, doors, doorNames)
  .action((options: { doors: string[] }) => serve(config(), options.doors))

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
