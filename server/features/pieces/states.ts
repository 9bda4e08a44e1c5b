import { ServiceError } from '#platform/errors.ts'
import type { Status } from './draft-schema.ts'

/** The life of a piece, as a table. The functions app.desk_* are the same table; a test walks both. */

interface Move {
  readonly by: 'writer' | 'moderator'
  readonly from: readonly Status[]
  readonly to: readonly Status[]
}

export const moves = {
  publish: { by: 'writer', from: ['draft'], to: ['approved'] },
  submit: { by: 'writer', from: ['draft'], to: ['pending'] },
  withdraw: { by: 'writer', from: ['pending', 'changes_requested'], to: ['draft'] },
  resubmit: { by: 'writer', from: ['changes_requested'], to: ['pending'] },
  revise: { by: 'writer', from: ['rejected'], to: ['draft'] },
  update: { by: 'writer', from: ['approved'], to: ['approved'] },
  unpublish: { by: 'writer', from: ['approved'], to: ['draft'] },
  approve: { by: 'moderator', from: ['pending'], to: ['approved'] },
  request_changes: { by: 'moderator', from: ['pending'], to: ['changes_requested'] },
  reject: { by: 'moderator', from: ['pending'], to: ['rejected'] },
  take_down: { by: 'moderator', from: ['approved'], to: ['changes_requested', 'rejected'] },
} as const satisfies Record<string, Move>

export type Act = keyof typeof moves
export const acts = Object.keys(moves) as Act[]

/** States in which a writer changes the text. While a moderator reads it, or after a refusal, it stays as it was sent. */
const editable: readonly Status[] = ['draft', 'approved', 'changes_requested']
export const isEditable = (status: Status): boolean => editable.includes(status)

/** What this person may do next. A piece under review is not made public, nor changed there, by its writer alone. */
export function actsOn(status: Status, by: Move['by'], reviewRequired: boolean): Act[] {
  const possible = acts.filter((act) => moves[act].by === by && isFrom(act, status))
  return reviewRequired ? possible.filter((act) => !(act in afterReview)) : possible
}

const isFrom = (act: Act, status: Status): boolean => (moves[act].from as readonly Status[]).includes(status)

/** Refuses what `actsOn` does not offer, and says what may be done instead. */
export function assertTransition(act: Act, status: Status, reviewRequired: boolean): void {
  const { by } = moves[act]
  const possible = actsOn(status, by, reviewRequired)
  if (possible.includes(act)) return
  const instead = possible.map((one) => verbs[one]).join(' or ')
  throw new ServiceError(
    409,
    'illegal_transition',
    isFrom(act, status)
      ? afterReview[act as keyof typeof afterReview]
      : `This piece is ${stateNames[status]}, so you cannot ${verbs[act]}. ${instead ? `You can ${instead}.` : nothingInstead}`,
  )
}

/** How a piece in this state becomes a draft again. */
export const toDraft = (status: Status): string => {
  const way = actsOn(status, 'writer', false).find((act) => (moves[act].to as readonly Status[]).includes('draft'))
  return way ? `You can ${verbs[way]} first.` : ''
}

/** What waits for a moderator where a piece, or the whole site, is under review. */
const afterReview = {
  publish: 'This piece is reviewed before it is public. Submit it for review.',
  update: 'This piece is reviewed before it changes in public. Unpublish it, then submit it for review.',
} as const

/** Only ever said to moderators: a writer can always do something. */
const nothingInstead = 'It comes to you when its writer submits it.'

export const stateNames: Readonly<Record<Status, string>> = {
  draft: 'a draft',
  pending: 'waiting for review',
  approved: 'public',
  rejected: 'rejected',
  changes_requested: 'waiting for changes',
}

const verbs: Readonly<Record<Act, string>> = {
  publish: 'publish it',
  submit: 'submit it for review',
  withdraw: 'withdraw it',
  resubmit: 'resubmit it',
  revise: 'revise it',
  update: 'update it',
  unpublish: 'unpublish it',
  approve: 'approve it',
  request_changes: 'ask for changes',
  reject: 'reject it',
  take_down: 'take it down',
}
