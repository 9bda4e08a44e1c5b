import type { ButtonProps } from '../../components/button.tsx'

/** One thing a moderator can do with a piece, in words. */
export interface Decision {
  /** The end of its address. */
  readonly path: 'approve' | 'request-changes' | 'reject' | 'take-down'
  readonly label: string
  readonly look: NonNullable<ButtonProps['kind']>
  readonly title: string
  readonly words: string
  /** What the moderator must say, and the field it is sent in. */
  readonly asks?: { readonly field: 'note' | 'reason'; readonly label: string; readonly hint: string }
  /** Whether its writer gets a statement of reasons, and can appeal. */
  readonly isReasoned?: true
  readonly done: string
}

const onPending: readonly Decision[] = [
  {
    path: 'approve',
    label: 'Approve',
    look: 'main',
    title: 'Approve this piece?',
    words: 'It is public at once, exactly as you have it before you, and goes out in the feeds.',
    done: 'Approved. The piece is public.',
  },
  {
    path: 'request-changes',
    label: 'Ask for changes',
    look: 'plain',
    title: 'Ask for changes',
    words: 'The piece goes back to its writer with your note. They change it and submit it again.',
    asks: { field: 'note', label: 'What should be different', hint: 'Say what you saw, and what would be enough.' },
    done: 'The piece is back with its writer, with your note.',
  },
  {
    path: 'reject',
    label: 'Reject',
    look: 'grave',
    title: 'Reject this piece?',
    words:
      'It is not published. Its writer can appeal, or make a draft of it again, which is then reviewed like this one.',
    isReasoned: true,
    asks: { field: 'reason', label: 'What you found', hint: 'The writer reads exactly this.' },
    done: 'The piece is rejected, and its writer told why.',
  },
]

const onPublic: readonly Decision[] = [
  {
    path: 'take-down',
    label: 'Take down',
    look: 'grave',
    title: 'Take this piece down?',
    words:
      'Readers, feeds and machines lose it at once. What was reported of it is settled with this. Its writer can appeal.',
    isReasoned: true,
    asks: { field: 'reason', label: 'What you found', hint: 'The writer reads exactly this.' },
    done: 'The piece is no longer public.',
  },
]

export const decisionsOn = (status: string): readonly Decision[] =>
  status === 'pending' ? onPending : status === 'approved' ? onPublic : []
