import { type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes, useId, useState } from 'react'
import styles from './field.module.css'
import optionsStyles from './options.module.css'

interface FieldBase {
  readonly label: string
  readonly hint?: ReactNode
  /** The validation message, as a sentence. */
  readonly problem?: string | undefined
  /** In code points, as the server counts. The rest is shown when less than a fifth is left. */
  readonly limit?: number
  readonly value: string
  readonly onText: (text: string) => void
}

type FieldProps = FieldBase & Omit<InputHTMLAttributes<HTMLInputElement>, keyof FieldBase | 'onChange'>

/** A text input with label, hint and validation message. */
export function Field({ label, hint, problem, limit, value, onText, ...rest }: FieldProps) {
  const { id, attributes, before, after } = useDescription({ label, hint, problem, limit, value })
  return (
    <div className={styles.field}>
      {before}
      <input {...rest} {...attributes} id={id} value={value} onChange={(event) => onText(event.target.value)} />
      {after}
    </div>
  )
}

type TextAreaProps = FieldBase & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, keyof FieldBase | 'onChange'>

export function TextArea({ label, hint, problem, limit, value, onText, ...rest }: TextAreaProps) {
  const { id, attributes, before, after } = useDescription({ label, hint, problem, limit, value })
  return (
    <div className={styles.field}>
      {before}
      <textarea {...rest} {...attributes} id={id} value={value} onChange={(event) => onText(event.target.value)} />
      {after}
    </div>
  )
}

interface SelectProps<Value extends string> {
  readonly label: string
  readonly hint?: ReactNode
  readonly options: readonly (readonly [value: Value, words: string])[]
  readonly value: Value
  readonly onValue: (value: Value) => void
}

export function Select<Value extends string>({ label, hint, options, value, onValue }: SelectProps<Value>) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p className={styles.hint} id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <select
        id={id}
        value={value}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onValue(event.target.value as Value)}
      >
        {options.map(([name, words]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </select>
    </div>
  )
}

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

/** Connects label, hint and message with the input by ARIA attributes. */
function useDescription({
  label,
  hint,
  problem,
  limit,
  value,
}: Omit<FieldBase, 'onText' | 'limit' | 'problem'> & {
  readonly limit: number | undefined
  readonly problem: string | undefined
}) {
  const id = useId()
  const left = limit === undefined ? undefined : limit - codePoints(value)
  const isTight = left !== undefined && limit !== undefined && left < limit / 5
  const words = problem ?? (left !== undefined && left < 0 ? `This is ${-left} too long.` : undefined)
  const described = [hint && `${id}-hint`, isTight && `${id}-left`, words && `${id}-problem`].filter(Boolean).join(' ')
  return {
    id,
    attributes: { 'aria-describedby': described || undefined, 'aria-invalid': words ? true : undefined },
    before: (
      <>
        <label htmlFor={id}>{label}</label>
        {isTight && (
          <span className={styles.left} id={`${id}-left`}>
            {left} left
          </span>
        )}
        {hint && (
          <p className={styles.hint} id={`${id}-hint`}>
            {hint}
          </p>
        )}
      </>
    ),
    after: words && (
      <p className={styles.problem} id={`${id}-problem`}>
        {words}
      </p>
    ),
  }
}

const codePoints = (text: string): number => [...text].length

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
    <fieldset className={optionsStyles.options} aria-describedby={hint ? `${id}-hint` : undefined}>
      <legend>{label}</legend>
      {hint && (
        <p className={optionsStyles.hint} id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <div className={optionsStyles.row}>
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
      <Checkbox label="Show password" isOn={isShown} onChange={setShown} />
    </>
  )
}
