import { createContext, type FormEvent, type ReactNode, use, useState } from 'react'
import { errorMessage, type ProblemTexts, problemOf } from '../api/client.ts'
import { Button, type ButtonProps } from './button.tsx'
import styles from './form.module.css'
import { Notice } from './notice.tsx'

/** State of an action the user starts: running, or the error of the last run. */
export interface Attempt {
  readonly isBusy: boolean
  readonly error: unknown
  /** Wraps an action as a handler for a button or form. */
  readonly handler: (act: () => Promise<unknown>) => () => Promise<void>
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

/** The values of a form, named as in the API, and the attempt to send them. */
export interface FormState<Values> extends Attempt {
  readonly values: Values
  readonly change: (changes: Partial<Values>) => void
  /** Value, change and the problem that the server found, as props of a field. */
  readonly field: (
    name: TextName<Values>,
    texts?: ProblemTexts,
  ) => {
    readonly value: string
    readonly onText: (text: string) => void
    readonly problem: string | undefined
  }
}

type TextName<Values> = { [Name in keyof Values]: string extends Values[Name] ? Name : never }[keyof Values] & string

export const toFormState = <Values,>(
  attempt: Attempt,
  values: Values,
  change: FormState<Values>['change'],
  /** Fields changed since the attempt: what was wrong with them may be right now. */
  corrected: readonly string[] = [],
): FormState<Values> => ({
  ...attempt,
  values,
  change,
  field: (name, texts) => ({
    value: values[name] as string,
    onText: (text) => change({ [name]: text } as Partial<Values>),
    problem: corrected.includes(name) ? undefined : problemOf(attempt.error, name, texts),
  }),
})

export function useForm<Values>(initial: Values | (() => Values)): FormState<Values> {
  const [values, setValues] = useState(initial)
  const [corrected, setCorrected] = useState<readonly string[]>([])
  const attempt = useAttempt()
  const change = (changes: Partial<Values>) => {
    setValues((before) => ({ ...before, ...changes }))
    setCorrected((before) => [...new Set([...before, ...Object.keys(changes)])])
  }
  const handler: Attempt['handler'] = (act) =>
    attempt.handler(() => {
      setCorrected([])
      return act()
    })
  return toFormState({ ...attempt, handler }, values, change, corrected)
}

export interface FormProps<Values> {
  /** The first values. A page that shows them elsewhere, too, gives the `form` instead. */
  readonly initial?: Values
  readonly form?: FormState<Values>
  readonly onSubmit: (values: Values) => Promise<unknown>
  readonly children: ReactNode | ((form: FormState<Values>) => ReactNode)
}

const BusyContext = createContext(false)

/** Shows the error above the fields, unless a field shows it. */
export function Form<Values extends object>({ initial, form: given, onSubmit, children }: FormProps<Values>) {
  const own = useForm(initial ?? ({} as Values))
  const form = given ?? own
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!form.isBusy) void form.handler(() => onSubmit(form.values))()
  }
  return (
    <form onSubmit={submit}>
      <ErrorNotice error={form.error} fields={Object.keys(form.values)} />
      <BusyContext value={form.isBusy}>{typeof children === 'function' ? children(form) : children}</BusyContext>
    </form>
  )
}

/** Submits the form it is in. */
export const SubmitButton = ({ kind = 'main', ...rest }: Pick<ButtonProps, 'kind' | 'disabled' | 'children'>) => (
  <Button {...rest} kind={kind} type="submit" isBusy={use(BusyContext)} />
)

/** The error of an action; nothing if one of these fields shows it. */
export function ErrorNotice({ error, fields = [] }: { readonly error: unknown; readonly fields?: readonly string[] }) {
  if (error === undefined || error === null) return null
  if (fields.some((field) => problemOf(error, field) !== undefined)) return null
  return <Notice kind="bad">{errorMessage(error)}</Notice>
}

/** Links to other pages, below a form. */
export const FormFooter = ({ children }: { readonly children: ReactNode }) => <p className={styles.foot}>{children}</p>

/** The buttons below a form's fields. */
export const FormActions = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.acts}>{children}</div>
)
