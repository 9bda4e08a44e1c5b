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

/** Refuses an act that is not in `allowedActs`, and says what may be done instead. */
export function assertTransition(act: Act, status: Status, reviewRequired: boolean): void {
  const { by } = transitions[act]
  const possible = allowedActs(status, by, reviewRequired)
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

/** How the writer can turn a piece in this state into a draft. */
export const toDraft = (status: Status): string => {
  const act = allowedActs(status, 'writer', false).find((one) =>
    (transitions[one].to as readonly Status[]).includes('draft'),
  )
  return act ? `You can ${verbs[act]} first.` : ''
}

/** Acts that need a moderator where the piece, or the whole site, is under review. */
const afterReview = {
  publish: 'This piece is reviewed before it is public. Submit it for review.',
  update: 'This piece is reviewed before it changes in public. Unpublish it, then submit it for review.',
} as const

/** Only moderators see this: a writer can always do something. */
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
