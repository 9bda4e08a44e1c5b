import { type DragEvent, useId, useMemo, useRef, useState } from 'react'
import type { MediaAdded } from '../../../../server/features/media/schema.ts'
import { errorMessage, problemOf } from '../../api/api-error.ts'
import { callApi } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Field, TextArea } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { pictureProblem, pictureTypes } from '../../components/picture-file.ts'
import styles from './listing.module.css'
import { type ListingValues, limits } from './listing-form.ts'
import { RelatedField } from './related.tsx'
import type { ListingForm } from './use-listing-form.ts'

interface ListingFieldsProps {
  readonly form: ListingForm
  /** Categories the writer uses already. */
  readonly categories: readonly string[]
}

/** Suggestions for new writers. */
const commonCategories = [
  'Book',
  'Course',
  'E-book',
  'Event',
  'Membership',
  'Newsletter',
  'Print',
  'Recording',
  'Template',
  'Workshop',
]

/** The form. Field names are those of the API. */
export function ListingFields({ form: { values, saving, change, save }, categories }: ListingFieldsProps) {
  const id = useId()
  const { error } = saving
  const line = (field: Exclude<keyof ListingValues, 'related'>) => ({
    value: values[field],
    onText: (text: string) => change({ [field]: text }),
    problem: problemOf(error, field),
  })
  return (
    <Form
      attempt={saving}
      onSubmit={async () => {
        await save()
      }}
    >
      <Field label="Name" {...line('name')} limit={limits.name} autoComplete="off" required />
      <TextArea
        label="Summary"
        hint="A sentence or two, shown in lists."
        {...line('summary')}
        limit={limits.summary}
        rows={2}
      />
      <PriceField values={values} error={error} onPrice={change} />
      <Field
        label="Payment address"
        hint="Your page where people pay: the site only leads there. It begins with https://."
        {...line('payment_url')}
        limit={limits.address}
        inputMode="url"
        placeholder="https://"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      <Field
        label="Category"
        hint="In your own words, or one of those offered."
        {...line('category')}
        limit={limits.category}
        autoComplete="off"
        list={`${id}-categories`}
      />
      <datalist id={`${id}-categories`}>
        {[...new Set([...categories, ...commonCategories])].map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <PictureField values={values} error={error} onPicture={change} />
      <TextArea
        label="Description"
        hint="Plain text; an empty line begins a new paragraph."
        {...line('description')}
        limit={limits.description}
        rows={8}
      />
      <RelatedField
        related={values.related}
        problem={problemOf(error, 'related')}
        onRelated={(related) => change({ related })}
      />
    </Form>
  )
}

interface PriceFieldProps {
  readonly values: ListingValues
  readonly error: unknown
  readonly onPrice: (change: Partial<ListingValues>) => void
}

/** Shown first in the list. */
const commonCurrencies = ['EUR', 'USD', 'GBP', 'CHF', 'SEK', 'NOK', 'DKK', 'PLN', 'CAD', 'AUD', 'JPY']

/** The price. Without an amount no price is shown. */
function PriceField({ values, error, onPrice }: PriceFieldProps) {
  const id = useId()
  const others = useMemo(otherCurrencies, [])
  const known = commonCurrencies.includes(values.currency) || others.some(({ code }) => code === values.currency)
  return (
    <div className={styles.price}>
      <Field
        label="Price"
        hint="Optional; 0 means free."
        value={values.amount}
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
          value={values.currency}
          onChange={(event) => onPrice({ currency: event.target.value })}
        >
          {!known && <option value={values.currency}>{values.currency}</option>}
          {commonCurrencies.map((code) => (
            <option key={code} value={code}>
              {`${code} – ${currencyName(code)}`}
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
const currencyName = (code: string): string => names.of(code) ?? code

/** Historical currencies have years in their names. */
const otherCurrencies = () =>
  Intl.supportedValuesOf('currency')
    .filter((code) => !commonCurrencies.includes(code))
    .map((code) => ({ code, name: currencyName(code) }))
    .filter(({ code, name }) => name !== code && !/\d{4}/.test(name))

interface PictureFieldProps {
  readonly values: ListingValues
  readonly error: unknown
  readonly onPicture: (change: Partial<ListingValues>) => void
}

/** The picture: choose or drop one, and describe it. Uploaded at once, public with the listing. */
function PictureField({ values, error, onPicture }: PictureFieldProps) {
  const chooser = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string>()
  const upload = async (file: File | undefined) => {
    if (!file) return
    const refusal = pictureProblem(file)
    setRefused(refusal)
    if (refusal) return
    setBusy(true)
    try {
      const { media } = await callApi<MediaAdded>('POST', '/media', file)
      onPicture({ image: media.hash })
    } catch (error) {
      setRefused(errorMessage(error))
    } finally {
      setBusy(false)
    }
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void upload(event.dataTransfer.files[0])
  }
  const problem = refused ?? problemOf(error, 'image')
  return (
    <fieldset className={styles.picture}>
      <legend>Picture</legend>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut; the button in it does the same. */}
      <div
        className={styles.drop}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        {values.image && <img src={`/desk/media/${values.image}`} alt={values.image_alt} />}
        <div className={styles.choosing}>
          <Button isBusy={isBusy} onClick={() => chooser.current?.click()}>
            {isBusy ? 'One moment …' : values.image ? 'Another picture' : 'Choose a picture'}
          </Button>
          {values.image ? (
            <Button kind="quiet" onClick={() => onPicture({ image: '', image_alt: '' })}>
              Remove
            </Button>
          ) : (
            <span>or drop one here</span>
          )}
        </div>
        <input
          ref={chooser}
          type="file"
          className="hidden"
          tabIndex={-1}
          aria-label="Picture file"
          accept={pictureTypes.join(',')}
          onChange={(event) => {
            void upload(event.target.files?.[0])
            event.target.value = ''
          }}
        />
      </div>
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      {values.image && (
        <Field
          label="What does it show?"
          hint="In a few words, for those who cannot see it."
          value={values.image_alt}
          onText={(image_alt) => onPicture({ image_alt })}
          problem={problemOf(error, 'image_alt')}
          limit={limits.imageAlt}
          autoComplete="off"
        />
      )}
    </fieldset>
  )
}
