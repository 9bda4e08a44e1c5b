import { useState } from 'react'
import type { ReviewedShown } from '../../../../server/features/moderation/schema.ts'
import { problemOf } from '../../api/api-error.ts'
import { callApi } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { DecisionStatement } from '../../components/decision.tsx'
import { Dialog, DialogActions } from '../../components/dialog.tsx'
import { TextArea } from '../../components/field.tsx'
import { ErrorNotice, Form, useAttempt } from '../../components/form.tsx'
import { BackLink } from '../../components/link.tsx'
import { Loading } from '../../components/load-states.tsx'
import { Notice, showToast } from '../../components/notice.tsx'
import { Page, Section } from '../../components/page.tsx'
import { navigate } from '../../components/router.ts'
import { HtmlFrame } from './piece-frame.tsx'
import { type Decision, useDecision, useInvalidateReview } from './queries.ts'
import styles from './review.module.css'

const appealsPath = '/desk/review?list=appeals'

/** An appealed decision: reasons, appeal and content. */
export function AppealPage({ id }: { readonly id: string }) {
  const { data, error } = useDecision(id)
  if (!data) {
    return (
      <Page title="Appeal">
        <ErrorNotice error={error} />
        {!error && <Loading />}
      </Page>
    )
  }
  const { decision, content } = data
  return (
    <>
      <BackLink to={appealsPath} above="wide">
        Back to the appeals
      </BackLink>
      <Page
        title={decision.about.headline}
        isWide
        lead={
          <>
            By <bdi>{decision.writer.name}</bdi>. Decided by <bdi>{decision.moderator ?? 'the operator'}</bdi>
          </>
        }
      >
        <DecisionStatement of={decision} />
        {content && <DecidedContent decision={decision} content={content} />}
        <DecideAppeal decision={decision} />
      </Page>
    </>
  )
}

interface DecidedContentProps {
  readonly decision: Decision
  readonly content: NonNullable<ReviewedShown['content']>
}

const DecidedContent = ({
  decision: { act, about },
  content: { sub, html, body_md, payment_url },
}: DecidedContentProps) => (
  <Section title={act === 'reject' ? 'As it was submitted' : 'As readers had it'} isWide>
    {html === null ? (
      <>
        {sub && <p dir="auto">{sub}</p>}
        {body_md && (
          <p className={styles.note} dir="auto">
            {body_md}
          </p>
        )}
        {payment_url && <p className={styles.facts}>Bought at {payment_url}</p>}
      </>
    ) : (
      <HtmlFrame piece={{ headline: about.headline, sub, html }} title={`“${about.headline}” as a page`} />
    )}
  </Section>
)

interface AppealOutcome {
  readonly outcome: 'upheld' | 'reversed'
  readonly label: string
  readonly title: string
  readonly words: string
  readonly done: string
}

const uphold: AppealOutcome = {
  outcome: 'upheld',
  label: 'Uphold',
  title: 'Does the decision stand?',
  words: 'It stays as it is. The writer and the moderator who decided are told why by email, without your name.',
  done: 'The decision stands.',
}
const reverse: AppealOutcome = {
  outcome: 'reversed',
  label: 'Reverse',
  title: 'Reverse the decision?',
  words:
    'It is as it was before the decision: public again with the same text and dates, or waiting for review again. The writer is told why by email, without your name.',
  done: 'The decision is reversed.',
}

function DecideAppeal({ decision }: { readonly decision: Decision }) {
  const [chosen, setChosen] = useState<AppealOutcome>()
  const { appeal, is_mine, outcome, can_reverse } = decision
  if (outcome) return null
  if (appeal && is_mine) {
    return (
      <Notice>
        <p>
          You made this decision, so somebody else decides its appeal. If there is no other moderator, the operator
          does, with <code>standfirst appeal</code>.
        </p>
      </Notice>
    )
  }
  if (!appeal && !can_reverse) return null
  return (
    <Section
      title="Your decision"
      lead={appeal ? undefined : 'Nobody has appealed it. If it was wrong, it can be reversed all the same.'}
    >
      <div className={styles.acts}>
        {appeal && <Button onClick={() => setChosen(uphold)}>Uphold</Button>}
        {can_reverse && <Button onClick={() => setChosen(reverse)}>Reverse</Button>}
      </div>
      <Dialog title={chosen?.title ?? ''} isOpen={chosen !== undefined} onClose={() => setChosen(undefined)}>
        {chosen && <ConfirmAppeal id={decision.id} choice={chosen} onClose={() => setChosen(undefined)} />}
      </Dialog>
    </Section>
  )
}

interface ConfirmAppealProps {
  readonly id: string
  readonly choice: AppealOutcome
  readonly onClose: () => void
}

function ConfirmAppeal({ id, choice: { outcome, label, words, done }, onClose }: ConfirmAppealProps) {
  const [reason, setReason] = useState('')
  const changed = useInvalidateReview()
  const attempt = useAttempt()
  const decide = attempt.handler(async () => {
    await callApi('POST', `/review/decisions/${id}/decide`, { outcome, reason })
    showToast(done)
    navigate(appealsPath)
    await changed()
  })
  return (
    <Form attempt={attempt} onSubmit={decide}>
      <p>{words}</p>
      <TextArea
        label="Why"
        hint="The writer and the moderator read exactly this."
        value={reason}
        onText={setReason}
        limit={2000}
        problem={problemOf(attempt.error, 'reason')}
        required
      />
      <DialogActions>
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button kind="main" type="submit" isBusy={attempt.isBusy}>
          {label}
        </Button>
      </DialogActions>
    </Form>
  )
}
