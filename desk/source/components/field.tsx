import { type ComponentProps, type ReactNode, type TextareaHTMLAttributes, useId } from 'react'
import { t } from '../messages.ts'
import styles from './field.module.css'

interface DescriptionProps {
  readonly label: string
  readonly hint?: ReactNode
  /** The validation message, as a sentence. */
  readonly problem?: string | undefined
  /** Shown instead of any other validation message. */
  readonly invalid?: string
  /** In code points, as the server counts. The rest is shown when less than a fifth is left. */
  readonly limit?: number
  readonly value: string
}

interface DescribedProps extends DescriptionProps {
  readonly children: (attributes: {
    readonly id: string
    readonly value: string
    readonly 'aria-describedby': string | undefined
    readonly 'aria-invalid': true | undefined
  }) => ReactNode
}

/** Connects label, hint and message with the input by ARIA attributes. */
export function Described({ label, hint, problem, invalid = problem, limit, value, children }: DescribedProps) {
  const id = useId()
  const left = limit === undefined ? undefined : limit - [...value].length
  const isTight = left !== undefined && limit !== undefined && left < limit / 5
  const words = problem
    ? invalid
    : left !== undefined && left < 0
      ? t('desk.common.field.too_long_by', { count: -left })
      : undefined
  const described = [hint && `${id}-hint`, isTight && `${id}-left`, words && `${id}-problem`].filter(Boolean).join(' ')
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {isTight && (
        <span className={styles.left} id={`${id}-left`}>
          {t('desk.common.field.left', { count: left })}
        </span>
      )}
      {hint && (
        <p className={styles.hint} id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {children({
        id,
        value,
        'aria-describedby': described || undefined,
        'aria-invalid': words ? true : undefined,
      })}
      {words && (
        <p className={styles.problem} id={`${id}-problem`}>
          {words}
        </p>
      )}
    </div>
  )
}

interface FieldBase extends DescriptionProps {
  readonly onText: (text: string) => void
}

export type FieldProps = FieldBase & Omit<ComponentProps<'input'>, keyof FieldBase | 'onChange'>

/** A text input with label, hint and validation message. */
export const Field = ({ label, hint, problem, invalid, limit, value, onText, ...rest }: FieldProps) => (
  <Described {...{ label, hint, problem, invalid, limit, value }}>
    {(attributes) => <input {...rest} {...attributes} onChange={(event) => onText(event.target.value)} />}
  </Described>
)

type TextAreaProps = FieldBase & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, keyof FieldBase | 'onChange'>

export const TextArea = ({ label, hint, problem, invalid, limit, value, onText, ...rest }: TextAreaProps) => (
  <Described {...{ label, hint, problem, invalid, limit, value }}>
    {(attributes) => <textarea {...rest} {...attributes} onChange={(event) => onText(event.target.value)} />}
  </Described>
)
