import { useEffect, useState, useSyncExternalStore } from 'react'
import { ask } from '../api/client.ts'
import { Status, statusWord } from '../components/status.tsx'
import styles from './bar.module.css'
import { standingWords } from './saving/messages.ts'
import type { Session } from './session.ts'

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

/** Draws anew whenever something about the piece has changed, but not for each letter of the text: that is drawn elsewhere. */
export function useSession(session: Session): void {
  const [, setCount] = useState(0)
  useEffect(() => session.listen(() => setCount((count) => count + 1)), [session])
}

/** Status and saving in one line of words. */
export function StandingLine({ session }: { readonly session: Session }) {
  useSession(session)
  const online = useOnline()
  const standing = session.saver.standing()
  const piece = session.piece()
  const since = standing.kind === 'saved' ? standing.at : null
  const now = useNow(since !== null && Date.now() - since < 60_000 ? 1000 : 20_000)
  const status = piece?.status ?? 'draft'
  const words = session.isWriting
    ? standingWords(standing, { isKept: session.saver.isKept(), isOnline: online, isBegun: piece !== null }, now)
    : 'Open in another tab; here it is to read'
  /** Asks aloud, so that the shell lets them sign in above the page. */
  const signIn = () => void ask('GET', '/account').then(session.saver.tryAgain, () => undefined)
  const isGrave = !['saved', 'changed', 'saving'].includes(standing.kind)
  return (
    <>
      <p className={styles.standing} data-grave={isGrave || undefined}>
        <Status of={status} />
        {piece?.has_unpublished_changes && ' · Readers do not have the changes yet'}
        {` · ${words} `}
        {standing.kind === 'signed_out' && (
          <button type="button" onClick={signIn}>
            Sign in
          </button>
        )}
        {standing.kind === 'unreachable' && (
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
