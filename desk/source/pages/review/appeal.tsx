import { useState } from 'react'
import type { ReviewedShown } from '../../../../server/features/moderation/schema.ts'
import { callApi } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { DecisionStatement } from '../../components/decision.tsx'
import { TextArea } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { LoadingPage } from '../../components/loaded.tsx'
import { Notice, showToast } from '../../components/notice.tsx'
import { Page, Section } from '../../components/page.tsx'
import { navigate } from '../../components/router.ts'
import { HtmlFrame } from './piece-frame.tsx'
import { type Decision, invalidateReview, useDecision } from './queries.ts'
import styles from './review.module.css'

const appealsPath = '/desk/review?list=appeals'

/** An appealed decision: reasons, appeal and content. */
export function AppealPage({ id }: { readonly id: string }) {
  const { data, error } = useDecision(id)
  if (!data) return <LoadingPage title="Appeal" error={error} />
  const { decision, content } = data
  return (
    <Page
      title={decision.about.headline}
      back={{ to: appealsPath, words: 'Back to the appeals' }}
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
          <p className={`excerpt ${styles.note}`} dir="auto">
            {body_md}
          </p>
        )}
        {payment_url && <p className="facts">Bought at {payment_url}</p>}
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
      {chosen && <ConfirmAppeal id={decision.id} choice={chosen} onClose={() => setChosen(undefined)} />}
    </Section>
  )
}

interface ConfirmAppealProps {
  readonly id: string
  readonly choice: AppealOutcome
  readonly onClose: () => void
}

function ConfirmAppeal({ id, choice: { outcome, label, title, words, done }, onClose }: ConfirmAppealProps) {
  return (
    <FormDialog
      title={title}
      about={words}
      initial={{ reason: '' }}
      onSubmit={async ({ reason }) => {
        await callApi('POST', `/review/decisions/${id}/decide`, { outcome, reason })
        showToast(done)
        navigate(appealsPath)
        await invalidateReview()
      }}
      submit={label}
      onClose={onClose}
    >
      {({ field }) => (
        <TextArea
          label="Why"
          hint="The writer and the moderator read exactly this."
          {...field('reason')}
          limit={2000}
          required
        />
      )}
    </FormDialog>
  )
}
