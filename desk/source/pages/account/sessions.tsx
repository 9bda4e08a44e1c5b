import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Session } from '../../../../server/features/accounts/schema.ts'
import { callApi } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNotice, useAttempt } from '../../components/form.tsx'
import { Loading } from '../../components/load-states.tsx'
import { showToast } from '../../components/notice.tsx'
import { Row, Rows, Section } from '../../components/page.tsx'
import { Time } from '../../components/time.tsx'
import { browserName } from './browser-name.ts'

/** Active sessions, this browser first. */
export function Sessions() {
  const queries = useQueryClient()
  const { data, error } = useQuery({
    queryKey: ['sessions'],
    queryFn: () => callApi<{ readonly sessions: readonly Session[] }>('GET', '/sessions'),
  })
  const attempt = useAttempt()
  const changed = () => queries.invalidateQueries({ queryKey: ['sessions'] })
  const end = ({ id, user_agent }: Session) =>
    attempt.handler(async () => {
      await callApi('DELETE', `/sessions/${id}`)
      await changed()
      showToast(`Signed out of ${browserName(user_agent)}.`)
    })
  const endOthers = attempt.handler(async () => {
    await callApi('POST', '/sessions/end-others')
    await changed()
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
