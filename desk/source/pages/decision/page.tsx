import { useQuery } from '@tanstack/react-query'
import type { Decision, DecisionFound } from '../../../../server/features/moderation/schema.ts'
import { callApi } from '../../api/client.ts'
import { queries } from '../../api/queries.ts'
import { DecisionStatement } from '../../components/decision.tsx'
import { TextArea } from '../../components/field.tsx'
import { Form, SubmitButton } from '../../components/form.tsx'
import { LoadingPage } from '../../components/loaded.tsx'
import { showToast } from '../../components/notice.tsx'
import { Page, Section } from '../../components/page.tsx'
import { formatDate } from '../../components/time.tsx'

/** A moderation decision about the writer's own work, and the appeal. */
export function DecisionPage({ id }: { readonly id: string }) {
  const { data, error } = useQuery({
    queryKey: ['decision', id],
    queryFn: () => callApi<DecisionFound>('GET', `/decisions/${id}`),
  })
  if (!data) return <LoadingPage title="Decision" error={error} />
  const { decision } = data
  const { about } = decision
  const back = about.kind === 'piece' ? `/desk/edit/pieces/${about.id}` : `/desk/shop/${about.id}`
  return (
    <Page
      title="What the moderators decided"
      back={{ to: back, words: `Back to the ${about.kind}` }}
      lead={<bdi>{about.headline}</bdi>}
    >
      <DecisionStatement of={decision} />
      {decision.can_appeal ? <AppealForm decision={decision} /> : <AfterAppeal decision={decision} />}
    </Page>
  )
}

const maxLength = 4000

function AppealForm({ decision }: { readonly decision: Decision }) {
  return (
    <Section
      title="Appeal"
      lead={`You can appeal once, until ${formatDate(decision.appeal_until)}. Not the moderator who decided, but somebody else reads it.`}
    >
      <Form
        initial={{ text: '' }}
        onSubmit={async (given) => {
          const answer = await callApi<DecisionFound>('POST', `/decisions/${decision.id}/appeal`, given)
          queries.setQueryData(['decision', decision.id], answer)
          showToast('Your appeal is with the moderators.')
        }}
      >
        {({ field }) => (
          <>
            <TextArea
              label="Why the decision is wrong"
              hint="What did the moderator not know, or not see? We email you what was decided."
              {...field('text')}
              limit={maxLength}
              rows={6}
              required
            />
            <SubmitButton>Send appeal</SubmitButton>
          </>
        )}
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
