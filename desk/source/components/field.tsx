import { type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes, useId } from 'react'
import styles from './field.module.css'

interface Described {
  readonly label: string
  readonly hint?: ReactNode
  /** What is wrong with it, as a sentence. */
  readonly problem?: string | undefined
  /** In code points, as the server counts. Shown when less than a fifth is left. */
  readonly limit?: number
  readonly value: string
  readonly onText: (text: string) => void
}

type FieldProps = Described & Omit<InputHTMLAttributes<HTMLInputElement>, keyof Described | 'onChange'>

/** A line to fill in, with its label, its hint and what is wrong with it. */
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

type AreaProps = Described & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, keyof Described | 'onChange'>

export function Area({ label, hint, problem, limit, value, onText, ...rest }: AreaProps) {
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

/** One of many, folded away. */
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

interface ChoiceProps {
  readonly label: ReactNode
  readonly hint?: ReactNode
  readonly isOn: boolean
  readonly onChoice: (isOn: boolean) => void
}

/** Yes or no. */
export function Choice({ label, hint, isOn, onChoice }: ChoiceProps) {
  const id = useId()
  return (
    <div className={styles.choice}>
      <input
        type="checkbox"
        id={id}
        checked={isOn}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChoice(event.target.checked)}
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

/** Ties the words about a field to it. */
function useDescription({
  label,
  hint,
  problem,
  limit,
  value,
}: Omit<Described, 'onText' | 'limit' | 'problem'> & {
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
