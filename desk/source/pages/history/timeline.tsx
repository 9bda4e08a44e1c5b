import type { History } from '../../../../server/features/pieces/desk-schema.ts'
import { Time } from '../../components/time.tsx'
import { t } from '../../messages.ts'
import styles from './history.module.css'

interface TimelineProps {
  readonly events: readonly TimelineEvent[]
  readonly chosen: number
  /** The revision to compare with, if not the one before the edit session. */
  readonly onChosen: (revision: number, before?: number) => void
}

/** Events, newest first. Selecting an edit session shows its changes. */
export function Timeline({ events, chosen, onChosen }: TimelineProps) {
  return (
    <nav aria-label={t('desk.history.versions')}>
      <ol className={styles.timeline}>
        {events.map((event) =>
          event.kind === 'entry' ? (
            <li key={`${event.entry.act}-${event.entry.at}`} className={styles.deed}>
              <p>
                {describeEntry(event.entry)} · <Time at={event.entry.at} />
              </p>
              {event.entry.note && <blockquote>{event.entry.note}</blockquote>}
            </li>
          ) : (
            <li key={event.last.revision}>
              <button
                type="button"
                aria-current={event.first.revision <= chosen && chosen <= event.last.revision ? 'true' : undefined}
                onClick={() => onChosen(event.last.revision)}
              >
                <span>
                  {authorName(event.last)} · <Time at={event.last.saved_at} />
                </span>
                {event.last.name && <span>{event.last.name}</span>}
                <span className={styles.about}>
                  {event.saves.length > 1
                    ? t('desk.history.versions_range', { first: event.first.revision, last: event.last.revision })
                    : t('desk.history.version', { revision: event.last.revision })}
                </span>
              </button>
              {event.saves.length > 1 && <SessionRevisions of={event.saves} chosen={chosen} onChosen={onChosen} />}
            </li>
          ),
        )}
      </ol>
    </nav>
  )
}

interface SessionRevisionsProps extends Omit<TimelineProps, 'events'> {
  readonly of: readonly Revision[]
}

/** The saves of an edit session, each compared with the one before. */
const SessionRevisions = ({ of, chosen, onChosen }: SessionRevisionsProps) => (
  <details className={styles.saves}>
    <summary>{t('desk.history.saves', { count: of.length })}</summary>
    <ol>
      {of.map(({ revision, saved_at, name }, at) => (
        <li key={revision}>
          <button
            type="button"
            aria-current={revision === chosen ? 'true' : undefined}
            onClick={() => onChosen(revision, of[at + 1]?.revision)}
          >
            <span>
              {t('desk.history.version', { revision })} · <Time at={saved_at} />
            </span>
            {name && <span>{name}</span>}
          </button>
        </li>
      ))}
    </ol>
  </details>
)

export type Revision = History['revisions'][number]
type AuditEntry = History['deeds'][number]

/** Saves by the same author shortly after each other form one edit session, shown by its last save. */
interface EditSession {
  readonly kind: 'session'
  readonly last: Revision
  readonly first: Revision
  /** Newest first. */
  readonly saves: readonly Revision[]
}

type TimelineEvent = EditSession | { readonly kind: 'entry'; readonly entry: AuditEntry }

/** Saves closer than this belong together (milliseconds). */
const maxGap = 10 * 60_000

const authorKey = ({ by }: Revision): string => by.key ?? by.kind
const isClose = (later: Revision, earlier: Revision): boolean =>
  new Date(later.saved_at).getTime() - new Date(earlier.saved_at).getTime() < maxGap

const timeOf = (event: TimelineEvent): string => (event.kind === 'entry' ? event.entry.at : event.last.saved_at)

/** Newest first, audit entries between the sessions. A revision with an audit entry or a name ends a session. */
export function eventsOf({ revisions, deeds }: History): TimelineEvent[] {
  const isLast = new Set([
    ...deeds.map(({ revision }) => revision),
    ...revisions.filter(({ name }) => name !== null).map(({ revision }) => revision),
  ])
  const sessions: EditSession[] = []
  for (const saved of revisions) {
    const open = sessions.at(-1)
    const goesOn =
      open && authorKey(open.first) === authorKey(saved) && isClose(open.first, saved) && !isLast.has(saved.revision)
    if (goesOn) sessions[sessions.length - 1] = { ...open, first: saved, saves: [...open.saves, saved] }
    else sessions.push({ kind: 'session', last: saved, first: saved, saves: [saved] })
  }
  const events: TimelineEvent[] = [...sessions, ...deeds.map((entry) => ({ kind: 'entry' as const, entry }))]
  return events.sort((one, other) => timeOf(other).localeCompare(timeOf(one)))
}

/** The default comparison: the revision before the edit session; within a session, the save before. */
export function revisionBefore(history: History, revision: number): number | undefined {
  const session = eventsOf(history).find((event) => event.kind === 'session' && event.last.revision === revision)
  const first = session?.kind === 'session' ? session.first.revision : revision
  return history.revisions.find((saved) => saved.revision < first)?.revision
}

/** The last revision by an API key before this one, if the writer has written since. */
export function lastKeyRevision({ revisions }: History, revision: number): Revision | undefined {
  const at = revisions.find((saved) => saved.revision === revision)
  if (!at || at.by.kind === 'key') return undefined
  return revisions.find((saved) => saved.revision < revision && saved.by.kind === 'key')
}

const plainEvents = [
  'publish',
  'schedule',
  'unschedule',
  'update',
  'submit',
  'resubmit',
  'withdraw',
  'revise',
  'unpublish',
  'approve',
  'request_changes',
  'reject',
  'take_down',
  'appeal',
  'uphold',
  'reinstate',
  'restore',
] as const

function describeEntry({ act, by: { kind, key } }: AuditEntry): string {
  if (act === 'delete') {
    const who = kind === 'person' ? 'you' : key === null ? 'deleted_key' : 'key'
    return t('desk.history.event.delete', { who, key: key ?? '' })
  }
  const event = plainEvents.find((one) => one === act)
  return event ? t(`desk.history.event.${event}`) : act
}

export function authorName({ by: { kind, key } }: Pick<Revision, 'by'>): string {
  if (kind === 'person') return t('desk.history.author.you')
  return key === null ? t('desk.history.author.deleted_key') : t('desk.history.author.key', { key })
}
