import type { DeskPiece } from '../../../../server/features/pieces/desk-schema.ts'

/** The actions of a writer on a piece. The server says which are available now. */
export interface PublishAction {
  readonly name: 'publish' | 'update' | 'submit' | 'resubmit' | 'unpublish' | 'withdraw' | 'revise'
  readonly button: string
  /** What will happen. */
  readonly before: string
  /** Who should use this action if another is the primary one; follows its name. */
  readonly instead?: string
  readonly question: string
  /** What has happened. */
  readonly after: string
  /** Applies to exactly the previewed text, so it needs its nonce. */
  readonly needsNonce: boolean
  readonly isGrave?: boolean
}

const allActions: readonly PublishAction[] = [
  {
    name: 'publish',
    button: 'Publish',
    before: 'Everyone can read it at once. It appears on your page, in the site’s lists and in your feeds.',
    question: 'Publish it now?',
    after: 'It is public',
    needsNonce: true,
  },
  {
    name: 'update',
    button: 'Update',
    before: 'Readers get this text instead of the one they have. Its address and its date stay.',
    question: 'Show readers this text?',
    after: 'Readers have the new text',
    needsNonce: true,
  },
  {
    name: 'submit',
    button: 'Submit for review',
    before:
      'A moderator reads it before it is public. Until then it stays as you send it; you can withdraw it any time.',
    instead:
      'is for a writer who would like a second reader: a moderator reads it first, and it is public when they agree.',
    question: 'Send it to the moderators?',
    after: 'It is with the moderators',
    needsNonce: true,
  },
  {
    name: 'resubmit',
    button: 'Resubmit',
    before: 'A moderator reads it once more. Until then it stays as you send it.',
    question: 'Send it to the moderators again?',
    after: 'It is with the moderators again',
    needsNonce: true,
  },
  {
    name: 'withdraw',
    button: 'Withdraw',
    before: 'It is a draft again, and no moderator reads it.',
    question: 'Take it back as a draft?',
    after: 'It is a draft again',
    needsNonce: false,
  },
  {
    name: 'revise',
    button: 'Take it up again',
    before: 'It becomes a draft you can change. From then on a moderator reads it before it is public.',
    question: 'Take it up again as a draft?',
    after: 'It is a draft again',
    needsNonce: false,
  },
  {
    name: 'unpublish',
    button: 'Unpublish',
    before:
      'Readers can no longer see it, at once, at any of its addresses. Private links work until they end. It is a draft again; you can publish it later.',
    question: 'Take it out of the public?',
    after: 'It is no longer public',
    needsNonce: false,
    isGrave: true,
  },
]

/** The primary action first. A public piece without changes needs no update. */
export function availableActions({ acts, has_unpublished_changes }: DeskPiece): PublishAction[] {
  return allActions.filter(({ name }) => acts.includes(name) && (name !== 'update' || has_unpublished_changes))
}

/** The page's lead, by status. */
export function statusLead(piece: DeskPiece): string {
  switch (piece.status) {
    case 'draft':
      return piece.review_required
        ? 'Look at it once more as a reader will. A moderator reads it before it is public.'
        : 'Look at it once more as a reader will. It is public when you say so, and not before.'
    case 'approved':
      return piece.has_unpublished_changes
        ? 'It is public. This is the text as you have changed it since; readers do not have it yet.'
        : 'It is public, exactly as you see it here.'
    case 'pending':
      return 'A moderator is reading it. You get a letter when they have decided.'
    case 'changes_requested':
      return 'A moderator asked for changes. When you have made them, send it again.'
    case 'rejected':
      return 'A moderator did not accept it.'
  }
}
