import { type FormEvent, type ReactNode, useState } from 'react'
import { ApiError, errorMessage } from '../api/api-error.ts'
import styles from './form.module.css'
import { Notice } from './notice.tsx'

/** State of an action the user starts: running, or the error of the last run. */
export interface Attempt {
  readonly isBusy: boolean
  readonly error: unknown
  /** Wraps an action as a handler for a button or form. */
  readonly handler: (act: () => Promise<void>) => () => Promise<void>
}

export function useAttempt(): Attempt {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  return {
    isBusy,
    error,
    handler: (act) => async () => {
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

/** Shows the error above the fields, unless a field shows it. */
export function Form({ attempt, onSubmit, children }: FormProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!attempt.isBusy) onSubmit()
  }
  return (
    <form onSubmit={submit}>
      <ErrorNotice error={attempt.error} />
      {children}
    </form>
  )
}

/** The error of an action; nothing if a field shows it. */
export function ErrorNotice({ error }: { readonly error: unknown }) {
  if (error === undefined || error === null) return null
  if (error instanceof ApiError && error.errors.length > 0) return null
  return <Notice kind="bad">{errorMessage(error)}</Notice>
}

/** The buttons below a form's fields. */
export const FormActions = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.acts}>{children}</div>
)
