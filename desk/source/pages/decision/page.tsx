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
import { t } from '../../messages.ts'

/** A moderation decision about the writer's own work, and the appeal. */
export function DecisionPage({ id }: { readonly id: string }) {
  const { data, error } = useQuery({
    queryKey: ['decision', id],
    queryFn: () => callApi<DecisionFound>('GET', `/decisions/${id}`),
  })
  if (!data) return <LoadingPage title={t('desk.decision.title')} error={error} />
  const { decision } = data
  const { about } = decision
  const back = about.kind === 'piece' ? `/desk/edit/pieces/${about.id}` : `/desk/shop/${about.id}`
  return (
    <Page
      title={t('desk.decision.title')}
      back={{ to: back, words: t(`desk.decision.back_to_${about.kind}`) }}
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
    <Section title={t('desk.decision.appeal')} lead={t('desk.decision.appeal_lead', { until: decision.appeal_until })}>
      <Form
        initial={{ text: '' }}
        onSubmit={async (given) => {
          const answer = await callApi<DecisionFound>('POST', `/decisions/${decision.id}/appeal`, given)
          queries.setQueryData(['decision', decision.id], answer)
          showToast(t('desk.decision.appeal_sent'))
        }}
      >
        {({ field }) => (
          <>
            <TextArea
              label={t('desk.decision.appeal_label')}
              hint={t('desk.decision.appeal_hint')}
              {...field('text')}
              limit={maxLength}
              rows={6}
              required
            />
            <SubmitButton>{t('desk.decision.appeal_submit')}</SubmitButton>
          </>
        )}
      </Form>
    </Section>
  )
}

function AfterAppeal({ decision: { appeal, outcome, appeal_until } }: { readonly decision: Decision }) {
  if (outcome === 'reversed') return null
  if (outcome === 'upheld') return <p>{t('desk.decision.upheld')}</p>
  if (appeal) return <p>{t('desk.decision.pending')}</p>
  return <p>{t('desk.decision.expired', { until: appeal_until })}</p>
}
