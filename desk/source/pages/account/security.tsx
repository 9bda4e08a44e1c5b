import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode } from 'react'
import type {
  SecurityHistory as HistoryPage,
  SecurityEvent,
  Session,
} from '../../../../server/features/accounts/schema.ts'
import { invalidateAccount } from '../../api/account.ts'
import { callApi } from '../../api/client.ts'
import { invalidate } from '../../api/queries.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNotice, FormActions, useAttempt } from '../../components/form.tsx'
import { Loading } from '../../components/load-states.tsx'
import { showToast } from '../../components/notice.tsx'
import { Row, Rows, Section } from '../../components/page.tsx'
import { Time } from '../../components/time.tsx'
import { type PlainMessageId, rich, t } from '../../messages.ts'
import styles from './account.module.css'
import { browserName } from './browser-name.ts'

/** Active sessions, this browser first. */
export function Sessions() {
  const { data, error } = useQuery({
    queryKey: ['sessions'],
    queryFn: () => callApi<{ readonly sessions: readonly Session[] }>('GET', '/sessions'),
  })
  const attempt = useAttempt()
  const end = ({ id, user_agent }: Session) =>
    attempt.handler(async () => {
      await callApi('DELETE', `/sessions/${id}`)
      await Promise.all([invalidate('sessions'), invalidateAccount()])
      showToast(t('desk.account.sessions.ended', { browser: browserName(user_agent) }))
    })
  const endOthers = attempt.handler(async () => {
    await callApi('POST', '/sessions/end-others')
    await Promise.all([invalidate('sessions'), invalidateAccount()])
    showToast(t('desk.account.sessions.others_ended'))
  })
  const sessions = data?.sessions.toSorted((a, b) => Number(b.is_this_one) - Number(a.is_this_one))
  return (
    <Section title={t('desk.account.sessions.title')} lead={t('desk.account.sessions.lead')}>
      <ErrorNotice error={error ?? attempt.error} />
      {sessions ? (
        <Rows>
          {sessions.map((session) => (
            <Row
              key={session.id}
              title={browserName(session.user_agent)}
              about={<SessionTimes session={session} />}
              actions={
                !session.is_this_one && (
                  <Button
                    kind="quiet"
                    isBusy={attempt.isBusy}
                    aria-label={t('desk.account.sessions.end_one', { browser: browserName(session.user_agent) })}
                    onClick={end(session)}
                  >
                    {t('desk.account.sign_out')}
                  </Button>
                )
              }
            />
          ))}
        </Rows>
      ) : (
        !error && <Loading />
      )}
      {sessions && sessions.length > 1 && (
        <Button isBusy={attempt.isBusy} onClick={endOthers}>
          {t('desk.account.sessions.end_others')}
        </Button>
      )}
    </Section>
  )
}

const SessionTimes = ({
  session: { is_this_one, last_seen_at, created_at, address },
}: {
  readonly session: Session
}) => (
  <Details
    of={[
      is_this_one
        ? t('desk.account.sessions.this')
        : rich('desk.account.sessions.last_seen', { at: <Time at={last_seen_at} isPast /> }),
      rich('desk.account.sessions.signed_in', { at: <Time at={created_at} isPast /> }),
      address,
    ]}
  />
)

/** What is known, with dots between. */
const Details = ({ of }: { readonly of: readonly ReactNode[] }) =>
  of.filter(Boolean).map((one, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the position is the only identity.
    <Fragment key={place}>
      {place > 0 && ' · '}
      {one}
    </Fragment>
  ))

/** Security events of the account, newest first. */
export function SecurityHistory() {
  const history = useInfiniteQuery({
    queryKey: ['account', 'history'],
    queryFn: ({ pageParam }) =>
      callApi<HistoryPage>('GET', `/account/history${pageParam ? `?before=${pageParam}` : ''}`),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
  })
  const events = history.data?.pages.flatMap((page) => page.events)
  return (
    <Section title={t('desk.account.history.title')} lead={t('desk.account.history.lead')}>
      <ErrorNotice error={history.error} />
      {events?.length === 0 && <p>{t('desk.account.history.none')}</p>}
      {events && events.length > 0 && (
        <Rows>
          {events.map((event) => (
            <Row key={event.number} title={describeEvent(event)} about={<EventOrigin event={event} />} />
          ))}
        </Rows>
      )}
      {!events && !history.error && <Loading />}
      {events && events.length > 0 && (
        <FormActions>
          {history.hasNextPage && (
            <Button isBusy={history.isFetchingNextPage} onClick={() => history.fetchNextPage()}>
              {t('desk.account.history.show_older')}
            </Button>
          )}
          <a href="/desk/api/account/history/download" download>
            {t('desk.account.history.download')}
          </a>
        </FormActions>
      )}
    </Section>
  )
}

const EventOrigin = ({ event: { at, facts } }: { readonly event: SecurityEvent }) => (
  <Details
    of={[
      <span key="at" className={styles.when}>
        <Time at={at} isPast />
      </span>,
      facts['browser'] && browserName(facts['browser']),
      facts['address'],
    ]}
  />
)

/** A security event as a line. */
function describeEvent({ act, facts }: Pick<SecurityEvent, 'act' | 'facts'>): string {
  const describe = withFacts[act]
  return describe ? describe(facts) : t(plainEvents[act] ?? 'desk.account.event.other')
}

type Facts = SecurityEvent['facts']

const plainEvents: Readonly<Record<string, PlainMessageId>> = {
  signed_up: 'desk.account.event.signed_up',
  sign_in_failed: 'desk.account.event.sign_in_failed',
  password_set: 'desk.account.event.password_set',
  password_reset: 'desk.account.event.password_reset',
  link_made: 'desk.account.event.link_made',
  link_revoked: 'desk.account.event.link_revoked',
  recovery_codes_made: 'desk.account.event.recovery_codes_made',
  deletion_asked: 'desk.account.event.deletion_asked',
  deletion_cancelled: 'desk.account.event.deletion_cancelled',
  disabled: 'desk.account.event.disabled',
  enabled: 'desk.account.event.enabled',
}

const withFacts: Readonly<Record<string, (facts: Facts) => string>> = {
  signed_in: ({ by = '' }) => t('desk.account.event.signed_in', { by }),
  sessions_ended: ({ count }) => t('desk.account.event.sessions_ended', { count: Number(count) }),
  passkey_added: ({ name = '' }) => t('desk.account.event.passkey_added', { name }),
  passkey_deleted: ({ name = '' }) => t('desk.account.event.passkey_deleted', { name }),
  followers_exported: ({ count }) => t('desk.account.event.followers_exported', { count: Number(count) }),
  followers_imported: ({ count }) => t('desk.account.event.followers_imported', { count: Number(count) }),
  key_made: ({ name = '', key = '' }) => t('desk.account.event.key_made', { name, key }),
  key_revoked: ({ name = '', key = '' }) => t('desk.account.event.key_revoked', { name, key }),
  dead_key_used: ({ name = '', key = '' }) => t('desk.account.event.dead_key_used', { name, key }),
  email_asked: ({ to = '' }) => t('desk.account.event.email_asked', { to }),
  email_cancelled: ({ to = '' }) => t('desk.account.event.email_cancelled', { to }),
  email_confirmed: ({ from = '', to = '' }) => t('desk.account.event.email_confirmed', { from, to }),
  email_undone: ({ from = '', to = '' }) => t('desk.account.event.email_undone', { from, to }),
  role_changed: ({ from = '', to = '' }) => t('desk.account.event.role_changed', { from, to }),
}
