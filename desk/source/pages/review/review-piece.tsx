import { ErrorNotice } from '../../components/form.tsx'
import { Link } from '../../components/link.tsx'
import { Loading } from '../../components/load-states.tsx'
import { LoadingPage } from '../../components/loaded.tsx'
import { Page, Section } from '../../components/page.tsx'
import { Time } from '../../components/time.tsx'
import { diffParagraphs, diffWords, isUnchanged, type Paragraph, type Part } from '../../diff/diff.ts'
import { DecidePiece } from './decide-piece.tsx'
import { PieceFrame } from './piece-frame.tsx'
import { type PreviousText, type ReviewedPiece, usePreviousText, useReviewedPiece } from './queries.ts'
import { ReportList, ReportSummary } from './report-list.tsx'
import styles from './review.module.css'

const waiting = { to: '/desk/review', words: 'Back to what waits' }

/** One piece under review: changes, reports, preview and decision. */
export function ReviewPiecePage({ id }: { readonly id: string }) {
  const { data, error, refetch } = useReviewedPiece(id)
  if (!data) {
    return (
      <LoadingPage title="Review" error={error}>
        <p>
          <Link to={waiting.to}>{waiting.words}</Link>
        </p>
      </LoadingPage>
    )
  }
  const { piece, nonce, page, reports } = data
  const back = reports ? { to: '/desk/review?list=reports', words: 'Back to the reports' } : waiting
  const isPending = piece.status === 'pending'
  return (
    <Page
      title={piece.headline}
      isWide
      lead={
        piece.submitted_at ? (
          <>
            By <bdi>{piece.writer.name}</bdi>, submitted <Time at={piece.submitted_at} isPast />
          </>
        ) : (
          <>
            By <a href={`/author/${piece.writer.slug}`}>{piece.writer.name}</a>, public now
          </>
        )
      }
    >
      {isPending && <Changes piece={piece} />}
      {reports && (
        <Section title="What readers reported" lead={<ReportSummary of={reports} />} isWide>
          <ReportList reports={reports.newest} />
        </Section>
      )}
      <Section
        title={isPending ? 'As readers would see it' : 'As readers see it'}
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
      <DecidePiece piece={piece} nonce={nonce} reports={reports} backTo={back.to} onStale={() => refetch()} />
      <p className={styles.back}>
        <Link to={back.to}>{back.words}</Link>
      </p>
    </Page>
  )
}

function Changes({ piece }: { readonly piece: ReviewedPiece }) {
  const { data: before, error } = usePreviousText(piece.id, true)
  if (error) return <ErrorNotice error={error} />
  if (before === undefined) return <Loading />
  if (before === null) return <p className={styles.first}>No moderator has read this piece before. All of it is new.</p>
  return (
    <Section title="What changed" lead="What moderators last had before them, and what waits now." isWide>
      <SideBySide before={before} now={piece} />
    </Section>
  )
}

interface Row extends Paragraph {
  /** The field, if it is not the text. */
  readonly of?: 'Headline' | 'Standfirst'
}

/** Before and after, side by side by paragraph. */
function SideBySide({ before, now }: { readonly before: PreviousText; readonly now: ReviewedPiece }) {
  const rows = [
    lineRow('Headline', before.headline, now.headline),
    lineRow('Standfirst', before.sub ?? '', now.sub ?? ''),
    ...diffParagraphs(before.body_md, now.body_md ?? ''),
  ].filter(({ parts }) => parts.length > 0)
  if (isUnchanged(rows)) return <p>Nothing. It was submitted again as it was.</p>
  return (
    <div className={styles.sideBySide}>
      <p className={styles.head} aria-hidden="true">
        <span>Before</span>
        <span>Now</span>
      </p>
      <ol aria-label="Before and now, paragraph by paragraph">
        {rows.map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows never move.
          <li key={at} data-kind={row.kind}>
            <Side name="Before" row={row} leftOut="added" />
            <Side name="Now" row={row} leftOut="removed" />
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
  readonly name: 'Before' | 'Now'
  readonly row: Row
  readonly leftOut: Part['kind']
}

function Side({ name, row, leftOut }: SideProps) {
  const parts = row.parts.filter(({ kind }) => kind !== leftOut)
  return (
    <div data-side={name === 'Before' ? 'before' : 'now'} data-empty={parts.length === 0 || undefined} dir="auto">
      {row.kind !== 'same' && <span className="hidden">{parts.length > 0 ? `${name}: ` : `${name}: nothing.`}</span>}
      {row.of && parts.length > 0 && <span className={styles.of}>{row.of}</span>}
      {parts.map(({ kind, text }, at) => {
        const key = `${at} ${kind}`
        if (kind === 'removed') return <del key={key}>{text}</del>
        if (kind === 'added') return <ins key={key}>{text}</ins>
        return <span key={key}>{text}</span>
      })}
    </div>
  )
}
