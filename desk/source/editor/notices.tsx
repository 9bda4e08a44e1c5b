import { useState } from 'react'
import { useLastDecision } from '../api/decisions.ts'
import { Button } from '../components/button.tsx'
import { DecisionLink } from '../components/decision-link.tsx'
import { Link } from '../components/link.tsx'
import { Notice } from '../components/notice.tsx'
import { agoOf } from '../components/time.tsx'
import styles from './editor.module.css'
import type { Session } from './session.ts'

interface TidingsProps {
  readonly session: Session
  readonly wasDeleted: boolean
  readonly onInsist: () => void
}

/** What a writer should know before they go on: in words, above the sheet, and gone when it is read. */
export function Notices({ session, wasDeleted, onInsist }: TidingsProps) {
  const [isRead, setRead] = useState(false)
  const { putBack, isWriting, saver } = session
  const ago = putBack === null ? '' : agoOf(putBack, Date.now())
  const piece = session.piece()
  const status = piece?.status ?? 'draft'
  const decision = useLastDecision(piece?.note ? piece.id : null)
  const isDecided = decision !== undefined && decision.facts === piece?.note
  const isGone = saver.standing().kind === 'gone'
  const isFixed = status === 'pending' || status === 'rejected'
  return (
    <>
      {!isWriting && (
        <Notice>
          <p>
            {saver.isKept()
              ? 'This piece is open in another tab. Here it is to read, and follows what is saved there.'
              : 'Another tab writes this piece now, and not all of this text was saved. Copy what you want to keep.'}
          </p>
          <div className={styles.choices}>
            <Button onClick={onInsist}>Write here instead</Button>
          </div>
        </Notice>
      )}
      {isWriting && putBack !== null && !isRead && (
        <Notice kind="good">
          <p>
            {wasDeleted
              ? `This piece was deleted elsewhere. What you wrote on this device ${ago} is a new piece now.`
              : `What you wrote on this device ${ago} had not reached the server. It is back in its place.`}
          </p>
          <div className={styles.choices}>
            <Button kind="quiet" onClick={() => setRead(true)}>
              Good
            </Button>
            {saver.id() && !wasDeleted && (
              <Link to={`/desk/edit/pieces/${saver.id()}/history`}>See what was saved before</Link>
            )}
          </div>
        </Notice>
      )}
      {piece?.note && (
        <Notice>
          <p>{leadOf(status, isDecided && decision.act === 'take_down')}</p>
          <blockquote className={styles.note}>{piece.note}</blockquote>
          {isDecided && <DecisionLink decision={decision} />}
        </Notice>
      )}
      {isFixed && saver.id() && (
        <Notice>
          <p>
            {status === 'pending'
              ? 'A moderator is reading this piece, so it stays as it was sent. Withdraw it to change it.'
              : 'To change this piece, take it up again as a draft.'}
          </p>
          <p>
            <Link to={`/desk/edit/pieces/${saver.id()}/publish`}>
              {status === 'pending' ? 'Withdraw it' : 'Take it up again'}
            </Link>
          </p>
        </Notice>
      )}
      {isGone && (
        <Notice kind="bad">
          <p>
            This piece was deleted elsewhere. Your text is still here
            {saver.isKept() ? '.' : ': copy what you want to keep into a new piece.'}
          </p>
          {saver.isKept() ? (
            <div className={styles.choices}>
              <Button onClick={onInsist}>Go on with it as a new piece</Button>
            </div>
          ) : (
            <p>
              <Link to="/desk/edit/pieces/new" target="_blank">
                Open a new piece in another tab
              </Link>
            </p>
          )}
        </Notice>
      )}
    </>
  )
}

function leadOf(status: string, isTakenDown: boolean): string {
  if (isTakenDown) return 'A moderator took it down, and said:'
  return status === 'rejected' ? 'A moderator did not accept it, and said:' : 'A moderator asks for changes:'
}
