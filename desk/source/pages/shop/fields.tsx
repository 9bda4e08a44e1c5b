import { useId, useMemo } from 'react'
import type { MediaAdded } from '../../../../server/features/media/schema.ts'
import { callApi, problemOf } from '../../api/client.ts'
import { Button } from '../../components/button.tsx'
import { FieldGroup, GroupProblem, Select } from '../../components/choices.tsx'
import { Field, TextArea } from '../../components/field.tsx'
import { Form, type FormState, toFormState } from '../../components/form.tsx'
import { usePictureInput } from '../../components/picture-input.tsx'
import { formats, t } from '../../messages.ts'
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
  'book',
  'course',
  'ebook',
  'event',
  'membership',
  'newsletter',
  'print',
  'recording',
  'template',
  'workshop',
] as const

/** The form. Field names are those of the API. */
export function ListingFields({ form: { values, saving, change, save }, categories }: ListingFieldsProps) {
  const id = useId()
  // `save` is an attempt of its own: Ctrl+S saves too, and saves wait for each other.
  const form = toFormState({ ...saving, handler: (act) => async () => void (await act()) }, values, change)
  const { field, error } = form
  const suggestions = [...categories, ...commonCategories.map((one) => t(`desk.shop.category.${one}`))]
  return (
    <Form form={form} onSubmit={save}>
      <Field label={t('desk.shop.field.name')} {...field('name')} limit={limits.name} autoComplete="off" required />
      <TextArea
        label={t('desk.shop.field.summary')}
        hint={t('desk.shop.field.summary_hint')}
        {...field('summary')}
        limit={limits.summary}
        rows={2}
      />
      <PriceField form={form} />
      <Field
        label={t('desk.shop.field.payment_url')}
        hint={t('desk.shop.field.payment_url_hint')}
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
        label={t('desk.shop.field.category')}
        hint={t('desk.shop.field.category_hint')}
        {...field('category')}
        limit={limits.category}
        autoComplete="off"
        list={`${id}-categories`}
      />
      <datalist id={`${id}-categories`}>
        {[...new Set(suggestions)].map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <PictureField form={form} />
      <TextArea
        label={t('desk.shop.field.description')}
        hint={t('desk.shop.field.description_hint')}
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
  const { common, others } = useMemo(currencyOptions, [])
  const { currency } = values
  const isKnown = commonCurrencies.includes(currency) || others.some(([code]) => code === currency)
  return (
    <div className={styles.price}>
      <Field
        label={t('desk.shop.field.price')}
        hint={t('desk.shop.field.price_hint')}
        {...field('amount')}
        problem={problemOf(error, 'price')}
        invalid={t('desk.shop.field.price_invalid')}
        inputMode="decimal"
        autoComplete="off"
      />
      <Select
        label={t('desk.shop.field.currency')}
        hint={t('desk.shop.field.currency_hint')}
        options={[...(isKnown ? [] : [[currency, currency] as const]), ...common]}
        others={{ label: t('desk.shop.field.other_currencies'), options: others }}
        value={currency}
        onValue={(currency) => change({ currency })}
      />
    </div>
  )
}

/** All currencies of today; historical ones have years in their names. */
function currencyOptions() {
  const names = new Intl.DisplayNames(formats.locale, { type: 'currency' })
  const nameOf = (code: string): string => names.of(code) ?? code
  const toOption = (code: string) => [code, t('desk.shop.field.currency_option', { code, name: nameOf(code) })] as const
  const others = Intl.supportedValuesOf('currency')
    .filter((code) => !commonCurrencies.includes(code))
    .filter((code) => nameOf(code) !== code && !/\d{4}/.test(nameOf(code)))
  return { common: commonCurrencies.map(toOption), others: others.map(toOption) }
}

/** The picture: choose or drop one, and describe it. Uploaded at once, public with the listing. */
function PictureField({ form: { values, change, field, error } }: PartProps) {
  const picture = usePictureInput(t('desk.shop.field.image_file'), async (file) => {
    const { media } = await callApi<MediaAdded>('POST', '/media', file)
    change({ image: media.hash })
  })
  return (
    <FieldGroup label={t('desk.shop.field.image')}>
      <div className={styles.drop} {...picture.dropTarget}>
        {values.image && <img src={`/desk/media/${values.image}`} alt={values.image_alt} />}
        <div className={styles.choosing}>
          <Button isBusy={picture.isBusy} onClick={picture.choose}>
            {t(`desk.shop.field.image_${picture.isBusy ? 'uploading' : values.image ? 'replace' : 'choose'}`)}
          </Button>
          {values.image ? (
            <Button kind="quiet" onClick={() => change({ image: '', image_alt: '' })}>
              {t('desk.common.remove')}
            </Button>
          ) : (
            <span>{t('desk.shop.field.image_drop')}</span>
          )}
        </div>
        {picture.input}
      </div>
      <GroupProblem words={picture.problem ?? problemOf(error, 'image')} />
      {values.image && (
        <Field
          label={t('desk.shop.field.image_alt')}
          hint={t('desk.shop.field.image_alt_hint')}
          {...field('image_alt')}
          limit={limits.imageAlt}
          autoComplete="off"
        />
      )}
    </FieldGroup>
  )
}
