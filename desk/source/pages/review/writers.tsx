import { useEffect, useState } from 'react'
import { problemOf } from '../../api/api-error.ts'
import { ask } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Choices, Dialog } from '../../components/dialog.tsx'
import { Empty } from '../../components/empty.tsx'
import { Area, Field } from '../../components/field.tsx'
import { Form, Refused, useAttempt } from '../../components/form.tsx'
import { Loading } from '../../components/loading.tsx'
import { tell } from '../../components/notice.tsx'
import { Page } from '../../components/page.tsx'
import { Row, Rows } from '../../components/rows.tsx'
import { ReviewPages } from './pages.tsx'
import { type FoundWriter, useReviewChanged, useWriters } from './queries.ts'
import styles from './review.module.css'
import { Suspending } from './suspend.tsx'

const pause = 250

/** Finds a writer, and says whether they are who they say. */
export function Room() {
  const [typed, setTyped] = useState('')
  const [q, setQ] = useState('')
  const [chosen, setChosen] = useState<FoundWriter>()
  const [suspending, setSuspending] = useState<FoundWriter>()
  const { data: writers, error } = useWriters(q)
  useEffect(() => {
    const timer = setTimeout(() => setQ(typed.trim()), pause)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <>
      <ReviewPages />
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
        <Refused error={error} />
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
                about={<Facts of={writer} />}
                acts={
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
        {chosen && <Judging writer={chosen} onDone={() => setChosen(undefined)} />}
      </Dialog>
      <Suspending writer={suspending} onClose={() => setSuspending(undefined)} />
    </>
  )
}

const Facts = ({ of }: { readonly of: FoundWriter }) => (
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

function Judging({ writer, onDone }: { readonly writer: FoundWriter; readonly onDone: () => void }) {
  const [note, setNote] = useState('')
  const changed = useReviewChanged()
  const attempt = useAttempt()
  const verified = !writer.identity_verified
  const judge = attempt.by(async () => {
    await ask('PUT', `/review/writers/${writer.slug}/identity`, { verified, note, name: writer.name })
    tell(verified ? `${writer.name} is verified.` : `${writer.name} is no longer verified.`)
    onDone()
    await changed()
  })
  return (
    <Form attempt={attempt} onSubmit={judge}>
      <p>
        {verified
          ? 'The tick appears at once beside the name. The writer is told by letter.'
          : 'The tick disappears at once. The writer is told by letter.'}
      </p>
      <Area
        label={verified ? 'How you know' : 'Why'}
        hint="For other moderators. It stays in the list of decisions."
        value={note}
        onText={setNote}
        limit={2000}
        problem={problemOf(attempt.error, 'note')}
        required
      />
      <Choices>
        <Button kind="quiet" onClick={onDone}>
          Not now
        </Button>
        <Button kind={verified ? 'main' : 'grave'} type="submit" isBusy={attempt.isBusy}>
          {verified ? 'Verify' : 'Take back'}
        </Button>
      </Choices>
    </Form>
  )
}
