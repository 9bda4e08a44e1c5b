import { useEffect, useState, useSyncExternalStore } from 'react'
import type { DeskPiece } from '../../../server/features/pieces/desk-schema.ts'
import { callApi } from '../api/client.ts'
import { Button } from '../components/button.tsx'
import { Link } from '../components/link.tsx'
import { Status, statusWord } from '../components/status.tsx'
import styles from './editor.module.css'
import { saveStatusText } from './saving/save-status.ts'
import { type Session, useSession } from './session.ts'

interface BarProps {
  readonly session: Session
  readonly onDetails: () => void
  readonly onPublish: () => void
}

/** The label of the publish button, by what the piece's status allows. */
const publishLabel = (piece: DeskPiece | null): string => {
  const acts = piece?.acts ?? ['publish']
  if (acts.includes('publish')) return 'Publish'
  if (acts.includes('submit')) return 'Submit'
  if (acts.includes('resubmit')) return 'Resubmit'
  if (acts.includes('update') && piece?.has_unpublished_changes) return 'Update'
  return 'Preview'
}

/** The bar above the editor: back link, save status and actions. */
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
      <SaveStatusLine session={session} />
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
          {publishLabel(session.piece())}
        </Button>
      </div>
    </header>
  )
}

const isOnline = () => navigator.onLine
function onNetwork(listener: () => void): () => void {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}
export const useOnline = (): boolean => useSyncExternalStore(onNetwork, isOnline)

function useNow(milliseconds: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), milliseconds)
    return () => clearInterval(timer)
  }, [milliseconds])
  return now
}

/** The status and the save status in one line. */
function SaveStatusLine({ session }: { readonly session: Session }) {
  useSession(session)
  const online = useOnline()
  const saveStatus = session.saver.status()
  const piece = session.piece()
  const since = saveStatus.kind === 'saved' ? saveStatus.at : null
  const now = useNow(since !== null && Date.now() - since < 60_000 ? 1000 : 20_000)
  const status = piece?.status ?? 'draft'
  const words = session.isWriting
    ? saveStatusText(
        saveStatus,
        { isOnDevice: session.saver.isOnDevice(), isOnline: online, isCreated: piece !== null },
        now,
      )
    : 'Open in another tab; here it is to read'
  /** Calls without skipReauth, so that the sign-in dialog opens above the page. */
  const signIn = () => void callApi('GET', '/account').then(session.saver.tryAgain, () => undefined)
  const isGrave = !['saved', 'changed', 'saving'].includes(saveStatus.kind)
  return (
    <>
      <p className={styles.standing} data-grave={isGrave || undefined}>
        <Status of={status} />
        {piece?.has_unpublished_changes && ' · Readers do not have the changes yet'}
        {` · ${words} `}
        {saveStatus.kind === 'signed_out' && (
          <button type="button" onClick={signIn}>
            Sign in
          </button>
        )}
        {saveStatus.kind === 'unreachable' && (
          <button type="button" onClick={session.saver.tryAgain}>
            Try now
          </button>
        )}
      </p>
      <p className="hidden" role="status">
        {isGrave ? `${statusWord(status)}. ${words}` : ''}
      </p>
    </>
  )
}
