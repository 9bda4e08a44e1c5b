import { useInfiniteQuery } from '@tanstack/react-query'
import type { SecurityHistory as Page, SecurityEvent } from '../../../../server/features/accounts/schema.ts'
import { ask } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Acts, Refused } from '../../components/form.tsx'
import { Loading } from '../../components/loading.tsx'
import { Row, Rows } from '../../components/rows.tsx'
import { Section } from '../../components/section.tsx'
import { Time } from '../../components/time.tsx'
import { browserName } from './browser-name.ts'
import { wordsOf } from './security-messages.ts'

/** What happened to the account, the newest first. */
export function SecurityHistory() {
  const history = useInfiniteQuery({
    queryKey: ['account', 'history'],
    queryFn: ({ pageParam }) => ask<Page>('GET', `/account/history${pageParam ? `?before=${pageParam}` : ''}`),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
  })
  const events = history.data?.pages.flatMap((page) => page.events)
  return (
    <Section
      title="Security history"
      lead="Sign-ins, and changes to what opens your account, for a year. Something here you don’t know? Reset your password: that signs everybody else out."
    >
      <Refused error={history.error} />
      {events?.length === 0 && (
        <p>
          Nothing yet. Your next sign-in, and every change to your password, passkeys, keys and address, will be listed
          here.
        </p>
      )}
      {events && events.length > 0 && (
        <Rows>
          {events.map((event) => (
            <Row key={event.number} title={wordsOf(event)} about={<Where event={event} />} />
          ))}
        </Rows>
      )}
      {!events && !history.error && <Loading />}
      {events && events.length > 0 && (
        <Acts>
          {history.hasNextPage && (
            <Button isBusy={history.isFetchingNextPage} onClick={() => history.fetchNextPage()}>
              Show older
            </Button>
          )}
          <a href="/desk/api/account/history/download" download>
            Download as JSON
          </a>
        </Acts>
      )}
    </Section>
  )
}

const Where = ({ event: { at, facts } }: { readonly event: SecurityEvent }) => (
  <>
    <Time at={at} isPast />
    {facts['browser'] && `, ${browserName(facts['browser'])}`}
    {facts['address'] && ` from ${facts['address']}`}
  </>
)
