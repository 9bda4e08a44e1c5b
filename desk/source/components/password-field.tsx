import { useState } from 'react'
import { Choice, Field } from './field.tsx'

interface PasswordFieldProps {
  readonly value: string
  readonly onText: (text: string) => void
  readonly problem?: string | undefined
  readonly label?: string
  readonly autoFocus?: boolean
}

/** A new password. What is wrong with it is the server's to say. */
export function PasswordField({ value, onText, problem, label = 'Password', autoFocus = false }: PasswordFieldProps) {
  const [isShown, setShown] = useState(false)
  return (
    <>
      <Field
        label={label}
        hint="At least 15 characters. Four unrelated words are long, and easy to remember."
        type={isShown ? 'text' : 'password'}
        autoComplete="new-password"
        autoCapitalize="off"
        spellCheck={false}
        autoFocus={autoFocus}
        value={value}
        onText={onText}
        problem={problem}
        required
      />
      <Choice label="Show password" isOn={isShown} onChoice={setShown} />
    </>
  )
}
