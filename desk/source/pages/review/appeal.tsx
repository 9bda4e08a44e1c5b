import { useState } from 'react'
import type { ReviewedShown } from '../../../../server/features/moderation/schema.ts'
import { callApi } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { DecisionStatement } from '../../components/decision.tsx'
import { TextArea } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { useKeptForm } from '../../components/kept-form.ts'
import { LoadingPage } from '../../components/loaded.tsx'
import { Notice, showToast } from '../../components/notice.tsx'
import { Page, Section } from '../../components/page.tsx'
import { navigate } from '../../components/router.ts'
import { rich, t } from '../../messages.ts'
import { HtmlFrame } from './piece-frame.tsx'
import { type Decision, invalidateReview, useDecision } from './queries.ts'
import styles from './review.module.css'

const appealsPath = '/desk/review?list=appeals'

/** An appealed decision: reasons, appeal and content. */
export function AppealPage({ id }: { readonly id: string }) {
  const { data, error } = useDecision(id)
  if (!data) return <LoadingPage title={t('desk.review.appeal.title')} error={error} />
  const { decision, content } = data
  return (
    <Page
      title={decision.about.headline}
      back={{ to: appealsPath, words: t('desk.review.back.appeals') }}
      isWide
      lead={
        decision.moderator
          ? rich('desk.review.appeal.decided_by', {
              writer: <bdi>{decision.writer.name}</bdi>,
              moderator: <bdi>{decision.moderator}</bdi>,
            })
          : rich('desk.review.appeal.decided_by_operator', { writer: <bdi>{decision.writer.name}</bdi> })
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
  <Section
    title={act === 'reject' ? t('desk.review.appeal.as_submitted') : t('desk.review.appeal.as_published')}
    isWide
  >
    {html === null ? (
      <>
        {sub && <p dir="auto">{sub}</p>}
        {body_md && (
          <p className={`excerpt ${styles.note}`} dir="auto">
            {body_md}
          </p>
        )}
        {payment_url && <p className="facts">{t('desk.review.appeal.payment_url', { url: payment_url })}</p>}
      </>
    ) : (
      <HtmlFrame
        piece={{ headline: about.headline, sub, html }}
        title={t('desk.review.piece.frame', { headline: about.headline })}
      />
    )}
  </Section>
)

type Outcome = 'upheld' | 'reversed'

function DecideAppeal({ decision }: { readonly decision: Decision }) {
  const [chosen, setChosen] = useState<Outcome>()
  const { appeal, is_mine, outcome, can_reverse } = decision
  if (outcome) return null
  if (appeal && is_mine) {
    return (
      <Notice>
        <p>{rich('desk.review.appeal.own', { code: (content) => <code>{content}</code> })}</p>
      </Notice>
    )
  }
  if (!appeal && !can_reverse) return null
  return (
    <Section title={t('desk.review.decide.title')} lead={appeal ? undefined : t('desk.review.appeal.not_appealed')}>
      <div className={styles.acts}>
        {appeal && <Button onClick={() => setChosen('upheld')}>{t('desk.review.appeal.label.upheld')}</Button>}
        {can_reverse && <Button onClick={() => setChosen('reversed')}>{t('desk.review.appeal.label.reversed')}</Button>}
      </div>
      {chosen && <ConfirmAppeal id={decision.id} outcome={chosen} onClose={() => setChosen(undefined)} />}
    </Section>
  )
}

interface ConfirmAppealProps {
  readonly id: string
  readonly outcome: Outcome
  readonly onClose: () => void
}

function ConfirmAppeal({ id, outcome, onClose }: ConfirmAppealProps) {
  const form = useKeptForm(`appeal:${id}`, { reason: '' })
  return (
    <FormDialog
      title={t(`desk.review.appeal.question.${outcome}`)}
      about={t(`desk.review.appeal.effect.${outcome}`)}
      form={form}
      onSubmit={async ({ reason }) => {
        await callApi('POST', `/review/decisions/${id}/decide`, { outcome, reason })
        form.forget()
        showToast(t(`desk.review.appeal.done.${outcome}`))
        navigate(appealsPath)
        await invalidateReview()
      }}
      submit={t(`desk.review.appeal.label.${outcome}`)}
      onClose={onClose}
    >
      {({ field }) => (
        <TextArea
          label={t('desk.review.appeal.reason')}
          hint={t('desk.review.appeal.reason_hint')}
          {...field('reason')}
          limit={2000}
          required
        />
      )}
    </FormDialog>
  )
}
