import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import type { History, RevisionFound } from '../../../../server/features/pieces/desk-schema.ts'
import type { Category } from '../../../../server/features/pieces/schema.ts'
import { callApi, errorMessage } from '../../api/client.ts'
import { Loading } from '../../components/load-states.tsx'
import { Notice } from '../../components/notice.tsx'
import { DiffView } from '../../diff/view.tsx'
import { formats, t } from '../../messages.ts'
import styles from './history.module.css'
import { authorName, lastKeyRevision, type Revision } from './timeline.tsx'

interface ChangesProps {
  readonly id: string
  readonly history: History
  readonly revision: number
  /** The revision it is compared with; none for the first. */
  readonly before: number | undefined
  readonly onBefore: (revision: number) => void
  /** Chosen in the list, so its changes must be in view. */
  readonly isChosen: boolean
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

/** The fields besides the text, as labels and as text. */
const lineNames = {
  headline: 'desk.common.piece.headline',
  sub: 'desk.common.piece.standfirst',
  category: 'desk.common.piece.category',
  tags: 'desk.common.piece.tags',
} as const

const lineOf = (member: keyof typeof lineNames, saved: RevisionFound['revision'] | undefined): string => {
  if (!saved) return ''
  if (member === 'tags') return new Intl.ListFormat(formats.locale, { type: 'unit' }).format(saved.tags)
  if (member === 'category') return t(`desk.common.category.${saved.category as Category}`)
  return saved[member] ?? ''
}

/** The changes of one revision. */
export function Changes({ id, history, revision, before, onBefore, isChosen, children }: ChangesProps) {
  const field = useId()
  const now = useRevision(id, revision)
  const then = useRevision(id, before)
  const key = lastKeyRevision(history, revision)
  const section = useRef<HTMLElement>(null)
  const isLoaded = now.data !== undefined && (before === undefined || then.data !== undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each choice is shown.
  useEffect(() => {
    const top = section.current?.getBoundingClientRect().top
    if (!isChosen || top === undefined || (top >= 0 && top < innerHeight / 3)) return
    section.current?.scrollIntoView({ block: 'start' })
  }, [isChosen, isLoaded, revision, before])
  const error = now.error ?? then.error
  if (error) return <Notice kind="bad">{errorMessage(error)}</Notice>
  if (!now.data || (before !== undefined && !then.data)) return <Loading />
  const lines = (Object.keys(lineNames) as (keyof typeof lineNames)[]).filter(
    (member) => before !== undefined && lineOf(member, now.data) !== lineOf(member, then.data),
  )
  return (
    <section ref={section} className={styles.changes} aria-labelledby={`${field}-title`}>
      <h2 id={`${field}-title`}>
        {before === undefined
          ? t('desk.history.changes.first', { revision })
          : t('desk.history.changes.title', { before, revision })}
      </h2>
      <p className={styles.hand}>{byline(now.data)}</p>
      {key && key.revision === before && <p>{sinceKey(key)}</p>}
      {key && key.revision !== before && (
        <p>
          <button type="button" className={styles.word} onClick={() => onBefore(key.revision)}>
            {showSinceKey(key)}
          </button>
        </p>
      )}
      <p className={styles.against}>
        <label htmlFor={field}>{t('desk.history.changes.compare')}</label>{' '}
        <select id={field} value={before ?? ''} onChange={(event) => onBefore(Number(event.target.value))}>
          {before === undefined && <option value="">{t('desk.history.changes.compare_nothing')}</option>}
          {history.revisions
            .filter((saved) => saved.revision !== revision)
            .map((saved) => (
              <option key={saved.revision} value={saved.revision}>
                {t('desk.history.changes.compare_option', { revision: saved.revision, author: authorName(saved) })}
              </option>
            ))}
        </select>
      </p>
      {children}
      {lines.map((member) => (
        <div key={member} className={styles.line}>
          <h3>{t(lineNames[member])}</h3>
          <DiffView before={lineOf(member, then.data)} after={lineOf(member, now.data)} />
        </div>
      ))}
      {before === undefined ? (
        <div className={styles.whole}>{now.data.body_md}</div>
      ) : (
        <DiffView
          before={then.data?.body_md ?? ''}
          after={now.data.body_md}
          same={t(lines.length > 0 ? 'desk.history.changes.body_same' : 'desk.history.changes.only_details')}
        />
      )}
    </section>
  )
}

type Written = Pick<Revision, 'by'>

const byline = ({ by: { kind, key } }: Written): string => {
  if (kind === 'person') return t('desk.history.changes.by_you')
  return key === null ? t('desk.history.changes.by_deleted_key') : t('desk.history.changes.by_key', { key })
}

const sinceKey = ({ by: { key } }: Written): string =>
  key === null ? t('desk.history.changes.since_deleted_key') : t('desk.history.changes.since_key', { key })

const showSinceKey = ({ by: { key } }: Written): string =>
  key === null ? t('desk.history.changes.show_since_deleted_key') : t('desk.history.changes.show_since_key', { key })
