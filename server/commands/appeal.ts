import { decideAppealAsOperator } from '#features/moderation/decisions.ts'
import type { Outcome } from '#features/moderation/decisions-schema.ts'
import type { Config } from '#platform/config.ts'
import { isUuid } from '#platform/cursor.ts'
import { normaliseLineWithin } from '#platform/text/normalise.ts'
import { urlsFor } from '#platform/urls.ts'
import { asOwner } from './as-owner.ts'
import { CommandError } from './command-error.ts'

/** As the database has it. */
const longestReason = 2000

/** What waits, the longest first. */
export async function list(config: Config): Promise<void> {
  const { rows } = await asOwner(config, (owner) => owner.query('select * from app.appeals_waiting()'))
  if (rows.length === 0) console.log('No appeal is waiting.')
  for (const { id, appealed_at, headline, category, facts, appeal } of rows) {
    console.log(`${id}  ${appealed_at.toISOString()}  ${JSON.stringify(headline)}`)
    console.log(`  decided: ${category}: ${JSON.stringify(facts)}`)
    console.log(`  appeal: ${JSON.stringify(appeal)}`)
  }
}

/** For a site whose only moderator made the decision: nobody decides the appeal against their own. */
export async function decide(config: Config, id: string, outcome: Outcome, given: { reason: string }): Promise<void> {
  const reason = normaliseLineWithin(given.reason, longestReason)
  if (!reason || [...reason].length > longestReason) {
    throw new CommandError(`A reason has 1 to ${longestReason} characters. The writer reads it.`)
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
