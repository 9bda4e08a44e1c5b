import { useId, useMemo } from 'react'
import { problemOf } from '../../api/api-error.ts'
import { Field } from '../../components/field.tsx'
import type { Said } from './form-values.ts'
import styles from './listing.module.css'

interface PriceProps {
  readonly said: Said
  readonly error: unknown
  readonly onPrice: (change: Partial<Said>) => void
}

/** Used most, by the choice of what is near. */
const near = ['EUR', 'USD', 'GBP', 'CHF', 'SEK', 'NOK', 'DKK', 'PLN', 'CAD', 'AUD', 'JPY']

/** What it costs. Without an amount no price is shown. */
export function Price({ said, error, onPrice }: PriceProps) {
  const id = useId()
  const others = useMemo(currencies, [])
  const known = near.includes(said.currency) || others.some(({ code }) => code === said.currency)
  return (
    <div className={styles.price}>
      <Field
        label="Price"
        hint="Optional; 0 means free."
        value={said.amount}
        onText={(amount) => onPrice({ amount })}
        problem={
          problemOf(error, 'price') &&
          'This must be a number with two places at most, such as 19.50, in a currency of today.'
        }
        inputMode="decimal"
        autoComplete="off"
      />
      <div className={styles.currency}>
        <label htmlFor={id}>Currency</label>
        <p id={`${id}-hint`}>As your page charges it.</p>
        <select
          id={id}
          aria-describedby={`${id}-hint`}
          value={said.currency}
          onChange={(event) => onPrice({ currency: event.target.value })}
        >
          {!known && <option value={said.currency}>{said.currency}</option>}
          {near.map((code) => (
            <option key={code} value={code}>
              {`${code} – ${nameOf(code)}`}
            </option>
          ))}
          <optgroup label="All others">
            {others.map(({ code, name }) => (
              <option key={code} value={code}>
                {`${code} – ${name}`}
              </option>
            ))}
          </optgroup>
        </select>
      </div>
    </div>
  )
}

const names = new Intl.DisplayNames('en-GB', { type: 'currency' })
const nameOf = (code: string): string => names.of(code) ?? code

/** Old ones have their years in their names. */
const currencies = () =>
  Intl.supportedValuesOf('currency')
    .filter((code) => !near.includes(code))
    .map((code) => ({ code, name: nameOf(code) }))
    .filter(({ code, name }) => name !== code && !/\d{4}/.test(name))
