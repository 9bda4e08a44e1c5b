import { type Command, InvalidArgumentError } from 'commander'
import type { Config } from '#config/config.ts'
import { cliTranslator } from '#messages/cli.ts'
import type { NewModerator } from './account.ts'
import type { Mint } from './key.ts'
import type { NewWriter } from './writer.ts'

/** Commands for writers, moderators, accounts and what belongs to them; each module is loaded on demand. */

const t = cliTranslator()

const writer = () => import('./writer.ts')
const key = () => import('./key.ts')
const moderation = () => import('./moderation.ts')
const account = () => import('./account.ts')

export const count = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError(t('cli.number_whole'))
  return Number(text)
}

export function addPeopleCommands(program: Command, config: () => Config): void {
  const writers = program.command('writer').description(t('cli.writer.help'))
  writers
    .command('add <slug>')
    .description(t('cli.writer.help_add'))
    .requiredOption('--name <name>')
    .option('--bio <text>')
    .option('--role <text>')
    .option('--niche <text>')
    .option('--location <text>')
    .option('--website <url>')
    .option('--email <address>', t('cli.writer.help_add_email'))
    .action(async (slug: string, options: NewWriter) => (await writer()).add(config(), slug, options))
  writers
    .command('invite <slug> <email>')
    .description(t('cli.writer.help_invite'))
    .action(async (slug: string, email: string) => (await writer()).invite(config(), slug, email))
  writers
    .command('list')
    .description(t('cli.writer.help_list'))
    .action(async () => (await writer()).list(config()))
  writers
    .command('verify <slug>')
    .description(t('cli.writer.help_verify'))
    .option('--website', t('cli.writer.help_verify_website'))
    .option('--undo', t('cli.writer.help_verify_undo'))
    .action(async (slug: string, options: { website?: true; undo?: true }) =>
      (await writer()).verify(config(), slug, options),
    )
  writers
    .command('rename <slug> <newSlug>')
    .description(t('cli.writer.help_rename'))
    .action(async (slug: string, newSlug: string) => (await writer()).rename(config(), slug, newSlug))

  writers
    .command('suspend <slug>')
    .description(t('cli.writer.help_suspend'))
    .requiredOption('--reason <text>', t('cli.writer.help_suspend_reason'))
    .action(async (slug: string, options: { reason: string }) =>
      (await writer()).suspend(config(), 'suspend', slug, options),
    )
  writers
    .command('restore <slug>')
    .description(t('cli.writer.help_restore'))
    .option('--reason <text>', t('cli.writer.help_restore_reason'))
    .action(async (slug: string, options: { reason?: string }) =>
      (await writer()).suspend(config(), 'restore', slug, options),
    )
  writers
    .command('resume-followers <slug>')
    .description(t('cli.writer.help_resume_followers'))
    .action(async (slug: string) => (await writer()).resumeFollowers(config(), slug))

  program
    .command('invite')
    .description(t('cli.invite.help'))
    .option('--email <address>', t('cli.invite.help_email'))
    .action(async (options: { email?: string }) => (await account()).inviteToSignUp(config(), options))

  const keys = program.command('key').description(t('cli.key.help'))
  keys
    .command('mint <writer>')
    .description(t('cli.key.help_mint'))
    .requiredOption('--name <name>', t('cli.key.help_mint_name'))
    .option('--days <n>', t('cli.key.help_mint_days'), count)
    .option('--no-end', t('cli.key.help_mint_no_end'))
    .option('--scope <scope...>', t('cli.key.help_mint_scope', { scopes: 'drafts:read, drafts:edit, drafts:delete' }))
    .action(async (slug: string, options: Mint) => (await key()).mint(config(), slug, options))
  keys
    .command('list [writer]')
    .description(t('cli.key.help_list'))
    .action(async (slug: string | undefined) => (await key()).list(config(), slug))
  keys
    .command('revoke <key>')
    .description(t('cli.key.help_revoke'))
    .action(async (which: string) => (await key()).revoke(config(), which))

  const listings = program.command('listing').description(t('cli.listing.help'))
  listings
    .command('withdraw <slug>')
    .description(t('cli.listing.help_withdraw'))
    .requiredOption('--reason <text>', t('cli.listing.help_withdraw_reason'))
    .action(async (slug: string, options: { reason: string }) =>
      (await moderation()).withdrawListing(config(), slug, options),
    )
  listings
    .command('allow <slug>')
    .description(t('cli.listing.help_allow'))
    .action(async (slug: string) => (await moderation()).allowListing(config(), slug))

  const appeals = program.command('appeal').description(t('cli.appeal.help'))
  appeals
    .command('list')
    .description(t('cli.appeal.help_list'))
    .action(async () => (await moderation()).listAppeals(config()))
  for (const [name, outcome] of [
    ['uphold', 'upheld'],
    ['reverse', 'reversed'],
  ] as const) {
    appeals
      .command(`${name} <id>`)
      .description(t(`cli.appeal.help_${name}`))
      .requiredOption('--reason <text>', t('cli.appeal.help_reason'))
      .action(async (id: string, options: { reason: string }) =>
        (await moderation()).decideAppeal(config(), id, outcome, options),
      )
  }

  program
    .command('moderator')
    .description(t('cli.moderator.help'))
    .command('add <email>')
    .description(t('cli.moderator.help_add'))
    .option('--name <name>', t('cli.moderator.help_add_name'))
    .option('--operator', t('cli.moderator.help_add_operator'))
    .action(async (email: string, options: NewModerator) => (await account()).addModerator(config(), email, options))

  const accounts = program.command('account').description(t('cli.account.help'))
  accounts
    .command('sign-out <email>')
    .description(t('cli.account.help_sign_out'))
    .action(async (email: string) => (await account()).signOut(config(), email))
  accounts
    .command('bar <email>')
    .description(t('cli.account.help_bar'))
    .action(async (email: string) => (await account()).bar(config(), email))
  accounts
    .command('allow <email>')
    .description(t('cli.account.help_allow'))
    .action(async (email: string) => (await account()).allow(config(), email))

  accounts
    .command('history-verify [file]')
    .description(t('cli.account.help_history_verify'))
    .action(async (file: string | undefined) => (await account()).verifyHistory(() => config(), file))
}
