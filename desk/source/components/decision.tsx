import { useQuery } from '@tanstack/react-query'
import type { Decision, DecisionList } from '../../../server/features/moderation/schema.ts'
import { callApi } from '../api/client.ts'
import { rich, t } from '../messages.ts'
import styles from './decision.module.css'
import { Link } from './link.tsx'
import { Time } from './time.tsx'

type DecisionDetails = Pick<
  Decision,
  'act' | 'at' | 'rule' | 'facts' | 'by_report' | 'appeal' | 'outcome' | 'answer' | 'decided_at'
>

/** A statement of reasons with the appeal and its outcome. */
export const DecisionStatement = ({ of }: { readonly of: DecisionDetails }) => (
  <dl className={styles.statement}>
    <dt>{t('desk.common.decision.decision')}</dt>
    <dd>{rich(`desk.common.decision.${of.act}`, { at: <Time at={of.at} isPast /> })}</dd>
    <dt>{t('desk.common.decision.reason')}</dt>
    <dd>{of.rule}</dd>
    <dt>{t('desk.common.decision.facts')}</dt>
    <dd dir="auto" className={styles.words}>
      {of.facts}
    </dd>
    <dt>{t('desk.common.decision.origin')}</dt>
    <dd>{t(of.by_report ? 'desk.common.decision.after_report' : 'desk.common.decision.without_report')}</dd>
    {of.appeal && (
      <>
        <dt>{rich('desk.common.decision.appeal', { at: <Time at={of.appeal.at} isPast /> })}</dt>
        <dd dir="auto" className={styles.words}>
          {of.appeal.text}
        </dd>
      </>
    )}
    {of.outcome && of.decided_at && (
      <>
        <dt>{rich(`desk.common.decision.${of.outcome}`, { at: <Time at={of.decided_at} isPast /> })}</dt>
        <dd dir="auto" className={styles.words}>
          {of.answer}
        </dd>
      </>
    )}
  </dl>
)

interface DecisionLinkProps {
  readonly decision: { readonly id: string; readonly can_appeal: boolean } | undefined
}

/** Link to the full decision and the appeal; nothing if there is none. */
export const DecisionLink = ({ decision }: DecisionLinkProps) =>
  decision ? (
    <p>
      <Link to={`/desk/decisions/${decision.id}`}>
        {t(decision.can_appeal ? 'desk.common.decision.read_or_appeal' : 'desk.common.decision.read')}
      </Link>
    </p>
  ) : null

/** The writer's last decision about a piece or listing that was not reversed; disabled without an id. */
export function useLastDecision(id: string | null | undefined) {
  const { data } = useQuery({
    queryKey: ['decisions', id],
    queryFn: () => callApi<DecisionList>('GET', `/decisions?about=${id}`),
    enabled: Boolean(id),
  })
  return data?.decisions.find(({ outcome }) => outcome !== 'reversed')
}
