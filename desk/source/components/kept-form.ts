import { useState } from 'react'
import { useAccount } from '../api/account.ts'
import { type FormState, toFormState, useAttempt } from './form.tsx'

interface KeptForm<Values> extends FormState<Values> {
  /** Call when the values were sent. */
  readonly forget: () => void
}

/**
 * A form whose values survive cancelling and reloading in this tab, until they are sent. `about` names what the form is
 * about; another account in the same tab has its own.
 */
export function useKeptForm<Values extends object>(about: string, initial: Values): KeptForm<Values> {
  const { data: account } = useAccount()
  const key = `form:${account?.email}:${about}`
  const [values, setValues] = useState<Values>(() => ({ ...initial, ...readKept(key) }))
  const change = (changes: Partial<Values>) => {
    const next = { ...values, ...changes }
    setValues(next)
    write(() => sessionStorage.setItem(key, JSON.stringify(next)))
  }
  return { ...toFormState(useAttempt(), values, change), forget: () => write(() => sessionStorage.removeItem(key)) }
}

function readKept(key: string): object {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '{}')
  } catch {
    return {}
  }
}

/** Without storage the form works and keeps nothing. */
function write(act: () => void): void {
  try {
    act()
  } catch {
    // Full, or refused by the browser's settings.
  }
}
