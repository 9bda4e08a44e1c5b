import { useEffect, useState } from 'react'
import { Button } from '../components/button.tsx'
import { doUnlessUndone, Notice } from '../components/notice.tsx'
import { agoOf } from '../components/time.tsx'
import styles from './editor.module.css'
import type { Manuscript } from './saving/manuscript.ts'
import { journal, unsentPiece } from './session.ts'

interface UnsentProps {
  readonly writer: string
  readonly but: string
  readonly onChosen: (key: string) => void
}

/** Offers the piece that was begun on this device and never reached the server. */
export function Unsent({ writer, but, onChosen }: UnsentProps) {
  const [found, setFound] = useState<{ key: string; manuscript: Manuscript; at: number }>()
  useEffect(() => {
    void unsentPiece(writer, but).then(setFound)
  }, [writer, but])
  if (!found) return null
  const { headline, body_md } = found.manuscript
  const name = headline.trim() || body_md.trim().slice(0, 60) || 'Untitled'
  return (
    <Notice>
      <p>
        You began “{name}” on this device {agoOf(found.at, Date.now())}, and it never reached the server.
      </p>
      <div className={styles.choices}>
        <Button onClick={() => onChosen(found.key)}>Go on with it</Button>
        <Button
          kind="quiet"
          onClick={() => {
            setFound(undefined)
            doUnlessUndone(
              `“${name}” is thrown away.`,
              () => void journal().forget(found.key),
              () => setFound(found),
            )
          }}
        >
          Throw it away
        </Button>
      </div>
    </Notice>
  )
}
