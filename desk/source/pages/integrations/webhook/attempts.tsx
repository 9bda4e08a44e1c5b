import type { Attempt } from '../../../api/webhook.ts'
import styles from './log.module.css'
import { resultOf } from './messages.ts'

const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'medium' })
const number = new Intl.NumberFormat('en-GB')

/** Everything that was tried, newest first. Answers are strangers' text, and stay text. */
export function Attempts({ attempts }: { readonly attempts: readonly Attempt[] }) {
  if (attempts.length === 0) return <p className={styles.about}>It has not been tried yet.</p>
  return (
    <ol className={styles.attempts} aria-label="Attempts, the newest first">
      {attempts.map((attempt) => (
        <li key={`${attempt.attempt} ${attempt.at}`}>
          <h3>{wordsOf(attempt)}</h3>
          <p className={styles.about}>
            <span>Attempt {attempt.attempt}</span>
            <time dateTime={attempt.at}>{exact.format(new Date(attempt.at))}</time>
            {attempt.ms !== null && <span>{number.format(attempt.ms)} ms</span>}
            {attempt.address && <span>at {attempt.address}</span>}
            {attempt.answer_type && <span>{attempt.answer_type}</span>}
          </p>
          {attempt.detail && <p>{attempt.detail}</p>}
          {attempt.answer && <pre className={styles.text}>{attempt.answer}</pre>}
        </li>
      ))}
    </ol>
  )
}

const wordsOf = (attempt: Attempt): string =>
  attempt.status === null && attempt.problem === null ? 'Under way' : `It ${resultOf(attempt)}`
