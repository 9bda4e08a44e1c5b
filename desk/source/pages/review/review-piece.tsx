import { Suspense } from 'react'
import { ReadingComments } from '../../comments/load.ts'
import { ErrorNotice } from '../../components/form.tsx'
import { Link } from '../../components/link.tsx'
import { Loading } from '../../components/load-states.tsx'
import { LoadingPage } from '../../components/loaded.tsx'
import { Page, Section } from '../../components/page.tsx'
import { Time } from '../../components/time.tsx'
import { diffParagraphs, diffWords, isUnchanged, type Paragraph, type Part } from '../../diff/diff.ts'
import { rich, t } from '../../messages.ts'
import { DecidePiece } from './decide-piece.tsx'
import { PieceFrame } from './piece-frame.tsx'
import { type PreviousText, type ReviewedPiece, usePreviousText, useReviewedPiece } from './queries.ts'
import { ReportList, ReportSummary } from './report-list.tsx'
import styles from './review.module.css'

/** One piece under review: changes, reports, preview and decision. */
export function ReviewPiecePage({ id }: { readonly id: string }) {
  const { data, error, refetch } = useReviewedPiece(id)
  if (!data) {
    return (
      <LoadingPage title={t('desk.review.piece.title')} error={error}>
        <p>
          <Link to="/desk/review">{t('desk.review.back.queue')}</Link>
        </p>
      </LoadingPage>
    )
  }
  const { piece, nonce, page, reports } = data
  const backTo = reports ? '/desk/review?list=reports' : '/desk/review'
  const isPending = piece.status === 'pending'
  return (
    <Page
      title={piece.headline}
      isWide
      lead={
        piece.submitted_at
          ? rich('desk.review.piece.submitted', {
              writer: <bdi>{piece.writer.name}</bdi>,
              time: <Time at={piece.submitted_at} isPast />,
            })
          : rich('desk.review.piece.published', {
              writer: <a href={`/author/${piece.writer.slug}`}>{piece.writer.name}</a>,
            })
      }
    >
      {isPending && <Changes piece={piece} />}
      {reports && (
        <Section title={t('desk.review.piece.reports')} lead={<ReportSummary of={reports} />} isWide>
          <ReportList reports={reports.newest} />
        </Section>
      )}
      <Section
        title={isPending ? t('desk.review.piece.preview') : t('desk.review.piece.as_published')}
        lead={
          <>
            <span className={styles.category}>{piece.category}</span>
            {piece.tags.map((tag) => ` · ${tag}`)}
          </>
        }
        isWide
      >
        <PieceFrame piece={piece} page={page} />
      </Section>
      {isPending && piece.body_md !== null && (
        <Suspense fallback={<Loading />}>
          <ReadingComments piece={piece.id} body={piece.body_md} reader="moderator" />
        </Suspense>
      )}
      <DecidePiece piece={piece} nonce={nonce} reports={reports} backTo={backTo} onStale={() => refetch()} />
      <p className={styles.back}>
        <Link to={backTo}>{reports ? t('desk.review.back.reports') : t('desk.review.back.queue')}</Link>
      </p>
    </Page>
  )
}

function Changes({ piece }: { readonly piece: ReviewedPiece }) {
  const { data: before, error } = usePreviousText(piece.id, true)
  if (error) return <ErrorNotice error={error} />
  if (before === undefined) return <Loading />
  if (before === null) return <p className={styles.first}>{t('desk.review.piece.first')}</p>
  return (
    <Section title={t('desk.review.changes.title')} lead={t('desk.review.changes.lead')} isWide>
      <SideBySide before={before} now={piece} />
    </Section>
  )
}

interface Row extends Paragraph {
  /** The field, if it is not the text. */
  readonly of?: 'headline' | 'standfirst'
}

/** Before and after, side by side by paragraph. */
function SideBySide({ before, now }: { readonly before: PreviousText; readonly now: ReviewedPiece }) {
  const rows = [
    lineRow('headline', before.headline, now.headline),
    lineRow('standfirst', before.sub ?? '', now.sub ?? ''),
    ...diffParagraphs(before.body_md, now.body_md ?? ''),
  ].filter(({ parts }) => parts.length > 0)
  if (isUnchanged(rows)) return <p>{t('desk.review.changes.none')}</p>
  return (
    <div className={styles.sideBySide}>
      <p className={styles.head} aria-hidden="true">
        <span>{t('desk.review.changes.before')}</span>
        <span>{t('desk.review.changes.now')}</span>
      </p>
      <ol aria-label={t('desk.review.changes.list')}>
        {rows.map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows never move.
          <li key={at} data-kind={row.kind}>
            <Side side="before" row={row} leftOut="added" />
            <Side side="now" row={row} leftOut="removed" />
          </li>
        ))}
      </ol>
    </div>
  )
}

function lineRow(of: NonNullable<Row['of']>, before: string, now: string): Row {
  const parts = diffWords(before, now)
  return { of, kind: before === now ? 'same' : 'changed', parts }
}

interface SideProps {
  readonly side: 'before' | 'now'
  readonly row: Row
  readonly leftOut: Part['kind']
}

function Side({ side, row, leftOut }: SideProps) {
  const parts = row.parts.filter(({ kind }) => kind !== leftOut)
  return (
    <div data-side={side} data-empty={parts.length === 0 || undefined} dir="auto">
      {row.kind !== 'same' && (
        <span className="hidden">
          {parts.length > 0 ? t(`desk.review.changes.side.${side}`) : t(`desk.review.changes.nothing.${side}`)}
        </span>
      )}
      {row.of && parts.length > 0 && <span className={styles.of}>{t(`desk.review.changes.field.${row.of}`)}</span>}
      {parts.map(({ kind, text }, at) => {
        const key = `${at} ${kind}`
        if (kind === 'removed') return <del key={key}>{text}</del>
        if (kind === 'added') return <ins key={key}>{text}</ins>
        return <span key={key}>{text}</span>
      })}
    </div>
  )
}
