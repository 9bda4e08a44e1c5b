import type { ReactNode } from 'react'
import styles from './steps.module.css'

interface StepsProps {
  readonly done: number
  readonly children: ReactNode
}

export const Steps = ({ done, children }: StepsProps) => (
  <>
    <label className={styles.progress}>
      {done === 0 ? 'Three steps' : `${done} of 3 done`}
      <progress max={3} value={done} />
    </label>
    <ol className={styles.steps}>{children}</ol>
  </>
)

interface StepProps {
  readonly title: string
  readonly isDone: boolean
  /** The one to take now: it is open. */
  readonly isNext: boolean
  readonly children: ReactNode
}

export const Step = ({ title, isDone, isNext, children }: StepProps) => (
  <li className={styles.step} data-done={isDone || undefined}>
    <details open={isNext} key={String(isNext)}>
      <summary>
        <h2>{title}</h2>
        {isDone && <span className={styles.done}>✓ done</span>}
      </summary>
      <div className={styles.body}>{children}</div>
    </details>
  </li>
)
