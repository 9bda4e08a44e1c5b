import type { ReactNode } from 'react'
import { Empty } from '../../components/load-states.tsx'
import { Page } from '../../components/page.tsx'
import { Time } from '../../components/time.tsx'
import { rich, t } from '../../messages.ts'
import { type AuditEntry, useAuditLog } from './queries.ts'
import styles from './review.module.css'
import { ReviewList } from './review-nav.tsx'

/** The audit log of moderation, newest first. It is append-only. */
export const AuditLog = () => (
  <Page title={t('desk.review.log.title')} lead={t('desk.review.log.lead')}>
    <ReviewList
      list={useAuditLog()}
      items={({ deeds }) => deeds}
      label={t('desk.review.log.list')}
      className={styles.deeds}
      empty={
        <Empty title={t('desk.review.log.empty')}>
          <p>{t('desk.review.log.empty_about')}</p>
        </Empty>
      }
    >
      {(entry) => (
        <li key={`${entry.at} ${entry.act} ${entry.piece?.id ?? entry.listing ?? entry.writer?.slug}`}>
          <p>{entryText(entry)}</p>
          {entry.note && (
            <p className={`excerpt ${styles.note}`}>
              <q dir="auto">{entry.note}</q>
            </p>
          )}
          <p className="facts">
            <span>
              <Time at={entry.at} isPast />
            </span>
            {entry.piece && !entry.piece.is_public && <span>{t('desk.review.log.not_public')}</span>}
          </p>
        </li>
      )}
    </ReviewList>
  </Page>
)

const pieceActs = [
  'approve',
  'request_changes',
  'reject',
  'take_down',
  'dismiss_reports',
  'uphold',
  'reinstate',
] as const
const listingActs = ['withhold', 'dismiss_reports', 'uphold', 'reinstate'] as const
const writerActs = ['verify_identity', 'withdraw_identity', 'suspend', 'restore'] as const

/** What happened, as a sentence. */
function entryText({ act, moderator: by, piece, listing, writer: about }: AuditEntry): ReactNode {
  const moderator = by === null ? t('desk.review.log.unknown_moderator') : <bdi>{by}</bdi>
  const writer = about === null ? t('desk.review.log.unknown_writer') : <bdi>{about.name}</bdi>
  const pieceAct = piece && pieceActs.find((one) => one === act)
  if (pieceAct)
    return rich(`desk.review.log.piece.${pieceAct}`, { moderator, writer, piece: <PieceName piece={piece} /> })
  const listingAct = listing !== null && listingActs.find((one) => one === act)
  if (listingAct) {
    const link = <a href={`/shop/${listing}`}>{listing}</a>
    return rich(`desk.review.log.listing.${listingAct}`, { moderator, writer, listing: link })
  }
  if (act === 'set_front_page') return rich('desk.review.log.front_page', { moderator })
  const writerAct = writerActs.find((one) => one === act)
  return rich(writerAct ? `desk.review.log.writer.${writerAct}` : 'desk.review.log.other', { moderator, writer })
}

/** A piece that was never public has no headline here. */
function PieceName({ piece: { id, headline, is_public } }: { readonly piece: NonNullable<AuditEntry['piece']> }) {
  if (headline === null) return t('desk.review.log.unknown_piece')
  return is_public ? (
    <a href={`/p/${id}`}>{headline}</a>
  ) : (
    <q>
      <bdi>{headline}</bdi>
    </q>
  )
}
