import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { countWords } from '../../../server/platform/text/words.ts'
import { t } from '../messages.ts'
import styles from './editor.module.css'
import { excess, maxLength } from './saving/manuscript.ts'
import type { Saver } from './saving/saver.ts'
import { type Goal, keepGoal, readGoal } from './word-goal.ts'

const GoalDialog = lazy(() => import('./goal-dialog.tsx').then((loaded) => ({ default: loaded.GoalDialog })))

/** Words per minute, as on the public pages. */
const wordsPerMinute = 230

/** Counting a long text takes milliseconds, so it waits for a pause in typing (milliseconds). */
const countDelay = 400

interface WordCountProps {
  readonly saver: Saver
  /** The piece that the goal is of. */
  readonly piece: string
  readonly isAsking: boolean
  readonly onAsking: (isAsking: boolean) => void
}

/** The word count, with how much of the goal that is, and the characters left when the limit is near. */
export function WordCount({ saver, piece, isAsking, onAsking }: WordCountProps) {
  const [text, setText] = useState(() => saver.manuscript().body_md)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = saver.listen(() => {
      clearTimeout(timer)
      timer = setTimeout(() => setText(saver.manuscript().body_md), countDelay)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [saver])
  const words = useMemo(() => countWords(text), [text])
  const { goal, change, isNew } = useGoal(piece, words)
  const over = excess(text, maxLength.body_md)
  const isClose = over > -maxLength.body_md / 10
  const counted = goal
    ? t('desk.editor.goal.progress', { words, goal: goal.words })
    : t('desk.editor.length.words', { count: words })
  const facts = [
    counted,
    ...(goal?.isReached ? [t('desk.editor.goal.reached')] : []),
    ...(words > wordsPerMinute ? [t('desk.editor.length.minutes', { count: Math.round(words / wordsPerMinute) })] : []),
    ...(over > 0 ? [t('desk.editor.length.over', { count: over })] : []),
    ...(isClose && over <= 0 ? [t('desk.editor.length.left', { count: -over })] : []),
  ]
  const isShown = words > 0 || goal !== undefined
  return (
    <>
      {isShown && (
        <div className={styles.count} data-over={over > 0 || undefined}>
          {goal && <progress max={goal.words} value={Math.min(words, goal.words)} aria-label={counted} />}
          <p>{facts.join(' · ')}</p>
          <button type="button" onClick={() => onAsking(true)}>
            {t(goal ? 'desk.editor.goal.change' : 'desk.editor.goal.set')}
          </button>
        </div>
      )}
      <p className="hidden" role="status">
        {isNew && t('desk.editor.goal.reached')}
      </p>
      {isAsking && (
        <Suspense>
          <GoalDialog words={goal?.words} onGoal={change} onClose={() => onAsking(false)} />
        </Suspense>
      )}
    </>
  )
}

/** The goal of a piece; `isNew` once it is reached while the page is open. */
function useGoal(piece: string, words: number) {
  const [goal, setGoal] = useState(() => readGoal(piece))
  const [isNew, setNew] = useState(false)
  const keep = (next: Goal | undefined) => {
    keepGoal(piece, next)
    setGoal(next)
  }
  const isReached = goal !== undefined && words >= goal.words
  // Said once: words that are deleted and written again don't count twice.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it keeps what it was called with.
  useEffect(() => {
    if (!isReached || goal.isReached) return
    keep({ ...goal, isReached })
    setNew(true)
  }, [isReached, goal, piece])
  const change = (next: number | undefined) => {
    setNew(false)
    keep(next === undefined ? undefined : { words: next, isReached: words >= next })
  }
  return { goal, isNew, change }
}
