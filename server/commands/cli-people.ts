import { type Command, InvalidArgumentError } from 'commander'
import type { Config } from '#config/config.ts'
import type { NewModerator } from './account.ts'
import type { Mint } from './key.ts'
import type { NewWriter } from './writer.ts'

/** Commands for writers, moderators, accounts and what belongs to them; each module is loaded on demand. */

const writer = () => import('./writer.ts')
const key = () => import('./key.ts')
const moderation = () => import('./moderation.ts')
const account = () => import('./account.ts')

export const count = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It is a whole number.')
  return Number(text)
}

export function addPeopleCommands(program: Command, config: () => Config): void {
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
    .option('--email <address>', 'of whoever is to sign in as them: prints a link to set a password')
    .action(async (slug: string, options: NewWriter) => (await writer()).add(config(), slug, options))
  writers
    .command('invite <slug> <email>')
    .description('let someone sign in as a writer: prints a link to set a password')
    .action(async (slug: string, email: string) => (await writer()).invite(config(), slug, email))
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

  writers
    .command('suspend <slug>')
    .description('hide everything of theirs, and let them write nothing, until they are restored')
    .requiredOption('--reason <text>', 'why; they are told')
    .action(async (slug: string, options: { reason: string }) =>
      (await writer()).suspend(config(), 'suspend', slug, options),
    )
  writers
    .command('restore <slug>')
    .description('end a suspension: everything is public as it was')
    .option('--reason <text>', 'for the trail')
    .action(async (slug: string, options: { reason?: string }) =>
      (await writer()).suspend(config(), 'restore', slug, options),
    )

  program
    .command('invite')
    .description('let someone sign up where SIGN_UP is invited: prints a link for one account, good for two weeks')
    .option('--email <address>', 'send it there instead')
    .action(async (options: { email?: string }) => (await account()).inviteToSignUp(config(), options))

  const keys = program.command('key').description("writers' API keys: they make drafts, and cannot publish")
  keys
    .command('mint <writer>')
    .description('a new key for a writer, shown once')
    .requiredOption('--name <name>', 'what it is for')
    .option('--days <n>', 'how long it lives; a year if left out', count)
    .option('--no-end', 'it lives until it is revoked')
    .option('--scope <scope...>', 'more than its own drafts: drafts:read, drafts:edit, drafts:delete')
    .action(async (slug: string, options: Mint) => (await key()).mint(config(), slug, options))
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
    .action(async (slug: string, options: { reason: string }) =>
      (await moderation()).withdrawListing(config(), slug, options),
    )
  listings
    .command('allow <slug>')
    .description('its seller may list it again')
    .action(async (slug: string) => (await moderation()).allowListing(config(), slug))

  const appeals = program.command('appeal').description('appeals of writers, where no other moderator can decide them')
  appeals
    .command('list')
    .description('those that wait, the longest first')
    .action(async () => (await moderation()).listAppeals(config()))
  for (const [name, outcome, description] of [
    ['uphold', 'upheld', 'the decision stands'],
    ['reverse', 'reversed', 'the decision was wrong: all is as it was before'],
  ] as const) {
    appeals
      .command(`${name} <id>`)
      .description(description)
      .requiredOption('--reason <text>', 'why; its writer reads it')
      .action(async (id: string, options: { reason: string }) =>
        (await moderation()).decideAppeal(config(), id, outcome, options),
      )
  }

  program
    .command('moderator')
    .description('people who review what writers submit')
    .command('add <email>')
    .description('make a moderator of an account, or an account for one')
    .option('--name <name>', 'for a new account')
    .option('--operator', 'an operator, who may do all that moderators may')
    .action(async (email: string, options: NewModerator) => (await account()).addModerator(config(), email, options))

  const accounts = program.command('account').description('who may come in')
  accounts
    .command('sign-out <email>')
    .description('end every session of theirs')
    .action(async (email: string) => (await account()).signOut(config(), email))
  accounts
    .command('bar <email>')
    .description('end every session, and let neither them nor their keys in')
    .action(async (email: string) => (await account()).bar(config(), email))
  accounts
    .command('allow <email>')
    .description('let them in again')
    .action(async (email: string) => (await account()).allow(config(), email))

  accounts
    .command('history-verify [file]')
    .description('whether the security history of every account is whole, or one that its owner downloaded')
    .action(async (file: string | undefined) => (await account()).verifyHistory(() => config(), file))
}
