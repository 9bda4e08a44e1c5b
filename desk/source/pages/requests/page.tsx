import { useState } from 'react'
import { apiPaths, invalidateRequests, type RequestKind, useRequests, type WriterRequest } from '../../api/requests.ts'
import { Button, LinkButton } from '../../components/button.tsx'
import { DraftFrame } from '../../components/draft-frame.tsx'
import { languageName } from '../../components/language.ts'
import { Empty } from '../../components/load-states.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Page, Section } from '../../components/page.tsx'
import { Time } from '../../components/time.tsx'
import { rich, t } from '../../messages.ts'
import { type Answer, AnswerDialog, labelOf } from './answer.tsx'
import styles from './requests.module.css'

/** Translations of the writer's pieces by others, which need the writer's consent. */
export const TranslationsPage = () => <RequestsPage kind="translation" title={t('desk.common.nav.translations')} />

/** Pieces of others that the writer is invited to sign, or has signed. */
export const CoAuthorsPage = () => <RequestsPage kind="co_author" title={t('desk.common.nav.co_authors')} />

function RequestsPage({ kind, title }: { readonly kind: RequestKind; readonly title: string }) {
  const list = useRequests(kind)
  const [answering, setAnswering] = useState<{ readonly request: WriterRequest; readonly answer: Answer }>()
  const entries = (requests: readonly WriterRequest[], label: string) => (
    <ol className="entries" aria-label={label}>
      {requests.map((request) => (
        <Entry
          key={request.id}
          kind={kind}
          request={request}
          onAnswer={(answer) => setAnswering({ request, answer })}
        />
      ))}
    </ol>
  )
  return (
    <Page title={title} lead={t(`desk.requests.${kind}.lead`)}>
      <Loaded query={list}>
        {({ requests }) => {
          if (requests.length === 0) return <NoRequests kind={kind} />
          const waiting = requests.filter(({ answer }) => answer === null)
          const answered = requests.filter(({ answer }) => answer !== null)
          return (
            <>
              <Section title={t('desk.requests.waiting')} isWide>
                {waiting.length > 0 ? (
                  entries(waiting, t('desk.requests.waiting'))
                ) : (
                  <p>{t('desk.requests.none_waiting')}</p>
                )}
              </Section>
              {answered.length > 0 && (
                <Section title={t('desk.requests.answered')} isWide>
                  {entries(answered, t('desk.requests.answered'))}
                </Section>
              )}
            </>
          )
        }}
      </Loaded>
      {answering && <AnswerDialog kind={kind} {...answering} onClose={() => setAnswering(undefined)} />}
    </Page>
  )
}

const NoRequests = ({ kind }: { readonly kind: RequestKind }) => (
  <Empty title={t(`desk.requests.${kind}.empty`)}>
    <p>{t(`desk.requests.${kind}.empty_about`)}</p>
    <p>{t(`desk.requests.${kind}.empty_own`)}</p>
    <LinkButton to="/desk">{t('desk.common.go_to_pieces')}</LinkButton>
  </Empty>
)

interface EntryProps {
  readonly kind: RequestKind
  readonly request: WriterRequest
  readonly onAnswer: (answer: Answer) => void
}

function Entry({ kind, request, onAnswer }: EntryProps) {
  const { id, headline, sub, language, revision, is_public, person, original, at, answer } = request
  const [isReading, setReading] = useState(false)
  const isSigned = kind === 'co_author' && answer === 'agreed'
  /** After declining, the writer may no longer read the draft. */
  const canRead = kind === 'translation' ? !is_public && answer !== 'declined' : answer === null
  return (
    <li>
      <p className="facts">
        {answer && <strong>{t(`desk.requests.answer.${answer}`)}</strong>}
        <span>{languageName(language)}</span>
        <span>{rich(`desk.requests.${kind}.at`, { at: <Time at={at} isPast /> })}</span>
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
        <span>{rich(`desk.requests.${kind}.by`, { person: <bdi>{person}</bdi> })}</span>
        {original && (
          <span>
            {rich('desk.requests.translation.of', {
              original: <bdi>{original.headline}</bdi>,
              link: (words) => <a href={`/p/${original.id}`}>{words}</a>,
            })}
          </span>
        )}
        {is_public && <a href={`/p/${id}`}>{t('desk.requests.view')}</a>}
      </p>
      <div className={styles.acts}>
        {canRead && (
          <Button
            aria-expanded={isReading}
            aria-label={t(isReading ? 'desk.requests.close_one' : 'desk.requests.read_one', { headline })}
            onClick={() => setReading(!isReading)}
          >
            {t(isReading ? 'desk.common.close' : 'desk.requests.read')}
          </Button>
        )}
        {isSigned && (
          <LinkButton to={`/desk/co-authors/${id}`} label={t('desk.requests.co_author.open_one', { headline })}>
            {t('desk.requests.co_author.open')}
          </LinkButton>
        )}
        {answersTo(kind, request).map((next) => {
          const label = answer === null || next === 'withdraw' ? labelOf(kind, next) : 'change'
          return (
            <Button
              key={next}
              kind={answer !== null ? 'plain' : next === 'agree' ? 'main' : 'quiet'}
              aria-label={t(`desk.requests.${label}_one`, { headline })}
              onClick={() => onAnswer(next)}
            >
              {t(`desk.requests.${label}`)}
            </Button>
          )
        })}
      </div>
      {isReading && canRead && (
        <DraftFrame
          path={`${apiPaths[kind]}/${id}/preview`}
          revision={revision}
          title={t(`desk.requests.${kind}.frame`, { headline })}
          onChanged={() => invalidateRequests(kind)}
        />
      )}
    </li>
  )
}

/** What can be answered now. A translation that is not public yet is declined rather than withdrawn. */
function answersTo(kind: RequestKind, { answer, is_public }: WriterRequest): readonly Answer[] {
  if (answer === null) return ['agree', 'decline']
  if (answer !== 'agreed') return ['agree']
  return [kind === 'translation' && !is_public ? 'decline' : 'withdraw']
}
