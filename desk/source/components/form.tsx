import { type FormEvent, type ReactNode, useState } from 'react'
import { Refusal, wordsOf } from '../api/api-error.ts'
import styles from './form.module.css'
import { Notice } from './notice.tsx'

/** Something a person tries, and why it did not work the last time. */
export interface Attempt {
  readonly isBusy: boolean
  readonly error: unknown
  /** Makes what a button or a form does of it. */
  readonly by: (act: () => Promise<void>) => () => Promise<void>
}

export function useAttempt(): Attempt {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  return {
    isBusy,
    error,
    by: (act) => async () => {
      setBusy(true)
      setError(undefined)
      try {
        await act()
      } catch (error) {
        setError(error)
      } finally {
        setBusy(false)
      }
    },
  }
}

interface FormProps {
  readonly attempt: Attempt
  readonly onSubmit: () => Promise<void>
  readonly children: ReactNode
}

/** Says above its fields why it was refused, unless a field says it. */
export function Form({ attempt, onSubmit, children }: FormProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!attempt.isBusy) onSubmit()
  }
  return (
    <form onSubmit={submit}>
      <Refused error={attempt.error} />
      {children}
    </form>
  )
}

/** Why something was not done; nothing where it was, or where the fields say it. */
export function Refused({ error }: { readonly error: unknown }) {
  if (error === undefined || error === null) return null
  if (error instanceof Refusal && error.errors.length > 0) return null
  return <Notice kind="bad">{wordsOf(error)}</Notice>
}

/** The buttons below a form's fields. */
export const Acts = ({ children }: { readonly children: ReactNode }) => <div className={styles.acts}>{children}</div>
