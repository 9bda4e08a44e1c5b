import type { Config } from '#config/config.ts'
import { decideAppealAsOperator } from '#features/moderation/decisions.ts'
import type { Outcome } from '#features/moderation/schema.ts'
import { withholdProduct } from '#features/products/publish.ts'
import { urlsFor } from '#features/urls.ts'
import { cliTranslator } from '#messages/cli.ts'
import { isUuid } from '#platform/cursor.ts'
import { normaliseLineWithin } from '#platform/text/normalise.ts'
import { asOwner, CommandError } from './command-support.ts'

const t = cliTranslator()

/** The limit in the database. */
const longestListingReason = 1000

/** Removes a listing from the shop at once; it cannot be listed again until allowed. */
export async function withdrawListing(config: Config, slug: string, given: { reason: string }): Promise<void> {
  const reason = normaliseLineWithin(given.reason, longestListingReason)
  if (!reason || [...reason].length > longestListingReason) {
    throw new CommandError(t('cli.bad_reason', { most: longestListingReason }))
  }
  await assertFound(config, slug, reason)
  console.log(t('cli.listing.withdrawn', { slug }))
  console.log(t('cli.undo', { command: `standfirst listing allow ${slug}` }))
}

export async function allowListing(config: Config, slug: string): Promise<void> {
  await assertFound(config, slug, null)
  console.log(t('cli.listing.allowed', { slug }))
}

async function assertFound(config: Config, slug: string, reason: string | null): Promise<void> {
  if (await asOwner(config, (owner) => withholdProduct(owner, slug, reason))) return
  throw new CommandError(t('cli.listing.unknown', { address: urlsFor(config.BASE_URL).product(slug) }))
}

/** The limit in the database. */
const longestAppealReason = 2000

/** Waiting appeals, oldest first. */
export async function listAppeals(config: Config): Promise<void> {
  const { rows } = await asOwner(config, (owner) => owner.query('select * from app.appeals_waiting()'))
  if (rows.length === 0) console.log(t('cli.appeal.none'))
  for (const { id, appealed_at, headline, category, facts, appeal } of rows) {
    console.log(`${id}  ${appealed_at.toISOString()}  ${JSON.stringify(headline)}`)
    console.log(`  ${t('cli.appeal.decision', { category, facts: JSON.stringify(facts) })}`)
    console.log(`  ${t('cli.appeal.text', { text: JSON.stringify(appeal) })}`)
  }
}

/** For a site whose only moderator made the decision: nobody decides an appeal against their own. */
export async function decideAppeal(
  config: Config,
  id: string,
  outcome: Outcome,
  given: { reason: string },
): Promise<void> {
  const reason = normaliseLineWithin(given.reason, longestAppealReason)
  if (!reason || [...reason].length > longestAppealReason) {
    throw new CommandError(t('cli.bad_reason', { most: longestAppealReason }))
  }
  if (!isUuid(id)) throw new CommandError(t('cli.appeal.unknown', { command: 'standfirst appeal list' }))
  const urls = urlsFor(config.BASE_URL)
  const { is_public } = await asOwner(config, (owner) => decideAppealAsOperator(owner, urls, id, { outcome, reason }))
  const result = outcome === 'upheld' ? 'upheld' : is_public ? 'reversed_public' : 'reversed'
  console.log(t(`cli.appeal.done_${result}`))
}
