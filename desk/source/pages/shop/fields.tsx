import { useId, useMemo } from 'react'
import type { MediaAdded } from '../../../../server/features/media/schema.ts'
import { callApi, problemOf } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { Select } from '../../components/choices.tsx'
import { Field, TextArea } from '../../components/field.tsx'
import { Form, type FormState, toFormState } from '../../components/form.tsx'
import { usePictureInput } from '../../components/picture-input.tsx'
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
  // `save` is an attempt of its own: Ctrl+S saves too, and saves wait for each other.
  const form = toFormState({ ...saving, handler: (act) => async () => void (await act()) }, values, change)
  const { field, error } = form
  return (
    <Form form={form} onSubmit={save}>
      <Field label="Name" {...field('name')} limit={limits.name} autoComplete="off" required />
      <TextArea
        label="Summary"
        hint="A sentence or two, shown in lists."
        {...field('summary')}
        limit={limits.summary}
        rows={2}
      />
      <PriceField form={form} />
      <Field
        label="Payment address"
        hint="Your page where people pay: the site only leads there. It begins with https://."
        {...field('payment_url')}
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
        {...field('category')}
        limit={limits.category}
        autoComplete="off"
        list={`${id}-categories`}
      />
      <datalist id={`${id}-categories`}>
        {[...new Set([...categories, ...commonCategories])].map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <PictureField form={form} />
      <TextArea
        label="Description"
        hint="Plain text; an empty line begins a new paragraph."
        {...field('description')}
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

interface PartProps {
  readonly form: FormState<ListingValues>
}

/** Shown first in the list. */
const commonCurrencies = ['EUR', 'USD', 'GBP', 'CHF', 'SEK', 'NOK', 'DKK', 'PLN', 'CAD', 'AUD', 'JPY']

/** The price. Without an amount no price is shown. */
function PriceField({ form: { values, change, field, error } }: PartProps) {
  const others = useMemo(otherCurrencies, [])
  const { currency } = values
  const isKnown = commonCurrencies.includes(currency) || others.some(([code]) => code === currency)
  return (
    <div className={styles.price}>
      <Field
        label="Price"
        hint="Optional; 0 means free."
        {...field('amount')}
        problem={problemOf(error, 'price')}
        invalid="This must be a number with two places at most, such as 19.50, in a currency of today."
        inputMode="decimal"
        autoComplete="off"
      />
      <Select
        label="Currency"
        hint="As your page charges it."
        options={[...(isKnown ? [] : [[currency, currency] as const]), ...commonCurrencies.map(toOption)]}
        others={{ label: 'All others', options: others }}
        value={currency}
        onValue={(currency) => change({ currency })}
      />
    </div>
  )
}

const names = new Intl.DisplayNames('en-GB', { type: 'currency' })
const currencyName = (code: string): string => names.of(code) ?? code

const toOption = (code: string) => [code, `${code} – ${currencyName(code)}`] as const

/** Historical currencies have years in their names. */
const otherCurrencies = () =>
  Intl.supportedValuesOf('currency')
    .filter((code) => !commonCurrencies.includes(code))
    .filter((code) => currencyName(code) !== code && !/\d{4}/.test(currencyName(code)))
    .map(toOption)

/** The picture: choose or drop one, and describe it. Uploaded at once, public with the listing. */
function PictureField({ form: { values, change, field, error } }: PartProps) {
  const picture = usePictureInput('Picture file', async (file) => {
    const { media } = await callApi<MediaAdded>('POST', '/media', file)
    change({ image: media.hash })
  })
  const problem = picture.problem ?? problemOf(error, 'image')
  return (
    <fieldset className={styles.picture}>
      <legend>Picture</legend>
      <div className={styles.drop} {...picture.dropTarget}>
        {values.image && <img src={`/desk/media/${values.image}`} alt={values.image_alt} />}
        <div className={styles.choosing}>
          <Button isBusy={picture.isBusy} onClick={picture.choose}>
            {picture.isBusy ? 'One moment …' : values.image ? 'Another picture' : 'Choose a picture'}
          </Button>
          {values.image ? (
            <Button kind="quiet" onClick={() => change({ image: '', image_alt: '' })}>
              Remove
            </Button>
          ) : (
            <span>or drop one here</span>
          )}
        </div>
        {picture.input}
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
          {...field('image_alt')}
          limit={limits.imageAlt}
          autoComplete="off"
        />
      )}
    </fieldset>
  )
}
