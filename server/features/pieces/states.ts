import { message } from '#messages/message.ts'
import { ServiceError } from '#platform/errors.ts'
import type { Status } from './draft-schema.ts'

/** The state machine of a piece. The SQL functions app.desk_* implement the same table; a test compares them. */

interface Transition {
  readonly by: 'writer' | 'moderator'
  readonly from: readonly Status[]
  readonly to: readonly Status[]
}

export const transitions = {
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
} as const satisfies Record<string, Transition>

export type Act = keyof typeof transitions
export const acts = Object.keys(transitions) as Act[]

/** States in which the writer may change the text: not while a moderator reads it, nor after a rejection. */
const editable: readonly Status[] = ['draft', 'approved', 'changes_requested']
export const isEditable = (status: Status): boolean => editable.includes(status)

/** The acts allowed next. The writer alone can neither publish nor update a piece that needs review. */
export function allowedActs(status: Status, by: Transition['by'], reviewRequired: boolean): Act[] {
  const possible = acts.filter((act) => transitions[act].by === by && isFrom(act, status))
  return reviewRequired ? possible.filter((act) => !(act in afterReview)) : possible
}

const isFrom = (act: Act, status: Status): boolean => (transitions[act].from as readonly Status[]).includes(status)

/** Refuses an act that is not in `allowedActs`. */
export function assertTransition(act: Act, status: Status, reviewRequired: boolean): void {
  const { by } = transitions[act]
  const possible = allowedActs(status, by, reviewRequired)
  if (possible.includes(act)) return
  throw new ServiceError(
    409,
    'illegal_transition',
    isFrom(act, status)
      ? message(afterReview[act as keyof typeof afterReview])
      : message('error.piece_status', { act, status, next: 'reload' }),
  )
}

/** How the writer can turn a piece in this state into a draft. */
export const actToDraft = (status: Status): Act | 'reload' =>
  allowedActs(status, 'writer', false).find((one) => (transitions[one].to as readonly Status[]).includes('draft')) ??
  'reload'

/** Acts that need a moderator where the piece, or the whole site, is under review. */
const afterReview = {
  publish: 'error.review_required.publish',
  update: 'error.review_required.update',
} as const

/** For the API. */
export const stateNames: Readonly<Record<Status, string>> = {
  draft: 'a draft',
  pending: 'waiting for review',
  approved: 'public',
  rejected: 'rejected',
  changes_requested: 'waiting for changes',
}
