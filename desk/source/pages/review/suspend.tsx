import { useState } from 'react'
import { problemOf } from '../../api/api-error.ts'
import { ask } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Choices, Dialog } from '../../components/dialog.tsx'
import { Area } from '../../components/field.tsx'
import { Form, useAttempt } from '../../components/form.tsx'
import { tell } from '../../components/notice.tsx'
import { type FoundWriter, useReviewChanged } from './queries.ts'

interface SuspendingProps {
  readonly writer: FoundWriter | undefined
  readonly onClose: () => void
}

/** Hides everything of a writer, or brings it back: says what happens, and asks why. */
export const Suspending = ({ writer, onClose }: SuspendingProps) => (
  <Dialog
    title={writer ? `${writer.suspended ? 'Restore' : 'Suspend'} ${writer.name}?` : ''}
    isOpen={writer !== undefined}
    onClose={onClose}
  >
    {writer && <Deciding writer={writer} onDone={onClose} />}
  </Dialog>
)

function Deciding({ writer, onDone }: { readonly writer: FoundWriter; readonly onDone: () => void }) {
  const [reason, setReason] = useState('')
  const changed = useReviewChanged()
  const attempt = useAttempt()
  const act = writer.suspended ? 'restore' : 'suspend'
  const decide = attempt.by(async () => {
    await ask('POST', `/review/writers/${writer.slug}/${act}`, { reason })
    tell(writer.suspended ? `${writer.name} is restored.` : `${writer.name} is suspended.`)
    onDone()
    await changed()
  })
  return (
    <Form attempt={attempt} onSubmit={decide}>
      {writer.suspended ? (
        <p>
          Everything that was public before is public again at once, at the same addresses and with the same dates. They
          can write and publish again, and are told by email.
        </p>
      ) : (
        <p>
          Their profile, all their pieces and all their listings disappear from the site at once. They cannot write or
          publish, but can still sign in and export their work. You can undo this at any time.
        </p>
      )}
      <Area
        label="Reason"
        hint={writer.suspended ? 'For other moderators.' : 'We email it to the writer. Other moderators see it too.'}
        value={reason}
        onText={setReason}
        limit={2000}
        problem={problemOf(attempt.error, 'reason')}
        required
      />
      <Choices>
        <Button kind="quiet" onClick={onDone}>
          Cancel
        </Button>
        <Button kind={writer.suspended ? 'main' : 'grave'} type="submit" isBusy={attempt.isBusy}>
          {writer.suspended ? 'Restore' : 'Suspend'}
        </Button>
      </Choices>
    </Form>
  )
}
