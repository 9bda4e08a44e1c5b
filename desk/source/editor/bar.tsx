import type { DeskPiece } from '../../../server/features/pieces/desk-schema.ts'
import { Button } from '../components/button.tsx'
import { Link } from '../components/link.tsx'
import styles from './bar.module.css'
import type { Session } from './session.ts'
import { StandingLine, useSession } from './status.tsx'

interface BarProps {
  readonly session: Session
  readonly onDetails: () => void
  readonly onPublish: () => void
}

/** What leads on from here, named after what the state of the piece allows. */
const nextOf = (piece: DeskPiece | null): string => {
  const acts = piece?.acts ?? ['publish']
  if (acts.includes('publish')) return 'Publish'
  if (acts.includes('submit')) return 'Submit'
  if (acts.includes('resubmit')) return 'Resubmit'
  if (acts.includes('update') && piece?.has_unpublished_changes) return 'Update'
  return 'Preview'
}

/** The line above the sheet: the way back, how things stand, and the way on. */
export function Bar({ session, onDetails, onPublish }: BarProps) {
  useSession(session)
  const { saver } = session
  const id = saver.id()
  const { headline, sub, body_md } = saver.manuscript()
  const isEmpty = (headline + sub + body_md).trim() === ''
  return (
    <header className={styles.bar}>
      <Link to="/desk" className={styles.back}>
        <span aria-hidden="true">←</span> Pieces
      </Link>
      <StandingLine session={session} />
      <div className={styles.acts}>
        {id && (
          <Link to={`/desk/edit/pieces/${id}/history`} className={styles.quiet}>
            History
          </Link>
        )}
        <Button kind="quiet" onClick={onDetails} aria-haspopup="dialog">
          Details
        </Button>
        <Button kind={isEmpty ? 'quiet' : 'main'} onClick={onPublish}>
          {nextOf(session.piece())}
        </Button>
      </div>
    </header>
  )
}
