import type { History } from '../../../../server/features/pieces/desk-schema.ts'

export type Saved = History['revisions'][number]
export type Deed = History['deeds'][number]

/** Saves by the same hand close to each other are one sitting, shown by its last. */
interface Sitting {
  readonly kind: 'sitting'
  readonly last: Saved
  readonly first: Saved
  /** All of them, newest first. */
  readonly saves: readonly Saved[]
}

export type Event = Sitting | { readonly kind: 'deed'; readonly deed: Deed }

/** Within this long of each other, saves belong together. */
const sameSitting = 10 * 60_000

const handOf = ({ by }: Saved): string => by.key ?? by.kind
const isClose = (later: Saved, earlier: Saved): boolean =>
  new Date(later.saved_at).getTime() - new Date(earlier.saved_at).getTime() < sameSitting

const timeOf = (event: Event): string => (event.kind === 'deed' ? event.deed.at : event.last.saved_at)

/** Newest first, acts among the sittings. A revision that something was done with, or that has a name, ends a sitting. */
export function eventsOf({ revisions, deeds }: History): Event[] {
  const isLast = new Set([
    ...deeds.map(({ revision }) => revision),
    ...revisions.filter(({ name }) => name !== null).map(({ revision }) => revision),
  ])
  const sittings: Sitting[] = []
  for (const saved of revisions) {
    const open = sittings.at(-1)
    const goesOn =
      open && handOf(open.first) === handOf(saved) && isClose(open.first, saved) && !isLast.has(saved.revision)
    if (goesOn) sittings[sittings.length - 1] = { ...open, first: saved, saves: [...open.saves, saved] }
    else sittings.push({ kind: 'sitting', last: saved, first: saved, saves: [saved] })
  }
  const events: Event[] = [...sittings, ...deeds.map((deed) => ({ kind: 'deed' as const, deed }))]
  return events.sort((one, other) => timeOf(other).localeCompare(timeOf(one)))
}

/** What a revision is compared with at first: what stood before its sitting began; inside a sitting, the save before it. */
export function startOf(history: History, revision: number): number | undefined {
  const sitting = eventsOf(history).find((event) => event.kind === 'sitting' && event.last.revision === revision)
  const first = sitting?.kind === 'sitting' ? sitting.first.revision : revision
  return history.revisions.find((saved) => saved.revision < first)?.revision
}

/** The last revision a key wrote before this one, where the writer has written since. */
export function byKeyBefore({ revisions }: History, revision: number): Saved | undefined {
  const at = revisions.find((saved) => saved.revision === revision)
  if (!at || at.by.kind === 'key') return undefined
  return revisions.find((saved) => saved.revision < revision && saved.by.kind === 'key')
}

const deedWords: Readonly<Record<string, string>> = {
  publish: 'You published it',
  update: 'You updated it in public',
  submit: 'You submitted it for review',
  resubmit: 'You submitted it again',
  withdraw: 'You took it back as a draft',
  revise: 'You took it up again',
  unpublish: 'You unpublished it',
  approve: 'A moderator approved it',
  request_changes: 'A moderator asked for changes',
  reject: 'A moderator did not accept it',
  take_down: 'A moderator took it down',
  appeal: 'You appealed',
  uphold: 'Your appeal was decided: the decision stands',
  reinstate: 'The decision was reversed',
  restore: 'You restored it from the trash',
}

export const wordsOfDeed = (deed: Deed): string =>
  deed.act === 'delete' ? `${hand(deed)} moved it to the trash` : (deedWords[deed.act] ?? deed.act)

export const hand = ({ by }: Pick<Saved, 'by'>): string =>
  by.kind === 'key' ? (by.key ? `The key “${by.key}”` : 'A key that is gone') : 'You'
