import { useEffect, useState } from 'react'
import { problemOf } from '../../api/api-error.ts'
import { callApi } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { Field, TextArea } from '../../components/field.tsx'
import { ErrorNotice, Form, useAttempt } from '../../components/form.tsx'
import { Empty, Loading } from '../../components/load-states.tsx'
import { showToast } from '../../components/notice.tsx'
import { Page, Row, Rows } from '../../components/page.tsx'
import { type FoundWriter, useInvalidateReview, useWriters } from './queries.ts'
import styles from './review.module.css'
import { ReviewNav } from './review-nav.tsx'

const searchDelay = 250

/** Find writers, verify their identity, suspend them. */
export function WritersPage() {
  const [typed, setTyped] = useState('')
  const [q, setQ] = useState('')
  const [chosen, setChosen] = useState<FoundWriter>()
  const [suspending, setSuspending] = useState<FoundWriter>()
  const { data: writers, error } = useWriters(q)
  useEffect(() => {
    const timer = setTimeout(() => setQ(typed.trim()), searchDelay)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <>
      <ReviewNav />
      <Page title="Writers" lead="Verify who writers are, and suspend those who abuse the site.">
        <Field
          label="Find a writer"
          hint="A part of the name, or of the address."
          type="search"
          autoComplete="off"
          maxLength={200}
          value={typed}
          onText={setTyped}
        />
        <ErrorNotice error={error} />
        {!writers && !error && <Loading />}
        {writers?.length === 0 && (
          <Empty title={q ? `Nobody found for “${q}”` : 'No writers yet'}>
            <p>{q ? 'Fewer letters find more.' : 'Whoever signs up to write is found here.'}</p>
          </Empty>
        )}
        {writers && writers.length > 0 && (
          <Rows>
            {writers.map((writer) => (
              <Row
                key={writer.slug}
                title={<bdi>{writer.name}</bdi>}
                about={<WriterDetails of={writer} />}
                actions={
                  <>
                    {!writer.moderates && (
                      <Button
                        kind={writer.suspended ? 'plain' : 'quiet'}
                        aria-label={`${writer.suspended ? 'Restore' : 'Suspend'} ${writer.name}`}
                        onClick={() => setSuspending(writer)}
                      >
                        {writer.suspended ? 'Restore' : 'Suspend'}
                      </Button>
                    )}
                    <Button
                      kind={writer.identity_verified ? 'quiet' : 'plain'}
                      aria-label={`${writer.identity_verified ? 'Take back the verification of' : 'Verify'} ${writer.name}`}
                      onClick={() => setChosen(writer)}
                    >
                      {writer.identity_verified ? 'Take back' : 'Verify'}
                    </Button>
                  </>
                }
              />
            ))}
          </Rows>
        )}
      </Page>
      <Dialog
        title={
          chosen ? (chosen.identity_verified ? `Take back the tick of ${chosen.name}?` : `Verify ${chosen.name}?`) : ''
        }
        isOpen={chosen !== undefined}
        onClose={() => setChosen(undefined)}
      >
        {chosen && <VerifyForm writer={chosen} onDone={() => setChosen(undefined)} />}
      </Dialog>
      <SuspendDialog writer={suspending} onClose={() => setSuspending(undefined)} />
    </>
  )
}

const WriterDetails = ({ of }: { readonly of: FoundWriter }) => (
  <span className={styles.facts}>
    {of.suspended && <strong>Suspended: “{of.suspended.reason}”</strong>}
    <span>{of.identity_verified ? '✓ Identity verified' : 'Identity not verified'}</span>
    {of.website_verified && <span>Website proven</span>}
    {of.pieces_count > 0 ? (
      <a href={`/author/${of.slug}`}>{of.pieces_count === 1 ? 'One piece' : `${of.pieces_count} pieces`}</a>
    ) : (
      <span>Nothing public</span>
    )}
    <span>/author/{of.slug}</span>
  </span>
)

function VerifyForm({ writer, onDone }: { readonly writer: FoundWriter; readonly onDone: () => void }) {
  const [note, setNote] = useState('')
  const changed = useInvalidateReview()
  const attempt = useAttempt()
  const verified = !writer.identity_verified
  const verify = attempt.handler(async () => {
    await callApi('PUT', `/review/writers/${writer.slug}/identity`, { verified, note, name: writer.name })
    showToast(verified ? `${writer.name} is verified.` : `${writer.name} is no longer verified.`)
    onDone()
    await changed()
  })
  return (
    <Form attempt={attempt} onSubmit={verify}>
      <p>
        {verified
          ? 'The tick appears at once beside the name. The writer is told by letter.'
          : 'The tick disappears at once. The writer is told by letter.'}
      </p>
      <TextArea
        label={verified ? 'How you know' : 'Why'}
        hint="For other moderators. It stays in the list of decisions."
        value={note}
        onText={setNote}
        limit={2000}
        problem={problemOf(attempt.error, 'note')}
        required
      />
      <DialogActions>
        <Button kind="quiet" onClick={onDone}>
          Not now
        </Button>
        <Button kind={verified ? 'main' : 'grave'} type="submit" isBusy={attempt.isBusy}>
          {verified ? 'Verify' : 'Take back'}
        </Button>
      </DialogActions>
    </Form>
  )
}

interface SuspendDialogProps {
  readonly writer: FoundWriter | undefined
  readonly onClose: () => void
}

/** Suspends or restores a writer, with a reason. */
const SuspendDialog = ({ writer, onClose }: SuspendDialogProps) => (
  <Dialog
    title={writer ? `${writer.suspended ? 'Restore' : 'Suspend'} ${writer.name}?` : ''}
    isOpen={writer !== undefined}
    onClose={onClose}
  >
    {writer && <SuspendForm writer={writer} onDone={onClose} />}
  </Dialog>
)

function SuspendForm({ writer, onDone }: { readonly writer: FoundWriter; readonly onDone: () => void }) {
  const [reason, setReason] = useState('')
  const changed = useInvalidateReview()
  const attempt = useAttempt()
  const act = writer.suspended ? 'restore' : 'suspend'
  const decide = attempt.handler(async () => {
    await callApi('POST', `/review/writers/${writer.slug}/${act}`, { reason })
    showToast(writer.suspended ? `${writer.name} is restored.` : `${writer.name} is suspended.`)
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
      <TextArea
        label="Reason"
        hint={writer.suspended ? 'For other moderators.' : 'We email it to the writer. Other moderators see it too.'}
        value={reason}
        onText={setReason}
        limit={2000}
        problem={problemOf(attempt.error, 'reason')}
        required
      />
      <DialogActions>
        <Button kind="quiet" onClick={onDone}>
          Cancel
        </Button>
        <Button kind={writer.suspended ? 'main' : 'grave'} type="submit" isBusy={attempt.isBusy}>
          {writer.suspended ? 'Restore' : 'Suspend'}
        </Button>
      </DialogActions>
    </Form>
  )
}
