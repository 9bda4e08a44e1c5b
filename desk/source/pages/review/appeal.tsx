import { useState } from 'react'
import type { ReviewedShown } from '../../../../server/features/moderation/decisions-schema.ts'
import { problemOf } from '../../api/api-error.ts'
import { ask } from '../../api/client.ts'
import { Back } from '../../components/back.tsx'
import { Button } from '../../components/button.tsx'
import { Choices, Dialog } from '../../components/dialog.tsx'
import { Area } from '../../components/field.tsx'
import { Form, Refused, useAttempt } from '../../components/form.tsx'
import { Loading } from '../../components/loading.tsx'
import { Notice, tell } from '../../components/notice.tsx'
import { Page } from '../../components/page.tsx'
import { go } from '../../components/router.ts'
import { Section } from '../../components/section.tsx'
import { Statement } from '../../components/statement.tsx'
import { type Decision, useDecision, useReviewChanged } from './queries.ts'
import { InFrame } from './rendered.tsx'
import styles from './review.module.css'

const list = '/desk/review?list=appeals'

/** A decision before a moderator: its reasons, the appeal against it, and what it was about. */
export function Room({ id }: { readonly id: string }) {
  const { data, error } = useDecision(id)
  if (!data) {
    return (
      <Page title="Appeal">
        <Refused error={error} />
        {!error && <Loading />}
      </Page>
    )
  }
  const { decision, content } = data
  return (
    <>
      <Back to={list} above="wide">
        Back to the appeals
      </Back>
      <Page
        title={decision.about.headline}
        isWide
        lead={
          <>
            By <bdi>{decision.writer.name}</bdi>. Decided by <bdi>{decision.moderator ?? 'the operator'}</bdi>
          </>
        }
      >
        <Statement of={decision} />
        {content && <Content decision={decision} content={content} />}
        <Deciding decision={decision} />
      </Page>
    </>
  )
}

interface ContentProps {
  readonly decision: Decision
  readonly content: NonNullable<ReviewedShown['content']>
}

const Content = ({ decision: { act, about }, content: { sub, html, body_md, payment_url } }: ContentProps) => (
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
      <InFrame piece={{ headline: about.headline, sub, html }} title={`“${about.headline}” as a page`} />
    )}
  </Section>
)

interface Choice {
  readonly outcome: 'upheld' | 'reversed'
  readonly label: string
  readonly title: string
  readonly words: string
  readonly done: string
}

const uphold: Choice = {
  outcome: 'upheld',
  label: 'Uphold',
  title: 'Does the decision stand?',
  words: 'It stays as it is. The writer and the moderator who decided are told why by email, without your name.',
  done: 'The decision stands.',
}
const reverse: Choice = {
  outcome: 'reversed',
  label: 'Reverse',
  title: 'Reverse the decision?',
  words:
    'It is as it was before the decision: public again with the same text and dates, or waiting for review again. The writer is told why by email, without your name.',
  done: 'The decision is reversed.',
}

function Deciding({ decision }: { readonly decision: Decision }) {
  const [chosen, setChosen] = useState<Choice>()
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
        {chosen && <Confirming id={decision.id} choice={chosen} onClose={() => setChosen(undefined)} />}
      </Dialog>
    </Section>
  )
}

interface ConfirmingProps {
  readonly id: string
  readonly choice: Choice
  readonly onClose: () => void
}

function Confirming({ id, choice: { outcome, label, words, done }, onClose }: ConfirmingProps) {
  const [reason, setReason] = useState('')
  const changed = useReviewChanged()
  const attempt = useAttempt()
  const decide = attempt.by(async () => {
    await ask('POST', `/review/decisions/${id}/decide`, { outcome, reason })
    tell(done)
    go(list)
    await changed()
  })
  return (
    <Form attempt={attempt} onSubmit={decide}>
      <p>{words}</p>
      <Area
        label="Why"
        hint="The writer and the moderator read exactly this."
        value={reason}
        onText={setReason}
        limit={2000}
        problem={problemOf(attempt.error, 'reason')}
        required
      />
      <Choices>
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button kind="main" type="submit" isBusy={attempt.isBusy}>
          {label}
        </Button>
      </Choices>
    </Form>
  )
}
