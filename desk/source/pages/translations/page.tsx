import { useState } from 'react'
import { invalidateTranslations, type TranslationRequest, useTranslations } from '../../api/translations.ts'
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

/** Translations of the writer's pieces by others, which need the writer's consent. */
export function TranslationsPage() {
  const list = useTranslations()
  const [answering, setAnswering] = useState<{ readonly request: TranslationRequest; readonly answer: Answer }>()
  const entries = (requests: readonly TranslationRequest[], label: string) => (
    <ol className="entries" aria-label={label}>
      {requests.map((request) => (
        <Entry key={request.id} request={request} onAnswer={(answer) => setAnswering({ request, answer })} />
      ))}
    </ol>
  )
  return (
    <Page title={t('desk.common.nav.translations')} lead={t('desk.translations.lead')}>
      <Loaded query={list}>
        {({ translations }) => {
          const waiting = translations.filter(({ answer }) => answer === null)
          const answered = translations.filter(({ answer }) => answer !== null)
          if (translations.length === 0) return <NoTranslations />
          return (
            <>
              <Section title={t('desk.translations.waiting')} isWide>
                {waiting.length > 0 ? (
                  entries(waiting, t('desk.translations.waiting'))
                ) : (
                  <p>{t('desk.translations.none_waiting')}</p>
                )}
              </Section>
              {answered.length > 0 && (
                <Section title={t('desk.translations.answered')} isWide>
                  {entries(answered, t('desk.translations.answered'))}
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

const NoTranslations = () => (
  <Empty title={t('desk.translations.empty')}>
    <p>{t('desk.translations.empty_about')}</p>
    <p>{t('desk.translations.empty_own')}</p>
    <LinkButton to="/desk">{t('desk.common.go_to_pieces')}</LinkButton>
  </Empty>
)

interface EntryProps {
  readonly request: TranslationRequest
  readonly onAnswer: (answer: Answer) => void
}

function Entry({ request, onAnswer }: EntryProps) {
  const { id, headline, sub, language, is_public, translator, original, asked_at, answer } = request
  const [isReading, setReading] = useState(false)
  /** After declining, the author may no longer read the draft. */
  const canRead = !is_public && answer !== 'declined'
  return (
    <li>
      <p className="facts">
        {answer && <strong>{t(`desk.translations.answer.${answer}`)}</strong>}
        <span>{languageName(language)}</span>
        <span>{rich('desk.translations.asked', { at: <Time at={asked_at} isPast /> })}</span>
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
        <span>{rich('desk.translations.by', { translator: <bdi>{translator.name}</bdi> })}</span>
        <span>
          {rich('desk.translations.of', {
            original: <bdi>{original.headline}</bdi>,
            link: (words) => <a href={`/p/${original.id}`}>{words}</a>,
          })}
        </span>
        {is_public && <a href={`/p/${id}`}>{t('desk.translations.view')}</a>}
      </p>
      <div className={styles.acts}>
        {canRead && (
          <Button
            aria-expanded={isReading}
            aria-label={t(isReading ? 'desk.translations.close_one' : 'desk.translations.read_one', { headline })}
            onClick={() => setReading(!isReading)}
          >
            {t(isReading ? 'desk.common.close' : 'desk.translations.read')}
          </Button>
        )}
        {answersTo(request).map((next) => (
          <Button
            key={next}
            kind={answer !== null ? 'plain' : next === 'agree' ? 'main' : 'quiet'}
            aria-label={t(`desk.translations.${answer === null ? next : changed(next)}_one`, { headline })}
            onClick={() => onAnswer(next)}
          >
            {t(`desk.translations.${answer === null ? next : changed(next)}`)}
          </Button>
        ))}
      </div>
      {isReading && canRead && (
        <DraftFrame
          path={`/translations/${id}/preview`}
          revision={request.revision}
          title={t('desk.translations.frame', { headline })}
          onChanged={invalidateTranslations}
        />
      )}
    </li>
  )
}

const answersTo = ({ answer, is_public }: TranslationRequest): readonly Answer[] => {
  if (answer === null) return ['agree', 'decline']
  if (answer === 'declined') return ['agree']
  return [is_public ? 'withdraw' : 'decline']
}

/** The label of what changes an earlier answer. */
const changed = (answer: Answer): 'withdraw' | 'change' => (answer === 'withdraw' ? 'withdraw' : 'change')
