import type { Decision } from '../../../server/features/moderation/decisions-schema.ts'
import styles from './statement.module.css'
import { Time } from './time.tsx'

const acts: Readonly<Record<Decision['act'], string>> = {
  take_down: 'Taken down',
  reject: 'Not accepted',
  withhold: 'Taken out of the shop',
}

type Stated = Pick<
  Decision,
  'act' | 'at' | 'rule' | 'facts' | 'by_report' | 'appeal' | 'outcome' | 'answer' | 'decided_at'
>

/** A statement of reasons, and what became of it. */
export const Statement = ({ of }: { readonly of: Stated }) => (
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
