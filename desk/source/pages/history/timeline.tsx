import { Time } from '../../components/time.tsx'
import { type Event, hand, type Saved, wordsOfDeed } from './events.ts'
import styles from './history.module.css'

interface TimelineProps {
  readonly events: readonly Event[]
  readonly chosen: number
  /** With what to compare it, where that is not what stood before its sitting. */
  readonly onChosen: (revision: number, before?: number) => void
}

/** What happened, newest first. A sitting is chosen to see what it changed. */
export function Timeline({ events, chosen, onChosen }: TimelineProps) {
  return (
    <nav aria-label="Revisions">
      <ol className={styles.timeline}>
        {events.map((event) =>
          event.kind === 'deed' ? (
            <li key={`${event.deed.act}-${event.deed.at}`} className={styles.deed}>
              <p>
                {wordsOfDeed(event.deed)} · <Time at={event.deed.at} />
              </p>
              {event.deed.note && <blockquote>{event.deed.note}</blockquote>}
            </li>
          ) : (
            <li key={event.last.revision}>
              <button
                type="button"
                aria-current={event.first.revision <= chosen && chosen <= event.last.revision ? 'true' : undefined}
                onClick={() => onChosen(event.last.revision)}
              >
                <span>
                  {hand(event.last)} · <Time at={event.last.saved_at} />
                </span>
                {event.last.name && <span>{event.last.name}</span>}
                <span className={styles.about}>
                  {event.saves.length > 1
                    ? `Revisions ${event.first.revision} to ${event.last.revision}`
                    : `Revision ${event.last.revision}`}
                </span>
              </button>
              {event.saves.length > 1 && <Saves of={event.saves} chosen={chosen} onChosen={onChosen} />}
            </li>
          ),
        )}
      </ol>
    </nav>
  )
}

interface SavesProps extends Omit<TimelineProps, 'events'> {
  readonly of: readonly Saved[]
}

/** A sitting unfolded: each save by itself, against the one before it. */
const Saves = ({ of, chosen, onChosen }: SavesProps) => (
  <details className={styles.saves}>
    <summary>Each of its {of.length} saves</summary>
    <ol>
      {of.map(({ revision, saved_at, name }, at) => (
        <li key={revision}>
          <button
            type="button"
            aria-current={revision === chosen ? 'true' : undefined}
            onClick={() => onChosen(revision, of[at + 1]?.revision)}
          >
            <span>
              Revision {revision} · <Time at={saved_at} />
            </span>
            {name && <span>{name}</span>}
          </button>
        </li>
      ))}
    </ol>
  </details>
)
