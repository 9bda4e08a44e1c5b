import { Refused } from '../../components/form.tsx'
import { Link } from '../../components/link.tsx'
import { Loading } from '../../components/loading.tsx'
import { Page } from '../../components/page.tsx'
import { Section } from '../../components/section.tsx'
import { Time } from '../../components/time.tsx'
import { Deciding } from './confirm.tsx'
import { HowMany, Said } from './form-values.tsx'
import { type Shown, useBefore, useShown } from './queries.ts'
import { Rendered } from './rendered.tsx'
import styles from './review.module.css'
import { SideBySide } from './side-by-side.tsx'

const waiting = { to: '/desk/review', words: 'Back to what waits' }

/** One piece before a moderator: what is new in it or was reported of it, the whole of it, and what becomes of it. */
export function Room({ id }: { readonly id: string }) {
  const { data, error, refetch } = useShown(id)
  if (!data) {
    return (
      <Page title="Review">
        <Refused error={error} />
        {!error && <Loading />}
        <p>
          <Link to={waiting.to}>{waiting.words}</Link>
        </p>
      </Page>
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
        <Section title="What readers reported" lead={<HowMany of={reports} />} isWide>
          <Said reports={reports.newest} />
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
        <Rendered piece={piece} page={page} />
      </Section>
      <Deciding piece={piece} nonce={nonce} reports={reports} backTo={back.to} onStale={() => refetch()} />
      <p className={styles.more}>
        <Link to={back.to}>{back.words}</Link>
      </p>
    </Page>
  )
}

function Changes({ piece }: { readonly piece: Shown }) {
  const { data: before, error } = useBefore(piece.id, true)
  if (error) return <Refused error={error} />
  if (before === undefined) return <Loading />
  if (before === null) return <p className={styles.first}>No moderator has read this piece before. All of it is new.</p>
  return (
    <Section title="What changed" lead="What moderators last had before them, and what waits now." isWide>
      <SideBySide before={before} now={piece} />
    </Section>
  )
}
