import type {
  CreateProductBody,
  DeskProduct,
  longest,
  mostRelated,
} from '../../../../server/features/products/schema.ts'
import { formats, t } from '../../messages.ts'

export type { DeskProduct }

/** In characters. Typed with the server's constants, so the two cannot differ. */
export const limits: typeof longest = {
  name: 120,
  summary: 300,
  description: 10_000,
  category: 40,
  imageAlt: 300,
  address: 2048,
}
export const maxRelated: typeof mostRelated = 8

export type RelatedPiece = Pick<DeskProduct['related'][number], 'id' | 'headline' | 'is_public'>

/** The form's values; empty strings for null. */
export interface ListingValues {
  readonly name: string
  readonly summary: string
  readonly description: string
  readonly amount: string
  readonly currency: string
  readonly category: string
  readonly image: string
  readonly image_alt: string
  readonly payment_url: string
  readonly related: readonly RelatedPiece[]
}

/** `currency` is the one the writer last used. */
export const emptyValues = (currency: string): ListingValues => ({
  name: '',
  summary: '',
  description: '',
  amount: '',
  currency,
  category: '',
  image: '',
  image_alt: '',
  payment_url: '',
  related: [],
})

export const toValues = (product: DeskProduct, currency: string): ListingValues => ({
  name: product.name,
  summary: product.summary ?? '',
  description: product.description ?? '',
  amount: product.price?.amount ?? '',
  currency: product.price?.currency ?? currency,
  category: product.category ?? '',
  image: product.image ?? '',
  image_alt: product.image_alt ?? '',
  payment_url: product.payment_url,
  related: product.related,
})

const orNull = (text: string): string | null => (text.trim() ? text : null)

/** As the API has it: accepts 19,50 and URLs without scheme. */
export function toRequest(values: ListingValues): CreateProductBody {
  const amount = values.amount.trim().replace(',', '.')
  return {
    name: values.name,
    summary: orNull(values.summary),
    description: orNull(values.description),
    price: amount ? { amount, currency: values.currency } : null,
    category: orNull(values.category),
    image: values.image || null,
    image_alt: values.image ? orNull(values.image_alt) : null,
    payment_url: toWebUrl(values.payment_url),
    related: values.related.map(({ id }) => id),
  }
}

function toWebUrl(typed: string): string {
  const address = typed.trim()
  return address === '' || /^[a-z][a-z0-9+.-]*:/i.test(address) ? address : `https://${address}`
}

export const isSameListing = (one: ListingValues, other: ListingValues): boolean =>
  JSON.stringify(toRequest(one)) === JSON.stringify(toRequest(other))

/** The host of the payment page; undefined while the URL is incomplete. */
export const paymentHost = (values: ListingValues): string | undefined =>
  URL.parse(toWebUrl(values.payment_url))?.host.replace(/^www\./, '') || undefined

/** As on the public pages: €19.00, ¥1,900, Free. Anything but a number is shown as typed. */
export function formatPrice({ amount, currency }: Pick<ListingValues, 'amount' | 'currency'>): string {
  const value = amount.trim().replace(',', '.')
  if (value === '') return ''
  if (!/^\d+(\.\d*)?$/.test(value)) return `${value} ${currency}`
  if (Number(value) === 0) return t('desk.shop.free')
  const parts = Number.isInteger(Number(value)) ? {} : { minimumFractionDigits: 2, maximumFractionDigits: 2 }
  return formats.number(Number(value), { style: 'currency', currency, ...parts })
}

/** A listing and its etag. */
export interface SavedListing {
  readonly product: DeskProduct
  readonly tag: string
}

/** The state of the form. */
export interface ListingState {
  readonly values: ListingValues
  /** The server's version as far as this window knows; its tag is the If-Match of the next save. */
  readonly saved: SavedListing | undefined
  /** The server's version, if it was changed elsewhere. */
  readonly theirs: SavedListing | undefined
}

export const initialState = (saved: SavedListing | undefined, currency: string): ListingState => ({
  values: saved ? toValues(saved.product, currency) : emptyValues(currency),
  saved,
  theirs: undefined,
})

export const isUnsaved = ({ values, saved }: ListingState): boolean =>
  !isSameListing(values, initialState(saved, values.currency).values)

/** Keeps what was typed while the save was in flight. */
export const afterSaving = (state: ListingState, sent: ListingValues, now: SavedListing): ListingState => ({
  ...initialState(now, sent.currency),
  ...(state.values === sent ? {} : { values: state.values }),
})

/**
 * After an action or a reload. If there are unsaved changes here and other changes on the server, the old tag stays:
 * otherwise the next save would overwrite what this window has never shown.
 */
export function afterAction(state: ListingState, now: SavedListing): ListingState {
  const { values, saved } = state
  if (!saved || isSameListing(toValues(now.product, values.currency), toValues(saved.product, values.currency)))
    return { values, saved: now, theirs: undefined }
  if (now.product.revision < saved.product.revision) return { ...state, saved: withStatusOf(saved, now) }
  return isUnsaved(state)
    ? { values, saved: withStatusOf(saved, now), theirs: now }
    : initialState(now, values.currency)
}

/** Takes the status, not the content. */
const withStatusOf = ({ product, tag }: SavedListing, { product: now }: SavedListing): SavedListing => {
  const { status, has_unpublished_changes, withheld, url, listed_at } = now
  return { product: { ...product, status, has_unpublished_changes, withheld, url, listed_at }, tag }
}
