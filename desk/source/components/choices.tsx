import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
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

interface FieldGroupProps {
  readonly label: string
  readonly hint?: string | undefined
  readonly children: ReactNode
}

/** Several inputs under one label. */
export function FieldGroup({ label, hint, children }: FieldGroupProps) {
  const id = useId()
  return (
    <fieldset className={styles.group} aria-describedby={hint ? id : undefined}>
      <legend>{label}</legend>
      {hint && (
        <p className={styles.groupHint} id={id}>
          {hint}
        </p>
      )}
      {children}
    </fieldset>
  )
}

/** What is wrong with something that is not one input. */
export const GroupProblem = ({ words }: { readonly words: string | undefined }) =>
  words ? (
    <p className={styles.problem} role="alert">
      {words}
    </p>
  ) : null

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
    <FieldGroup label={label} hint={hint}>
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
    </FieldGroup>
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

export type Search = ReturnType<typeof useSearch>

/** The props of a search field, and the text to search for once typing has paused. */
export function useSearch(maxLength = 200) {
  const [value, onText] = useState('')
  const ref = useRef<HTMLInputElement>(null)
  return {
    q: useDebounced(value.trim()),
    clear: () => onText(''),
    focus: () => ref.current?.focus(),
    field: { ref, type: 'search', autoComplete: 'off', maxLength, value, onText },
  } as const
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
