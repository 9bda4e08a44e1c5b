import type { DeskPiece } from '../../../../server/features/pieces/desk-schema.ts'
import type { PlainMessageId } from '../../messages.ts'

/** The actions of a writer on a piece. The server says which are available now. */
export interface PublishAction {
  /** Names its messages, too: `desk.publish.act.…`, `confirm.…`, `effect.…` and `done.…`. */
  readonly name:
    | 'publish'
    | 'schedule'
    | 'unschedule'
    | 'update'
    | 'submit'
    | 'resubmit'
    | 'unpublish'
    | 'withdraw'
    | 'revise'
  /** Applies to exactly the previewed text, so it needs its nonce. */
  readonly needsNonce: boolean
  readonly isGrave?: boolean
}

const allActions: readonly PublishAction[] = [
  { name: 'publish', needsNonce: true },
  { name: 'update', needsNonce: true },
  { name: 'submit', needsNonce: true },
  { name: 'resubmit', needsNonce: true },
  { name: 'withdraw', needsNonce: false },
  { name: 'revise', needsNonce: false },
  { name: 'unpublish', needsNonce: false, isGrave: true },
]

/** Instead of Publish, if the writer chooses a time. */
export const schedule: PublishAction = { name: 'schedule', needsNonce: true }
const unschedule: PublishAction = { name: 'unschedule', needsNonce: false }

export const isScheduled = ({ schedule }: DeskPiece): boolean => schedule?.problem === null

/** The primary action first. A public piece without changes needs no update. */
export function availableActions(piece: DeskPiece): PublishAction[] {
  const possible: readonly string[] = piece.acts
  const actions = allActions.filter(
    ({ name }) => possible.includes(name) && (name !== 'update' || piece.has_unpublished_changes),
  )
  return isScheduled(piece) ? [...actions, unschedule] : actions
}

/** The page's lead, by status. */
export function statusLead(piece: DeskPiece): PlainMessageId {
  const { status, review_required, has_unpublished_changes, is_taken_down } = piece
  if (isScheduled(piece)) return 'desk.publish.lead.scheduled'
  if (is_taken_down) return `desk.publish.lead.taken_down_${status === 'rejected' ? 'rejected' : 'changes_requested'}`
  if (status === 'draft' && review_required) return 'desk.publish.lead.draft_review_required'
  if (status === 'approved' && has_unpublished_changes) return 'desk.publish.lead.changed'
  return `desk.publish.lead.${status}`
}
