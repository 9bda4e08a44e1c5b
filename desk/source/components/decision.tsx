import { useQuery } from '@tanstack/react-query'
import type { Decision, DecisionList } from '../../../server/features/moderation/schema.ts'
import { callApi } from '../api/client.ts'
import styles from './decision.module.css'
import { Link } from './link.tsx'
import { Time } from './time.tsx'

const acts: Readonly<Record<Decision['act'], string>> = {
  take_down: 'Taken down',
  reject: 'Not accepted',
  withhold: 'Taken out of the shop',
}

type DecisionDetails = Pick<
  Decision,
  'act' | 'at' | 'rule' | 'facts' | 'by_report' | 'appeal' | 'outcome' | 'answer' | 'decided_at'
>

/** A statement of reasons with the appeal and its outcome. */
export const DecisionStatement = ({ of }: { readonly of: DecisionDetails }) => (
  <dl className={styles.statement}>
    <dt>Decision</dt>
    <dd>
      {acts[of.act]} <Time at={of.at} isPast />
      {of.act !== 'reject' && '. Readers no longer have it; its writer has all of it.'}
    </dd>
    <dt>Reason</dt>
    <dd>{of.rule}</dd>
    <dt>What the moderator found</dt>
    <dd dir="auto" className={styles.words}>
      {of.facts}
    </dd>
    <dt>How it came to this</dt>
    <dd>{of.by_report ? 'A report led to it.' : 'No report led to it.'} A person decided; nothing was automated.</dd>
    {of.appeal && (
      <>
        <dt>
          Appeal, <Time at={of.appeal.at} isPast />
        </dt>
        <dd dir="auto" className={styles.words}>
          {of.appeal.text}
        </dd>
      </>
    )}
    {of.outcome && of.decided_at && (
      <>
        <dt>
          {of.outcome === 'upheld' ? 'The decision stands' : 'The decision was reversed'},{' '}
          <Time at={of.decided_at} isPast />
        </dt>
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
        {decision.can_appeal ? 'Read the whole decision, or appeal' : 'Read the whole decision'}
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
