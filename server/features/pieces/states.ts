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
  return reviewRequired ? possible.filter((act) => act !== 'publish' && act !== 'update') : possible
}

export const isFrom = (act: Act, status: Status): boolean => (moves[act].from as readonly Status[]).includes(status)
