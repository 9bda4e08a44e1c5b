import { useEffect, useState } from 'react'
import { Button } from '../components/button.tsx'
import { DecisionLink, useLastDecision } from '../components/decision.tsx'
import { Link } from '../components/link.tsx'
import { Notice, showUndoToast } from '../components/notice.tsx'
import { relativeTime } from '../components/time.tsx'
import styles from './editor.module.css'
import type { Manuscript } from './saving/manuscript.ts'
import { journal, type Session, unsentPiece, useSession } from './session.ts'

interface EditorNoticesProps {
  readonly session: Session
  readonly wasDeleted: boolean
  readonly onTakeOver: () => void
}

/** Notices above the editor. */
export function EditorNotices({ session, wasDeleted, onTakeOver }: EditorNoticesProps) {
  const [isRead, setRead] = useState(false)
  const { restoredAt, isWriting, saver } = session
  const ago = restoredAt === null ? '' : relativeTime(restoredAt, Date.now())
  const piece = session.piece()
  const status = piece?.status ?? 'draft'
  const decision = useLastDecision(piece?.note ? piece.id : null)
  const isDecided = decision !== undefined && decision.facts === piece?.note
  const isGone = saver.status().kind === 'gone'
  const isFixed = status === 'pending' || status === 'rejected'
  return (
    <>
      {!isWriting && (
        <Notice>
          <p>
            {saver.isOnDevice()
              ? 'This piece is open in another tab. Here it is to read, and follows what is saved there.'
              : 'Another tab writes this piece now, and not all of this text was saved. Copy what you want to keep.'}
          </p>
          <div className={styles.choices}>
            <Button onClick={onTakeOver}>Write here instead</Button>
          </div>
        </Notice>
      )}
      {isWriting && restoredAt !== null && !isRead && (
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
            {saver.isOnDevice() ? '.' : ': copy what you want to keep into a new piece.'}
          </p>
          {saver.isOnDevice() ? (
            <div className={styles.choices}>
              <Button onClick={onTakeOver}>Go on with it as a new piece</Button>
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

/** Shown if an API key wrote the text, with a link to the changes since. */
export function KeyNotice({ session }: { readonly session: Session }) {
  useSession(session)
  const piece = session.piece()
  if (!piece?.by_key) return null
  const { revision, key } = piece.by_key
  const name = key ? `The key “${key}”` : 'A key that is gone'
  const history = `/desk/edit/pieces/${piece.id}/history`
  return (
    <p className={styles.hand}>
      {piece.revision > revision ? (
        <>
          {name} wrote revision {revision}. <Link to={`${history}?since=${revision}`}>What you changed since</Link>
        </>
      ) : (
        <>
          {name} wrote this.{revision > 1 && ' '}
          {revision > 1 && <Link to={history}>What it changed</Link>}
        </>
      )}
    </p>
  )
}

interface UnsentNoticeProps {
  readonly writer: string
  readonly exceptKey: string
  readonly onRestore: (key: string) => void
}

/** Offers the piece that was started on this device and never reached the server. */
export function UnsentNotice({ writer, exceptKey, onRestore }: UnsentNoticeProps) {
  const [found, setFound] = useState<{ key: string; manuscript: Manuscript; at: number }>()
  useEffect(() => {
    void unsentPiece(writer, exceptKey).then(setFound)
  }, [writer, exceptKey])
  if (!found) return null
  const { headline, body_md } = found.manuscript
  const name = headline.trim() || body_md.trim().slice(0, 60) || 'Untitled'
  return (
    <Notice>
      <p>
        You began “{name}” on this device {relativeTime(found.at, Date.now())}, and it never reached the server.
      </p>
      <div className={styles.choices}>
        <Button onClick={() => onRestore(found.key)}>Go on with it</Button>
        <Button
          kind="quiet"
          onClick={() => {
            setFound(undefined)
            showUndoToast(
              `“${name}” is thrown away.`,
              () => setFound(found),
              () => void journal().remove(found.key),
            )
          }}
        >
          Throw it away
        </Button>
      </div>
    </Notice>
  )
}
