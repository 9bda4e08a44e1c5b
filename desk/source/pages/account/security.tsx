import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type {
  SecurityHistory as HistoryPage,
  SecurityEvent,
  Session,
} from '../../../../server/features/accounts/schema.ts'
import { callApi } from '../../api/client.ts'
import { invalidate } from '../../api/queries.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNotice, FormActions, useAttempt } from '../../components/form.tsx'
import { Loading } from '../../components/load-states.tsx'
import { showToast } from '../../components/notice.tsx'
import { Row, Rows, Section } from '../../components/page.tsx'
import { Time } from '../../components/time.tsx'
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
      await invalidate('sessions')
      showToast(`Signed out of ${browserName(user_agent)}.`)
    })
  const endOthers = attempt.handler(async () => {
    await callApi('POST', '/sessions/end-others')
    await invalidate('sessions')
    showToast('You are signed in here alone.')
  })
  const sessions = data?.sessions.toSorted((a, b) => Number(b.is_this_one) - Number(a.is_this_one))
  return (
    <Section
      title="Where you are signed in"
      lead="Something here you do not know? Sign it out, then change your password."
    >
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
                    aria-label={`Sign out of ${browserName(session.user_agent)}`}
                    onClick={end(session)}
                  >
                    Sign out
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
          Sign out everywhere else
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
  <>
    {is_this_one ? (
      'This browser'
    ) : (
      <>
        Last seen <Time at={last_seen_at} />
      </>
    )}
    , signed in <Time at={created_at} />
    {address && ` from ${address}`}
  </>
)

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
    <Section
      title="Security history"
      lead="Sign-ins, and changes to what opens your account, for a year. Something here you don’t know? Reset your password: that signs everybody else out."
    >
      <ErrorNotice error={history.error} />
      {events?.length === 0 && (
        <p>
          Nothing yet. Your next sign-in, and every change to your password, passkeys, keys and address, will be listed
          here.
        </p>
      )}
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
              Show older
            </Button>
          )}
          <a href="/desk/api/account/history/download" download>
            Download as JSON
          </a>
        </FormActions>
      )}
    </Section>
  )
}

const EventOrigin = ({ event: { at, facts } }: { readonly event: SecurityEvent }) => (
  <>
    <Time at={at} isPast />
    {facts['browser'] && `, ${browserName(facts['browser'])}`}
    {facts['address'] && ` from ${facts['address']}`}
  </>
)

/** A security event as a sentence. */
function describeEvent({ act, facts }: Pick<SecurityEvent, 'act' | 'facts'>): string {
  const words = sentences[act]
  return words ? words(facts) : 'Something about your account changed'
}

type Facts = Readonly<Record<string, string>>

const signInMethods: Facts = { password: 'your password', passkey: 'a passkey', recovery_code: 'a recovery code' }
const withName = (what: string, { name }: Facts): string => (name ? `${what} “${name}”` : what)

const sentences: Readonly<Record<string, (facts: Facts) => string>> = {
  signed_up: () => 'Account created',
  signed_in: ({ by = '' }) => (signInMethods[by] ? `Signed in with ${signInMethods[by]}` : 'Signed in'),
  sign_in_failed: () => 'Sign-in failed: wrong password or recovery code, once or more within an hour',
  sessions_ended: ({ count }) => (count === '1' ? 'Signed out of one session' : `Signed out of ${count} sessions`),
  password_set: () => 'Password changed',
  password_reset: () => 'Password reset with a link from an email',
  passkey_added: (facts) => withName('Passkey added:', facts),
  passkey_deleted: (facts) => withName('Passkey deleted:', facts),
  key_made: (facts) => `${withName('API key made:', facts)} (${facts['key']})`,
  key_revoked: (facts) => `${withName('API key revoked:', facts)} (${facts['key']})`,
  dead_key_used: (facts) => `${withName('Revoked or expired API key used:', facts)} (${facts['key']})`,
  link_made: () => 'Private link to a draft made',
  link_revoked: () => 'Private link to a draft revoked',
  recovery_codes_made: () => 'Recovery codes made',
  email_asked: ({ to }) => `Change of email address to ${to} requested`,
  email_cancelled: ({ to }) => `Change of email address to ${to} cancelled`,
  email_confirmed: ({ from, to }) => `Email address changed from ${from} to ${to}`,
  email_undone: ({ from, to }) => `Email address changed back from ${from} to ${to}`,
  role_changed: ({ from, to }) => `Role changed from ${from} to ${to} by an operator`,
  deletion_asked: () => 'Deletion of the account requested',
  deletion_cancelled: () => 'Deletion of the account cancelled',
  disabled: () => 'Account disabled by an operator',
  enabled: () => 'Account enabled by an operator',
}
