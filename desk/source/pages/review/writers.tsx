import { useState } from 'react'
import { callApi } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { useDebounced } from '../../components/choices.tsx'
import { Field, TextArea } from '../../components/field.tsx'
import { ErrorNotice } from '../../components/form.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Empty, Loading } from '../../components/load-states.tsx'
import { showToast } from '../../components/notice.tsx'
import { Page, Row, Rows } from '../../components/page.tsx'
import { type FoundWriter, invalidateReview, useWriters } from './queries.ts'
import { ReviewNav } from './review-nav.tsx'

/** Find writers, verify their identity, suspend them. */
export function WritersPage() {
  const [typed, setTyped] = useState('')
  const q = useDebounced(typed.trim())
  const [chosen, setChosen] = useState<FoundWriter>()
  const [suspending, setSuspending] = useState<FoundWriter>()
  const { data: writers, error } = useWriters(q)
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
      {chosen && <VerifyDialog writer={chosen} onClose={() => setChosen(undefined)} />}
      {suspending && <SuspendDialog writer={suspending} onClose={() => setSuspending(undefined)} />}
    </>
  )
}

const WriterDetails = ({ of }: { readonly of: FoundWriter }) => (
  <span className="facts">
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

interface WriterDialogProps {
  readonly writer: FoundWriter
  readonly onClose: () => void
}

function VerifyDialog({ writer: { slug, name, identity_verified }, onClose }: WriterDialogProps) {
  const verified = !identity_verified
  return (
    <FormDialog
      title={verified ? `Verify ${name}?` : `Take back the tick of ${name}?`}
      about={`The tick ${verified ? 'appears at once beside the name' : 'disappears at once'}. The writer is told by letter.`}
      initial={{ note: '' }}
      onSubmit={async ({ note }) => {
        await callApi('PUT', `/review/writers/${slug}/identity`, { verified, note, name })
        showToast(verified ? `${name} is verified.` : `${name} is no longer verified.`)
        onClose()
        await invalidateReview()
      }}
      submit={verified ? 'Verify' : 'Take back'}
      kind={verified ? 'main' : 'grave'}
      cancel="Not now"
      onClose={onClose}
    >
      {({ field }) => (
        <TextArea
          label={verified ? 'How you know' : 'Why'}
          hint="For other moderators. It stays in the list of decisions."
          {...field('note')}
          limit={2000}
          required
        />
      )}
    </FormDialog>
  )
}

/** Suspends or restores a writer, with a reason. */
function SuspendDialog({ writer: { slug, name, suspended }, onClose }: WriterDialogProps) {
  const label = suspended ? 'Restore' : 'Suspend'
  return (
    <FormDialog
      title={`${label} ${name}?`}
      about={
        suspended
          ? 'Everything that was public before is public again at once, at the same addresses and with the same dates. They can write and publish again, and are told by email.'
          : 'Their profile, all their pieces and all their listings disappear from the site at once. They cannot write or publish, but can still sign in and export their work. You can undo this at any time.'
      }
      initial={{ reason: '' }}
      onSubmit={async (given) => {
        await callApi('POST', `/review/writers/${slug}/${suspended ? 'restore' : 'suspend'}`, given)
        showToast(suspended ? `${name} is restored.` : `${name} is suspended.`)
        onClose()
        await invalidateReview()
      }}
      submit={label}
      kind={suspended ? 'main' : 'grave'}
      onClose={onClose}
    >
      {({ field }) => (
        <TextArea
          label="Reason"
          hint={suspended ? 'For other moderators.' : 'We email it to the writer. Other moderators see it too.'}
          {...field('reason')}
          limit={2000}
          required
        />
      )}
    </FormDialog>
  )
}
