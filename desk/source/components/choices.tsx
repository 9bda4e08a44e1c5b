import { type ReactNode, useEffect, useId, useState } from 'react'
import { t } from '../messages.ts'
import styles from './field.module.css'
import { Described, Field } from './field.tsx'

/** Fields that are not loaded before the first page, as a text field is for signing in again. */

interface SelectProps<Value extends string> {
  readonly label: string
  readonly hint?: ReactNode
  readonly options: readonly (readonly [value: Value, words: string, lang?: string])[]
  /** Further options, below a heading of their own. */
  readonly others?: { readonly label: string; readonly options: SelectProps<Value>['options'] }
  readonly value: Value
  readonly onValue: (value: Value) => void
}

export const Select = <Value extends string>({ options, others, onValue, ...rest }: SelectProps<Value>) => (
  <Described {...rest}>
    {(attributes) => (
      <select {...attributes} onChange={(event) => onValue(event.target.value as Value)}>
        {options.map(toOption)}
        {others && <optgroup label={others.label}>{others.options.map(toOption)}</optgroup>}
      </select>
    )}
  </Described>
)

const toOption = ([value, words, lang]: readonly [value: string, words: string, lang?: string]) => (
  <option key={value} value={value} lang={lang}>
    {words}
  </option>
)

interface CheckboxProps {
  readonly label: ReactNode
  readonly hint?: ReactNode
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}

export function Checkbox({ label, hint, isOn, onChange }: CheckboxProps) {
  const id = useId()
  return (
    <div className={styles.choice}>
      <input
        type="checkbox"
        id={id}
        checked={isOn}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p className={styles.hint} id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

interface RadioGroupProps<Value extends string> {
  readonly label: string
  readonly hint?: string
  readonly options: readonly { readonly value: Value; readonly words: string }[]
  readonly value: Value
  readonly onValue: (value: Value) => void
}

/** Radio buttons in a row; the arrow keys move between them natively. */
export function RadioGroup<Value extends string>({ label, hint, options, value, onValue }: RadioGroupProps<Value>) {
  const id = useId()
  return (
    <fieldset className={styles.options} aria-describedby={hint ? `${id}-hint` : undefined}>
      <legend>{label}</legend>
      {hint && (
        <p className={styles.optionsHint} id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <div className={styles.row}>
        {options.map((option) => (
          <label key={option.value}>
            <input
              type="radio"
              name={id}
              value={option.value}
              checked={option.value === value}
              onChange={() => onValue(option.value)}
            />
            {option.words}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

interface PasswordFieldProps {
  readonly value: string
  readonly onText: (text: string) => void
  readonly problem?: string | undefined
  readonly label?: string
  readonly autoFocus?: boolean
}

/** A new password. The server validates it. */
export function PasswordField({
  value,
  onText,
  problem,
  label = t('desk.common.password'),
  autoFocus = false,
}: PasswordFieldProps) {
  const [isShown, setShown] = useState(false)
  return (
    <>
      <Field
        label={label}
        hint={t('desk.common.password_hint')}
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
      <Checkbox label={t('desk.common.show_password')} isOn={isShown} onChange={setShown} />
    </>
  )
}

const searchDelay = 250

/** The text once typing has paused, to search for. */
export function useDebounced(text: string): string {
  const [rested, setRested] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), searchDelay)
    return () => clearTimeout(timer)
  }, [text])
  return rested
}
