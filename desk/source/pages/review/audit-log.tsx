import { Empty } from '../../components/load-states.tsx'
import { Page } from '../../components/page.tsx'
import { Time } from '../../components/time.tsx'
import { type AuditEntry, useAuditLog } from './queries.ts'
import styles from './review.module.css'
import { ReviewList } from './review-nav.tsx'

const verbs: Readonly<Record<string, string>> = {
  approve: 'approved',
  request_changes: 'asked for changes to',
  reject: 'rejected',
  take_down: 'took down',
  dismiss_reports: 'dismissed the reports of',
  withhold: 'took out of the shop',
  uphold: 'upheld the decision about',
  reinstate: 'reversed the decision about',
  verify_identity: 'verified the identity of',
  withdraw_identity: 'took back the verification of',
  suspend: 'suspended',
  restore: 'restored',
}

/** The audit log of moderation, newest first. It is append-only. */
export const AuditLog = () => (
  <Page title="Decisions" lead="Everything moderators did, newest first. It cannot be changed.">
    <ReviewList
      list={useAuditLog()}
      items={({ deeds }) => deeds}
      label="Decisions, the newest first"
      className={styles.deeds}
      empty={
        <Empty title="Nothing was decided yet">
          <p>The first decision of a moderator will stand here, with its note.</p>
        </Empty>
      }
    >
      {(entry) => (
        <li key={`${entry.at} ${entry.act} ${entry.piece?.id ?? entry.listing ?? entry.writer?.slug}`}>
          <p>
            <bdi>{entry.moderator ?? 'The operator, or a moderator who has left,'}</bdi> {verbs[entry.act] ?? entry.act}{' '}
            <EntrySubject entry={entry} />
          </p>
          {entry.note && (
            <p className={`excerpt ${styles.note}`} dir="auto">
              “{entry.note}”
            </p>
          )}
          <p className="facts">
            <Time at={entry.at} isPast />
          </p>
        </li>
      )}
    </ReviewList>
  </Page>
)

/** The subject of the entry. A piece that was never public has no headline here. */
function EntrySubject({ entry: { piece, listing, writer } }: { readonly entry: AuditEntry }) {
  const name = writer ? <bdi>{writer.name}</bdi> : 'a writer who has left'
  if (listing)
    return (
      <>
        the listing <a href={`/shop/${listing}`}>{listing}</a>, by {name}
      </>
    )
  if (!piece) return name
  return (
    <>
      <EntryHeadline piece={piece} />, by {name}
    </>
  )
}

function EntryHeadline({ piece: { id, headline, is_public } }: { readonly piece: NonNullable<AuditEntry['piece']> }) {
  if (headline === null) return 'a piece that is not public'
  if (is_public) return <a href={`/p/${id}`}>{headline}</a>
  return (
    <>
      “<bdi>{headline}</bdi>”, which is not public now
    </>
  )
}
