import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Decision, DecisionFound } from '../../../../server/features/moderation/decisions-schema.ts'
import { problemOf } from '../../api/api-error.ts'
import { ask } from '../../api/client.ts'
import { Back } from '../../components/back.tsx'
import { Button } from '../../components/button.tsx'
import { Area } from '../../components/field.tsx'
import { Form, Refused, useAttempt } from '../../components/form.tsx'
import { Loading } from '../../components/loading.tsx'
import { tell } from '../../components/notice.tsx'
import { Page } from '../../components/page.tsx'
import { Section } from '../../components/section.tsx'
import { Statement } from '../../components/statement.tsx'
import { dateOf } from '../../components/time.tsx'

/** A decision of the moderators about one's own work, and the appeal against it. */
export function Room({ id }: { readonly id: string }) {
  const { data, error } = useQuery({
    queryKey: ['decision', id],
    queryFn: () => ask<DecisionFound>('GET', `/decisions/${id}`),
  })
  if (!data) {
    return (
      <Page title="Decision">
        <Refused error={error} />
        {!error && <Loading />}
      </Page>
    )
  }
  const { decision } = data
  const { about } = decision
  const back = about.kind === 'piece' ? `/desk/edit/pieces/${about.id}` : `/desk/shop/${about.id}`
  return (
    <>
      <Back to={back} above="page">
        Back to the {about.kind}
      </Back>
      <Page title="What the moderators decided" lead={<bdi>{about.headline}</bdi>}>
        <Statement of={decision} />
        {decision.can_appeal ? <Appealing decision={decision} /> : <AfterAppeal decision={decision} />}
      </Page>
    </>
  )
}

const longest = 4000

function Appealing({ decision }: { readonly decision: Decision }) {
  const [text, setText] = useState('')
  const queries = useQueryClient()
  const attempt = useAttempt()
  const send = attempt.by(async () => {
    const answer = await ask<DecisionFound>('POST', `/decisions/${decision.id}/appeal`, { text })
    queries.setQueryData(['decision', decision.id], answer)
    tell('Your appeal is with the moderators.')
  })
  return (
    <Section
      title="Appeal"
      lead={`You can appeal once, until ${dateOf(decision.appeal_until)}. Not the moderator who decided, but somebody else reads it.`}
    >
      <Form attempt={attempt} onSubmit={send}>
        <Area
          label="Why the decision is wrong"
          hint="What did the moderator not know, or not see? We email you what was decided."
          value={text}
          onText={setText}
          limit={longest}
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
  return <p>This could be appealed until {dateOf(appeal_until)}. You can still change your work.</p>
}
