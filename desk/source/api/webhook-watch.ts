import type { Delivery, DeliveryPage } from '../../../server/features/webhooks/schema.ts'

/** Looking on while something is under way: often at first, and less and less where nothing comes of it. */

/** For so long nothing has changed, so long until the next look; in milliseconds. */
const pauses = [
  { until: 5_000, pause: 1_000 },
  { until: 15_000, pause: 2_000 },
  { until: 60_000, pause: 5_000 },
] as const
const longest = 15_000

const firstSeen = new WeakMap<object, number>()

/** How long to wait before one looks again. An answer that says the same as the one before is the same object. */
export function pauseAt(answer: object, now = Date.now()): number {
  const since = firstSeen.get(answer) ?? now
  firstSeen.set(answer, since)
  return pauses.find(({ until }) => now - since < until)?.pause ?? longest
}

/** The log with its newest page in the place of what was known of that time; what is older stays as it is. */
export function renewed(pages: readonly DeliveryPage[], newest: DeliveryPage): DeliveryPage[] {
  const last = newest.next_cursor === null ? undefined : newest.deliveries.at(-1)
  const isOlder = (one: Delivery): boolean => last !== undefined && isBefore(one, last)
  return pages.map((page, place) => {
    const older = page.deliveries.filter(isOlder)
    return { ...page, deliveries: place === 0 ? [...newest.deliveries, ...older] : older }
  })
}

const isBefore = (one: Delivery, other: Delivery): boolean =>
  one.created_at < other.created_at || (one.created_at === other.created_at && one.id < other.id)
