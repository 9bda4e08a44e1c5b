import type { Config } from '#config/config.ts'
import { decideAppealAsOperator } from '#features/moderation/decisions.ts'
import type { Outcome } from '#features/moderation/schema.ts'
import { withholdProduct } from '#features/products/publish.ts'
import { urlsFor } from '#features/urls.ts'
import { isUuid } from '#platform/cursor.ts'
import { normaliseLineWithin } from '#platform/text/normalise.ts'
import { asOwner, CommandError } from './command-support.ts'

/** The limit in the database. */
const longestListingReason = 1000

/** Removes a listing from the shop at once; it cannot be listed again until allowed. */
export async function withdrawListing(config: Config, slug: string, given: { reason: string }): Promise<void> {
  const reason = normaliseLineWithin(given.reason, longestListingReason)
  if (!reason || [...reason].length > longestListingReason) {
    throw new CommandError(`A reason has 1 to ${longestListingReason} characters. Its seller reads it at the desk.`)
  }
  await assertFound(config, slug, reason)
  console.log(`${slug} is out of the shop. Its seller reads why at the desk, and cannot list it again.`)
  console.log(`To undo this: standfirst listing allow ${slug}`)
}

export async function allowListing(config: Config, slug: string): Promise<void> {
  await assertFound(config, slug, null)
  console.log(`Its seller may list ${slug} again. It is not in the shop until they do.`)
}

async function assertFound(config: Config, slug: string, reason: string | null): Promise<void> {
  if (await asOwner(config, (owner) => withholdProduct(owner, slug, reason))) return
  throw new CommandError(
    `No listing has the address ${urlsFor(config.BASE_URL).product(slug)}. Give the part of it that follows /shop/.`,
  )
}

/** The limit in the database. */
const longestAppealReason = 2000

/** Waiting appeals, oldest first. */
export async function listAppeals(config: Config): Promise<void> {
  const { rows } = await asOwner(config, (owner) => owner.query('select * from app.appeals_waiting()'))
  if (rows.length === 0) console.log('No appeal is waiting.')
  for (const { id, appealed_at, headline, category, facts, appeal } of rows) {
    console.log(`${id}  ${appealed_at.toISOString()}  ${JSON.stringify(headline)}`)
    console.log(`  decided: ${category}: ${JSON.stringify(facts)}`)
    console.log(`  appeal: ${JSON.stringify(appeal)}`)
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
    throw new CommandError(`A reason has 1 to ${longestAppealReason} characters. The writer reads it.`)
  }
  if (!isUuid(id)) throw new CommandError('No appeal has this id. "standfirst appeal list" shows those that wait.')
  const urls = urlsFor(config.BASE_URL)
  const { is_public } = await asOwner(config, (owner) =>
    decideAppealAsOperator(owner, urls, id, { outcome, reason }),
  ).catch((error: Error & { code?: string }) => {
    throw error.code?.startsWith('SF') ? new CommandError(error.message) : error
  })
  console.log(
    outcome === 'upheld'
      ? 'The decision stands. Its writer is told why.'
      : `The decision is reversed${is_public ? ', and what it was about is public again' : ''}. Its writer is told why.`,
  )
}
