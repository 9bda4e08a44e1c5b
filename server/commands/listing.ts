import { withholdProduct } from '#features/products/withhold.ts'
import type { Config } from '#platform/config.ts'
import { normaliseLineWithin } from '#platform/text/normalise.ts'
import { urlsFor } from '#platform/urls.ts'
import { asOwner } from './as-owner.ts'
import { CommandError } from './command-error.ts'

/** As the database has it. */
const longestReason = 1000

/** Out of the shop at once, whoever listed it, and not listed again until it is allowed. */
export async function withdraw(config: Config, slug: string, given: { reason: string }): Promise<void> {
  const reason = normaliseLineWithin(given.reason, longestReason)
  if (!reason || [...reason].length > longestReason) {
    throw new CommandError(`A reason has 1 to ${longestReason} characters. Its seller reads it at the desk.`)
  }
  await demandFound(config, slug, reason)
  console.log(`${slug} is out of the shop. Its seller reads why at the desk, and cannot list it again.`)
  console.log(`To undo this: standfirst listing allow ${slug}`)
}

export async function allow(config: Config, slug: string): Promise<void> {
  await demandFound(config, slug, null)
  console.log(`Its seller may list ${slug} again. It is not in the shop until they do.`)
}

async function demandFound(config: Config, slug: string, reason: string | null): Promise<void> {
  if (await asOwner(config, (owner) => withholdProduct(owner, slug, reason))) return
  throw new CommandError(
    `No listing has the address ${urlsFor(config.BASE_URL).product(slug)}. Give the part of it that follows /shop/.`,
  )
}
