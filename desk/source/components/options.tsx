import { useId } from 'react'
import styles from './options.module.css'

interface OptionsProps<Value extends string> {
  readonly label: string
  readonly hint?: string
  readonly options: readonly { readonly value: Value; readonly words: string }[]
  readonly value: Value
  readonly onChosen: (value: Value) => void
}

/** One of a few, all in sight. Arrows move between them, as the browser has it. */
export function Options<Value extends string>({ label, hint, options, value, onChosen }: OptionsProps<Value>) {
  const id = useId()
  return (
    <fieldset className={styles.options} aria-describedby={hint ? `${id}-hint` : undefined}>
      <legend>{label}</legend>
      {hint && (
        <p className={styles.hint} id={`${id}-hint`}>
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
              onChange={() => onChosen(option.value)}
            />
            {option.words}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
