import { Link } from '../components/link.tsx'
import styles from './editor.module.css'
import type { Session } from './session.ts'
import { useSession } from './status.tsx'

/** Where a key has written: whose words these are, and the way to what its writer made of them. */
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
