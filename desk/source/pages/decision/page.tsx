import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Decision, DecisionFound } from '../../../../server/features/moderation/schema.ts'
import { problemOf } from '../../api/api-error.ts'
import { callApi } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { DecisionStatement } from '../../components/decision.tsx'
import { TextArea } from '../../components/field.tsx'
import { ErrorNotice, Form, useAttempt } from '../../components/form.tsx'
import { BackLink } from '../../components/link.tsx'
import { Loading } from '../../components/load-states.tsx'
import { showToast } from '../../components/notice.tsx'
import { Page, Section } from '../../components/page.tsx'
import { formatDate } from '../../components/time.tsx'

/** A moderation decision about the writer's own work, and the appeal. */
export function DecisionPage({ id }: { readonly id: string }) {
  const { data, error } = useQuery({
    queryKey: ['decision', id],
    queryFn: () => callApi<DecisionFound>('GET', `/decisions/${id}`),
  })
  if (!data) {
    return (
      <Page title="Decision">
        <ErrorNotice error={error} />
        {!error && <Loading />}
      </Page>
    )
  }
  const { decision } = data
  const { about } = decision
  const back = about.kind === 'piece' ? `/desk/edit/pieces/${about.id}` : `/desk/shop/${about.id}`
  return (
    <>
      <BackLink to={back} above="page">
        Back to the {about.kind}
      </BackLink>
      <Page title="What the moderators decided" lead={<bdi>{about.headline}</bdi>}>
        <DecisionStatement of={decision} />
        {decision.can_appeal ? <AppealForm decision={decision} /> : <AfterAppeal decision={decision} />}
      </Page>
    </>
  )
}

const maxLength = 4000

function AppealForm({ decision }: { readonly decision: Decision }) {
  const [text, setText] = useState('')
  const queries = useQueryClient()
  const attempt = useAttempt()
  const send = attempt.handler(async () => {
    const answer = await callApi<DecisionFound>('POST', `/decisions/${decision.id}/appeal`, { text })
    queries.setQueryData(['decision', decision.id], answer)
    showToast('Your appeal is with the moderators.')
  })
  return (
    <Section
      title="Appeal"
      lead={`You can appeal once, until ${formatDate(decision.appeal_until)}. Not the moderator who decided, but somebody else reads it.`}
    >
      <Form attempt={attempt} onSubmit={send}>
        <TextArea
          label="Why the decision is wrong"
          hint="What did the moderator not know, or not see? We email you what was decided."
          value={text}
          onText={setText}
          limit={maxLength}
          problem={problemOf(attempt.error, 'text')}
          rows={6}
          required
        />
        <Button kind="main" type="submit" isBusy={attempt.isBusy}>
          Send appeal
        </Button>
      </Form>
    </Section>
  )
}

function AfterAppeal({ decision: { appeal, outcome, appeal_until } }: { readonly decision: Decision }) {
  if (outcome === 'reversed') return null
  if (outcome === 'upheld') return <p>A decision is appealed once. You can still change your work.</p>
  if (appeal) return <p>Your appeal is with the moderators. We email you what was decided.</p>
  return <p>This could be appealed until {formatDate(appeal_until)}. You can still change your work.</p>
}
