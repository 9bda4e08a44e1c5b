import { useState } from 'react'
import { type Invitation, invalidateInvitations, useInvitations } from '../../api/co-authors.ts'
import { Button, LinkButton } from '../../components/button.tsx'
import { DraftFrame } from '../../components/draft-frame.tsx'
import { languageName } from '../../components/language.ts'
import { Empty } from '../../components/load-states.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Page, Section } from '../../components/page.tsx'
import styles from '../../components/requests.module.css'
import { Time } from '../../components/time.tsx'
import { rich, t } from '../../messages.ts'
import { type Answer, AnswerDialog } from './answer.tsx'

/** Pieces of others that the writer is invited to sign, or has signed. */
export function CoAuthorsPage() {
  const list = useInvitations()
  const [answering, setAnswering] = useState<{ readonly invitation: Invitation; readonly answer: Answer }>()
  const entries = (invitations: readonly Invitation[], label: string) => (
    <ol className="entries" aria-label={label}>
      {invitations.map((invitation) => (
        <Entry
          key={invitation.id}
          invitation={invitation}
          onAnswer={(answer) => setAnswering({ invitation, answer })}
        />
      ))}
    </ol>
  )
  return (
    <Page title={t('desk.common.nav.co_authors')} lead={t('desk.co-authors.lead')}>
      <Loaded query={list}>
        {({ invitations }) => {
          if (invitations.length === 0) return <NoInvitations />
          const waiting = invitations.filter(({ answer }) => answer === null)
          const answered = invitations.filter(({ answer }) => answer !== null)
          return (
            <>
              <Section title={t('desk.co-authors.waiting')} isWide>
                {waiting.length > 0 ? (
                  entries(waiting, t('desk.co-authors.waiting'))
                ) : (
                  <p>{t('desk.co-authors.none_waiting')}</p>
                )}
              </Section>
              {answered.length > 0 && (
                <Section title={t('desk.co-authors.answered')} isWide>
                  {entries(answered, t('desk.co-authors.answered'))}
                </Section>
              )}
            </>
          )
        }}
      </Loaded>
      {answering && <AnswerDialog {...answering} onClose={() => setAnswering(undefined)} />}
    </Page>
  )
}

const NoInvitations = () => (
  <Empty title={t('desk.co-authors.empty')}>
    <p>{t('desk.co-authors.empty_about')}</p>
    <p>{t('desk.co-authors.empty_own')}</p>
    <LinkButton to="/desk">{t('desk.common.go_to_pieces')}</LinkButton>
  </Empty>
)

interface EntryProps {
  readonly invitation: Invitation
  readonly onAnswer: (answer: Answer) => void
}

function Entry({ invitation, onAnswer }: EntryProps) {
  const { id, headline, sub, language, revision, is_public, writer, invited_at, answer } = invitation
  const [isReading, setReading] = useState(false)
  const canRead = answer === null || answer === 'agreed'
  return (
    <li>
      <p className="facts">
        {answer && <strong>{t(`desk.co-authors.answer.${answer}`)}</strong>}
        <span>{languageName(language)}</span>
        <span>{rich('desk.co-authors.invited', { at: <Time at={invited_at} isPast /> })}</span>
      </p>
      <h3 className={styles.headline} dir="auto" lang={language}>
        {headline}
      </h3>
      {sub && (
        <p className="excerpt" dir="auto" lang={language}>
          {sub}
        </p>
      )}
      <p className={`facts ${styles.names}`}>
        <span>{rich('desk.co-authors.by', { writer: <bdi>{writer.name}</bdi> })}</span>
        {is_public && <a href={`/p/${id}`}>{t('desk.co-authors.view')}</a>}
      </p>
      <div className={styles.acts}>
        {canRead && (
          <Button
            aria-expanded={isReading}
            aria-label={t(isReading ? 'desk.co-authors.close_one' : 'desk.co-authors.read_one', { headline })}
            onClick={() => setReading(!isReading)}
          >
            {t(isReading ? 'desk.common.close' : 'desk.co-authors.read')}
          </Button>
        )}
        {answersTo(answer).map(([next, label]) => (
          <Button
            key={next}
            kind={answer !== null ? 'plain' : next === 'agree' ? 'main' : 'quiet'}
            aria-label={t(`desk.co-authors.${label}_one`, { headline })}
            onClick={() => onAnswer(next)}
          >
            {t(`desk.co-authors.${label}`)}
          </Button>
        ))}
      </div>
      {isReading && canRead && (
        <DraftFrame
          path={`/co-authors/${id}/preview`}
          revision={revision}
          title={t('desk.co-authors.frame', { headline })}
          onChanged={invalidateInvitations}
        />
      )}
    </li>
  )
}

/** What can be answered now, and what its button says. */
function answersTo(answer: Invitation['answer']): readonly (readonly [Answer, Answer | 'change'])[] {
  if (answer === 'agreed') return [['withdraw', 'withdraw']]
  if (answer !== null) return [['agree', 'change']]
  return [
    ['agree', 'agree'],
    ['decline', 'decline'],
  ]
}
