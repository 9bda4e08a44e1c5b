import { type ReactNode, useRef, useState } from 'react'
import { ApiError, errorMessage } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Notice } from '../../components/notice.tsx'
import { focusHeading } from '../../components/page.tsx'
import { t } from '../../messages.ts'
import { invalidatePieces } from './queries.ts'
import styles from './selection.module.css'

/** Acts on several pieces of a list: which are selected, how far the act is, and what failed. */

interface Selectable {
  readonly id: string
  readonly headline: string
}

interface Failure extends Selectable {
  readonly problem: string
}

export type Selection<Piece extends Selectable> = ReturnType<typeof useSelection<Piece>>

export function useSelection<Piece extends Selectable>(pieces: readonly Piece[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const [progress, setProgress] = useState<{ readonly done: number; readonly total: number }>()
  const [failures, setFailures] = useState<readonly Failure[]>([])
  /** Where a range begins. */
  const anchor = useRef<string>(undefined)
  const selected = pieces.filter(({ id }) => ids.has(id))

  /** With Shift, all from the one before to this one become what this one becomes. */
  function toggle(id: string, isRange: boolean): void {
    const next = new Set(ids)
    const isOn = !ids.has(id)
    const [from, to] = [anchor.current, id].map((one) => pieces.findIndex((piece) => piece.id === one)) as [
      number,
      number,
    ]
    const range = isRange && from !== -1 ? pieces.slice(Math.min(from, to), Math.max(from, to) + 1) : [{ id }]
    for (const one of range) {
      if (isOn) next.add(one.id)
      else next.delete(one.id)
    }
    anchor.current = id
    setIds(next)
  }

  /**
   * Acts on one piece after the other, and returns those that it was done to. Those that failed stay selected. Who does
   * not sign in again is not asked for each.
   */
  async function run(act: (piece: Piece) => Promise<unknown>): Promise<Piece[]> {
    const done: Piece[] = []
    const failed: Failure[] = []
    let refused: unknown
    setFailures([])
    for (const [at, piece] of selected.entries()) {
      setProgress({ done: at, total: selected.length })
      try {
        if (refused) throw refused
        await act(piece)
        done.push(piece)
      } catch (error) {
        if (error instanceof ApiError && (error.status === 401 || error.status === 403)) refused = error
        failed.push({ id: piece.id, headline: piece.headline, problem: errorMessage(error) })
      }
    }
    setProgress(undefined)
    setFailures(failed)
    setIds(new Set(failed.map(({ id }) => id)))
    await invalidatePieces()
    focusHeading()
    return done
  }

  return {
    ids,
    selected,
    progress,
    failures,
    toggle,
    run,
    selectAll: () => setIds(new Set(pieces.map(({ id }) => id))),
    clear: () => {
      setIds(new Set())
      setFailures([])
    },
  }
}

interface SelectBoxProps {
  readonly piece: Selectable
  readonly selection: Pick<Selection<Selectable>, 'ids' | 'toggle'>
}

/** Selects one piece. The click of a key has Shift too. */
export const SelectBox = ({ piece: { id, headline }, selection: { ids, toggle } }: SelectBoxProps) => (
  <span className={styles.box}>
    <input
      type="checkbox"
      aria-label={t('desk.pieces.select', { headline })}
      checked={ids.has(id)}
      onClick={({ shiftKey }) => toggle(id, shiftKey)}
      // The click does it, since a change does not tell whether Shift is held.
      onChange={() => {}}
    />
  </span>
)

interface SelectionBarProps {
  readonly selection: Pick<Selection<Selectable>, 'selected' | 'progress' | 'selectAll' | 'clear'>
  /** Buttons. */
  readonly children: ReactNode
}

/** What can be done with the selected pieces, above the list, and in sight when that is scrolled. */
export function SelectionBar({ selection: { selected, progress, selectAll, clear }, children }: SelectionBarProps) {
  if (selected.length === 0) return null
  return (
    <section className={styles.bar} aria-label={t('desk.pieces.bulk.bar')}>
      <p role="status">
        {progress ? t('desk.pieces.bulk.progress', progress) : t('desk.pieces.bulk.count', { count: selected.length })}
      </p>
      {progress ? (
        <progress aria-label={t('desk.pieces.bulk.bar')} value={progress.done} max={progress.total} />
      ) : (
        <>
          <div className={styles.choose}>
            <Button kind="quiet" onClick={selectAll}>
              {t('desk.pieces.bulk.all')}
            </Button>
            <Button
              kind="quiet"
              onClick={() => {
                clear()
                focusHeading()
              }}
            >
              {t('desk.pieces.bulk.clear')}
            </Button>
          </div>
          <div className={styles.acts}>{children}</div>
        </>
      )}
    </section>
  )
}

/** Which pieces an act was not done to, and why. */
export const Failures = ({ of }: { readonly of: readonly Failure[] }) =>
  of.length > 0 && (
    <Notice kind="bad">
      <p>{t('desk.pieces.bulk.failed', { count: of.length })}</p>
      <ul className={styles.failures}>
        {of.map(({ id, headline, problem }) => (
          <li key={id}>
            <strong dir="auto">{headline}</strong> {problem}
          </li>
        ))}
      </ul>
    </Notice>
  )
