import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import type { History, RevisionFound } from '../../../../server/features/pieces/desk-schema.ts'
import { callApi, errorMessage } from '../../api/client.ts'
import { Loading } from '../../components/load-states.tsx'
import { Notice } from '../../components/notice.tsx'
import { DiffView } from '../../diff/view.tsx'
import styles from './history.module.css'
import { authorName, lastKeyRevision } from './timeline.tsx'

interface ChangesProps {
  readonly id: string
  readonly history: History
  readonly revision: number
  /** The revision it is compared with; none for the first. */
  readonly before: number | undefined
  readonly onBefore: (revision: number) => void
  readonly children: ReactNode
}

/** Revisions never change, so each is read once. */
const useRevision = (id: string, revision: number | undefined) =>
  useQuery({
    queryKey: ['revision', id, revision],
    queryFn: async () => (await callApi<RevisionFound>('GET', `/pieces/${id}/revisions/${revision}`)).revision,
    enabled: revision !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })

const midSentence = (hand: string): string => hand.charAt(0).toLowerCase() + hand.slice(1)

const lineNames = { headline: 'Headline', sub: 'Standfirst', category: 'Category', tags: 'Tags' } as const

/** The changes of one revision. */
export function Changes({ id, history, revision, before, onBefore, children }: ChangesProps) {
  const field = useId()
  const now = useRevision(id, revision)
  const then = useRevision(id, before)
  const key = lastKeyRevision(history, revision)
  const error = now.error ?? then.error
  if (error) return <Notice kind="bad">{errorMessage(error)}</Notice>
  if (!now.data || (before !== undefined && !then.data)) return <Loading />
  const line = (member: keyof typeof lineNames, of: typeof now.data | undefined): string =>
    member === 'tags' ? (of?.tags.join(', ') ?? '') : (of?.[member] ?? '')
  const lines = (Object.keys(lineNames) as (keyof typeof lineNames)[]).filter(
    (member) => before !== undefined && line(member, now.data) !== line(member, then.data),
  )
  return (
    <section className={styles.changes} aria-labelledby={`${field}-title`}>
      <h2 id={`${field}-title`}>
        {before === undefined ? `Revision ${revision}, the first` : `From revision ${before} to ${revision}`}
      </h2>
      <p className={styles.hand}>{authorName(now.data)} wrote it.</p>
      {key && key.revision === before && <p>These are your changes to what {midSentence(authorName(key))} wrote.</p>}
      {key && key.revision !== before && (
        <p>
          <button type="button" className={styles.word} onClick={() => onBefore(key.revision)}>
            What you changed since {midSentence(authorName(key))} wrote it
          </button>
        </p>
      )}
      <p className={styles.against}>
        <label htmlFor={field}>Compared with</label>{' '}
        <select id={field} value={before ?? ''} onChange={(event) => onBefore(Number(event.target.value))}>
          {before === undefined && <option value="">nothing: it is the first</option>}
          {history.revisions
            .filter((saved) => saved.revision !== revision)
            .map((saved) => (
              <option key={saved.revision} value={saved.revision}>
                Revision {saved.revision}, {authorName(saved)}
              </option>
            ))}
        </select>
      </p>
      {children}
      {lines.map((member) => (
        <div key={member} className={styles.line}>
          <h3>{lineNames[member]}</h3>
          <DiffView before={line(member, then.data)} after={line(member, now.data)} />
        </div>
      ))}
      {before === undefined ? (
        <div className={styles.whole}>{now.data.body_md}</div>
      ) : (
        <DiffView
          before={then.data?.body_md ?? ''}
          after={now.data.body_md}
          same={lines.length > 0 ? 'The text stayed the same.' : 'Nothing changed but details.'}
        />
      )}
    </section>
  )
}
