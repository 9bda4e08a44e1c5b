import { isSame, nothingSaid, type Said, saidBy } from './form-values.ts'
import type { Kept } from './queries.ts'

/** What a window holds of a listing. */
export interface Held {
  readonly said: Said
  /** What the server has, as far as this window knows: its tag is what the next save is held against. */
  readonly kept: Kept | undefined
  /** What stands at the server, where it was saved from elsewhere meanwhile. */
  readonly theirs: Kept | undefined
}

export const heldOf = (kept: Kept | undefined, currency: string): Held => ({
  said: kept ? saidBy(kept.product, currency) : nothingSaid(currency),
  kept,
  theirs: undefined,
})

export const isUnsaved = ({ said, kept }: Held): boolean => !isSame(said, heldOf(kept, said.currency).said)

/** What was typed while it was on its way stays. */
export const afterSaving = (held: Held, sent: Said, now: Kept): Held => ({
  ...heldOf(now, sent.currency),
  ...(held.said === sent ? {} : { said: held.said }),
})

/**
 * After listing, updating or withdrawing, and after reading it again. With something unsaved here, and something else
 * saved there, the tag stays the old one: otherwise the next save would overwrite what this window has never shown.
 */
export function afterActing(held: Held, now: Kept): Held {
  const { said, kept } = held
  if (!kept || isSame(saidBy(now.product, said.currency), saidBy(kept.product, said.currency)))
    return { said, kept: now, theirs: undefined }
  if (now.product.revision < kept.product.revision) return { ...held, kept: standingAs(kept, now) }
  return isUnsaved(held) ? { said, kept: standingAs(kept, now), theirs: now } : heldOf(now, said.currency)
}

/** What became of it, and not what it says. */
const standingAs = ({ product, tag }: Kept, { product: now }: Kept): Kept => {
  const { status, has_unpublished_changes, withheld, url, listed_at } = now
  return { product: { ...product, status, has_unpublished_changes, withheld, url, listed_at }, tag }
}
